import { computeETag } from './etag.ts';

/** The same for every client. */
export interface PublicBody {
  readonly text: string;
  readonly etag: string;
}

export function createPublicBody(text: string): PublicBody {
  return { text, etag: computeETag(text) };
}
