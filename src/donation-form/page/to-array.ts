/** Copies a DOM collection without its iterator, which some polyfills remove. */
export function toArray<Item>(collection: ArrayLike<Item>): Item[] {
  return Array.prototype.slice.call(collection) as Item[];
}
