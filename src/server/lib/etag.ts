import { sha256 } from './hash.ts';

/** Computes a strong ETag from a body. */
export function computeETag(body: string): string {
  return `"${sha256(body).slice(0, 22)}"`;
}

/**
 * Compares the entity tags of an If-None-Match header or a request field with an ETag. The
 * comparison is weak: proxies that compress a body weaken its tag.
 */
export function matchesETag(tags: string | undefined, etag: string): boolean {
  return tags?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;
}
