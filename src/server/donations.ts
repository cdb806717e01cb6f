import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { DonationRequest } from '../contract/donation-request.ts';
import type { FormDefinition } from '../contract/form-definition.ts';
import type { Outcome } from '../contract/outcome.ts';
import { Charging } from './charging.ts';
import type { GiftRow } from './database.ts';
import { sha256 } from './hash.ts';
import type { Journal } from './journal.ts';
import { keep, toCharge, toOutcome } from './kept-gift.ts';
import type { Organization } from './organization.ts';
import { Outbox } from './outbox.ts';
import { Problem } from './problem.ts';

/** How long a second request with the same key waits for the first. */
const PATIENCE = 5_000;
/** How long an answer waits for the platform's id of the gift, which analytics like to have. */
const RECORDING_GRACE = 1_000;
/** A charge whose request died is looked up after this. */
const LOOK_UP_AFTER = 20_000;

export interface DonationsOptions {
  readonly journal: Journal;
  readonly organization: Organization;
  readonly log: Logger;
  readonly now: () => number;
}

/** The donations of one organisation: each idempotency key is one gift, charged once and recorded once. */
export class Donations {
  readonly #journal: Journal;
  readonly #organization: string;
  readonly #charging: Charging;
  readonly #outbox: Outbox;
  readonly #now: () => number;

  constructor({ journal, organization, log, now }: DonationsOptions) {
    this.#journal = journal;
    this.#organization = organization.id;
    this.#now = now;
    this.#charging = new Charging({ journal, gateway: organization.gateway, log, now });
    this.#outbox = new Outbox({ organization: organization.id, recorder: organization.recorder, charging: this.#charging, journal, log, now });
  }

  /** Goes on with what an earlier run left unfinished. */
  start(): void {
    void this.#outbox.wake();
  }

  stop(): Promise<void> {
    return this.#outbox.stop();
  }

  /**
   * Accepts, charges and answers.
   * @param request one that the definition allows.
   * @param keyHash SHA-256 of the idempotency key.
   * @throws {Problem} idempotency-key-reused.
   */
  async give(request: DonationRequest, definition: FormDefinition, keyHash: string): Promise<Outcome> {
    const fingerprint = sha256(JSON.stringify([request.gift, request.donor, request.form]));
    const accepted = await this.#journal.accept({
      reference: newReference(), key_hash: keyHash, fingerprint, organization: this.#organization, gift: keep(request, definition), dueAt: this.#now() + LOOK_UP_AFTER,
    });
    const row = await this.#journal.byKeyHash(keyHash);
    if (!row) throw new Error('the journal lost a gift that it had just accepted');
    if (row.fingerprint !== fingerprint || row.organization !== this.#organization) {
      throw new Problem('idempotency-key-reused', 'This Idempotency-Key belongs to another gift, donor or form. Ask GET /donations what became of that one, or send this gift under a new key.');
    }
    return toOutcome(await this.#recordedSoon(await this.#charged(row, request.payment.token, accepted)));
  }

  /** What became of a key so far; `undefined` where no gift was accepted under it. */
  async outcome(keyHash: string): Promise<Outcome | undefined> {
    const row = await this.#journal.byKeyHash(keyHash);
    return row?.organization === this.#organization ? toOutcome(row) : undefined;
  }

  async #charged(row: GiftRow, token: string, isNew: boolean): Promise<GiftRow> {
    if (row.state !== 'charging') return row;
    const charge = toCharge(row, token);
    if (isNew) return this.#charging.charge(row, charge);
    return Promise.race([this.#charging.resume(row, charge), setTimeout(PATIENCE, row, { ref: false })]);
  }

  async #recordedSoon(row: GiftRow): Promise<GiftRow> {
    if (row.state !== 'charged') return row;
    await Promise.race([this.#outbox.wake(), setTimeout(RECORDING_GRACE, undefined, { ref: false })]);
    return await this.#journal.byReference(row.reference) ?? row;
  }
}

const readable = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Ten characters that are not mistaken for one another, such as `7K4M9-QXD2P`: 49 random bits. */
function newReference(): string {
  const characters = Array.from({ length: 10 }, () => readable[randomInt(readable.length)]);
  return `${characters.slice(0, 5).join('')}-${characters.slice(5).join('')}`;
}
