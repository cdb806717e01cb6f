import { randomBytes, randomUUID } from 'node:crypto';

export function newId(kind: 'pay' | 'sub' | 're' | 'dp' | 'evt' | 'tok'): string {
  return `${kind}_${randomUUID().replaceAll('-', '')}`;
}

/** The part of an address that nobody guesses. */
export function newSecret(): string {
  return randomBytes(24).toString('base64url');
}
