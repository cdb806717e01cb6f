import { hashSha256 } from './hash.ts';

/** Computes a strong ETag from a body. */
export function computeETag(body: string): string {
  return `"${hashSha256(body).slice(0, 22)}"`;
}

/**
 * Returns true if a list of ETags, such as an If-None-Match header, contains the given ETag. The
 * comparison is weak, because proxies that compress a body weaken its ETag.
 */
export function matchesETag(tags: string | undefined, etag: string): boolean {
  return tags?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;
}
