import { hash, timingSafeEqual } from 'node:crypto';

/** Returns the SHA-256 hash of a text, as base64url. */
export function hashSha256(text: string): string {
  return hash('sha256', text, 'base64url');
}

/**
 * Compares two secrets in constant time, so the timing does not reveal where the secrets differ.
 */
export function isEqualInConstantTime(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(hashSha256(a)), Buffer.from(hashSha256(b)));
}
