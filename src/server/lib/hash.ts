import { hash, timingSafeEqual } from 'node:crypto';

/** SHA-256, base64url. */
export function sha256(text: string): string {
  return hash('sha256', text, 'base64url');
}

/** Whether two secrets are the same, in a time that does not tell where they differ. */
export function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(one)), Buffer.from(sha256(other)));
}
