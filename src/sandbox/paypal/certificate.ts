import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** Self-signed X.509 certificate for the public key, in PEM. */
  readonly certificate: string;
}

/** Tags of ASN.1's Distinguished Encoding Rules (ITU-T X.690). */
const TAGS = {
  integer: 0x02,
  bitString: 0x03,
  null: 0x05,
  objectId: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
} as const;

/** ASN.1 object identifiers, DER-encoded. */
const SHA256_WITH_RSA = Buffer.from('2a864886f70d01010b', 'hex');
const COMMON_NAME = Buffer.from('550403', 'hex');

const NOT_BEFORE = '250101000000Z';
const NOT_AFTER = '491231235959Z';

let signingKey: SigningKey | undefined;

/**
 * Returns the signing key of this process. Creates it on first use, because key generation is slow.
 */
export function getSigningKey(): SigningKey {
  signingKey ??= createSigningKey();
  return signingKey;
}

function createSigningKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const algorithm = encodeSequence(
    encodeDer('objectId', SHA256_WITH_RSA),
    encodeDer('null', Buffer.alloc(0)),
  );
  const name = encodeSequence(
    encodeDer(
      'set',
      encodeSequence(
        encodeDer('objectId', COMMON_NAME),
        encodeDer('utf8String', Buffer.from('PayPal emulation')),
      ),
    ),
  );
  const content = encodeSequence(
    encodeDer('integer', Buffer.from([1])),
    algorithm,
    name,
    encodeSequence(
      encodeDer('utcTime', Buffer.from(NOT_BEFORE)),
      encodeDer('utcTime', Buffer.from(NOT_AFTER)),
    ),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('sha256', content, privateKey);
  const certificate = encodeSequence(
    content,
    algorithm,
    // No unused bits.
    encodeDer('bitString', Buffer.concat([Buffer.from([0]), signature])),
  );
  const lines = certificate.toString('base64').match(/.{1,64}/g)!;
  return {
    privateKey,
    publicKey,
    certificate: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}

const encodeSequence = (...items: readonly Buffer[]): Buffer =>
  encodeDer('sequence', Buffer.concat(items));

function encodeDer(tag: keyof typeof TAGS, content: Buffer): Buffer {
  const { length } = content;
  const bytes = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([TAGS[tag], ...bytes]), content]);
}
