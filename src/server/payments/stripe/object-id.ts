/** Returns the ID of a Stripe object that may not be expanded. */
export function getObjectId(object: string | { readonly id: string }): string {
  return typeof object === 'string' ? object : object.id;
}
