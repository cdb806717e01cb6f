import { sha256 } from './hash.ts';

/** The ETag of a body: another body has another. */
export function tagOf(body: string): string {
  return `"${sha256(body).slice(0, 22)}"`;
}

/**
 * Whether a header or field names an entity tag. Proxies that compress weaken tags; what they name
 * is the same.
 */
export function hasTag(given: string | undefined, etag: string): boolean {
  return given?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;
}
