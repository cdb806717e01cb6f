import { hash, timingSafeEqual } from 'node:crypto';

/** As base64url. */
export function hashSha256(content: string | Uint8Array): string {
  return hash('sha256', content, 'base64url');
}

/** The timing does not reveal where the secrets differ. */
export function isEqualInConstantTime(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(hashSha256(a)), Buffer.from(hashSha256(b)));
}

/** Computes the value of the `integrity` attribute for a script. */
export function computeIntegrity(code: string): string {
  return `sha384-${hash('sha384', code, 'base64')}`;
}
