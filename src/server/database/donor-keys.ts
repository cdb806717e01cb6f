import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { normalizeEmail, toMailbox } from '../lib/normalize-email.ts';
import type { DonationPayload, DonationRow, Tables } from './schema.ts';

type KeyColumns = Pick<DonationRow, 'donorKey' | 'notifyKey'>;

const SECRET_NAME = 'donor_key_secret';
/** In characters, each of 6 bits: long enough that no two donors ever have the same key. */
const KEY_LENGTH = 22;

/** Hashes emails, so that an index can find a donor's donations without containing emails. */
export class DonorKeys {
  readonly #secret: KeyObject;

  constructor(secret: string) {
    this.#secret = createSecretKey(secret, 'base64url');
  }

  /** Returns a key of the recipient's mailbox, for limits and blocks. */
  createRecipientKey(organization: string, email: string): string {
    return this.createKey(organization, toMailbox(email));
  }

  /** Returns a key that differs between organizations. */
  createKey(organization: string, email: string): string {
    return createHmac('sha256', this.#secret)
      .update(`${organization}\n${normalizeEmail(email)}`)
      .digest('base64url')
      .slice(0, KEY_LENGTH);
  }

  createColumns(organization: string, { donor, gift }: DonationPayload): KeyColumns {
    const notifyEmail = gift.tribute?.notifyEmail;
    return {
      donorKey: donor.email === undefined ? '' : this.createKey(organization, donor.email),
      notifyKey: notifyEmail === undefined ? null : this.createKey(organization, notifyEmail),
    };
  }
}

/**
 * Loads the secret, or creates it and clears the keys of a lost one. The secret is in the database
 * because it must survive as long as the keys, be the same on all servers, and be in backups.
 * @param db without plugins or with the row mapper. No other server may call this at the same time.
 */
export async function loadDonorKeys(db: Kysely<Tables>): Promise<DonorKeys> {
  const { rows } = await sql<{ value: string }>`
    SELECT value FROM server_info WHERE name = ${SECRET_NAME}`.execute(db);
  if (rows[0]) return new DonorKeys(rows[0].value);
  const secret = randomBytes(32).toString('base64url');
  await sql`
    UPDATE donations SET donor_key = NULL, notify_key = NULL WHERE donor_key IS NOT NULL`.execute(
    db,
  );
  await sql`UPDATE mail_messages SET recipient_key = NULL WHERE recipient_key IS NOT NULL`.execute(
    db,
  );
  await sql`DELETE FROM blocked_recipients`.execute(db);
  await sql`INSERT INTO server_info (name, value) VALUES (${SECRET_NAME}, ${secret})`.execute(db);
  return new DonorKeys(secret);
}
