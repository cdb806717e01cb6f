/** Formats a list in English, such as `id, name, and contact`. */
export function formatList(items: readonly string[]): string {
  return new Intl.ListFormat('en-US').format(items);
}
