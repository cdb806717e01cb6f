import { createHash, timingSafeEqual } from 'node:crypto';

/** SHA-256, base64url. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** Whether two secrets are the same, in a time that does not tell where they differ. */
export function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(one)), Buffer.from(sha256(other)));
}
