import { randomBytes, randomUUID } from 'node:crypto';

export function createId(kind: 'pay' | 'sub' | 're' | 'dp' | 'evt' | 'tok'): string {
  return `${kind}_${randomUUID().replaceAll('-', '')}`;
}

/** Creates an unguessable part of a URL. */
export function createSecret(): string {
  return randomBytes(24).toString('base64url');
}
