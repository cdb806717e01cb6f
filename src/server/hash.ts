import { createHash } from 'node:crypto';

/** SHA-256, base64url. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
