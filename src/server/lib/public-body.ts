import { computeETag } from './etag.ts';

/** A body that is identical for everyone, with its ETag. */
export interface PublicBody {
  readonly text: string;
  readonly etag: string;
}

export function createPublicBody(text: string): PublicBody {
  return { text, etag: computeETag(text) };
}
