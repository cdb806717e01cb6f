import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const IV_LENGTH = 12;
const TAG_LENGTH = 16;

/**
 * Encrypts donor searches in URLs. The search is part of the URL to support bookmarks, reloading,
 * and the Back button. Encryption keeps personal data out of proxy logs and browser histories, and
 * from staff of other organizations.
 */
export class TextSealer {
  readonly #key: Buffer;

  constructor(secret: string) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', 'donation-form search', 32));
  }

  sealText(text: string, organization: string): string {
    const iv = randomBytes(IV_LENGTH);
    const cipher = createCipheriv(ALGORITHM, this.#key, iv);
    cipher.setAAD(Buffer.from(organization));
    const encrypted = [cipher.update(text, 'utf8'), cipher.final()];
    return Buffer.concat([iv, cipher.getAuthTag(), ...encrypted]).toString('base64url');
  }

  openText(sealed: string, organization: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    const iv = bytes.subarray(0, IV_LENGTH);
    const tag = bytes.subarray(IV_LENGTH, IV_LENGTH + TAG_LENGTH);
    try {
      const decipher = createDecipheriv(ALGORITHM, this.#key, iv, { authTagLength: TAG_LENGTH });
      decipher.setAAD(Buffer.from(organization));
      decipher.setAuthTag(tag);
      const text = decipher.update(bytes.subarray(IV_LENGTH + TAG_LENGTH));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      return undefined;
    }
  }
}
