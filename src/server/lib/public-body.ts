import { hashSha256 } from './hash.ts';

/** The same for every client. */
export interface PublicBody {
  readonly text: string;
  readonly etag: string;
}

export function createPublicBody(text: string): PublicBody {
  return { text, etag: `"${hashSha256(text).slice(0, 22)}"` };
}

/** Looks for an ETag in an If-None-Match header. Weak, because compressing proxies weaken ETags. */
export function matchesETag(tags: string | undefined, etag: string): boolean {
  return tags?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;
}
