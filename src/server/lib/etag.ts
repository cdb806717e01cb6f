import { hashSha256 } from './hash.ts';

export function computeETag(body: string): string {
  return `"${hashSha256(body).slice(0, 22)}"`;
}

/** Looks for an ETag in an If-None-Match header. Weak, because compressing proxies weaken ETags. */
export function matchesETag(tags: string | undefined, etag: string): boolean {
  return tags?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;
}
