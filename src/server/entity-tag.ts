/** Whether a header or field names an entity tag. Proxies that compress weaken tags; what they name is the same. */
export function hasTag(given: string | undefined, etag: string): boolean {
  return given?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;
}
