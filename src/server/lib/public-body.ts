import { computeETag } from './etag.ts';

/** A response body that is the same for every client, with its ETag. */
export interface PublicBody {
  readonly text: string;
  readonly etag: string;
}

export function createPublicBody(text: string): PublicBody {
  return { text, etag: computeETag(text) };
}
