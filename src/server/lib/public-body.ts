import { hashSha256 } from './hash.ts';

/** The same for every client. */
export interface PublicBody {
  readonly text: string;
  readonly etag: string;
  /** The text, compressed by the build. */
  readonly brotli?: Uint8Array<ArrayBuffer> | undefined;
}

export function createPublicBody(text: string, brotli?: PublicBody['brotli']): PublicBody {
  return { text, brotli, etag: `"${hashSha256(text).slice(0, 22)}"` };
}

/** Looks for an ETag in an If-None-Match header. Weak, because compressing proxies weaken ETags. */
export function matchesETag(tags: string | undefined, etag: string): boolean {
  return tags?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false;
}
