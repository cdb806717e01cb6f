import { setTimeout } from 'node:timers/promises';
import type { DonationRequest, FormDefinition, Outcome } from '@donation-form/core/schemas';
import type { Logger } from '../lib/logger.ts';
import { keepHappenings } from './apply-payment-events.ts';
import { Charging, type Step } from './payment-processor.ts';
import type { Donation } from '../database/schema.ts';
import type { Journal } from './donation-repository.ts';
import { fingerprintOf, isSameRequest } from './fingerprint.ts';
import { createPayload } from './create-payload.ts';
import { toOutcome } from './to-outcome.ts';
import type { Organization } from '../organizations/organization.ts';
import { Outbox } from './outbox.ts';
import type { Happening } from '../payments/payment-gateway.ts';
import { Problem } from '../lib/problem.ts';
import { newReference } from './reference.ts';
import { aboutError } from '../lib/describe-error.ts';

/** How long a second request with the same key waits for the first. */
const PATIENCE = 5_000;
/** How long an answer waits for the platform's id of the gift, which analytics like to have. */
const RECORDING_GRACE = 1_000;
/**
 * How many answers wait for it at a time: where more gifts come, the platform is behind, and donors
 * do not wait for that.
 */
const MOST_WAITING = 8;
/** A charge whose request died is looked up after this. */
const LOOK_UP_AFTER = 20_000;

export interface DonationsOptions {
  readonly journal: Journal;
  readonly organization: Organization;
  /**
   * No process stays alive: what need not be done before the answer is left to a drain, since a
   * process may be frozen in the middle of it.
   */
  readonly isDrained?: boolean | undefined;
  readonly log: Logger;
  readonly now: () => number;
}

/**
 * The donations of one organisation: each idempotency key is one gift, charged once and recorded
 * once.
 */
export class Donations {
  readonly #journal: Journal;
  #organization: Organization;
  readonly #charging: Charging;
  readonly #outbox: Outbox;
  readonly #isDrained: boolean;
  readonly #now: () => number;
  readonly #log: Logger;
  #waiting = 0;

  constructor({ journal, organization, isDrained = false, log, now }: DonationsOptions) {
    const { id } = organization;
    this.#journal = journal;
    this.#organization = organization;
    this.#isDrained = isDrained;
    this.#now = now;
    this.#log = log;
    this.#outbox = new Outbox({
      organization: id,
      journal,
      recorder: () => this.#organization.recorder,
      budget: () => this.#organization.budget,
      log,
      now,
    });
    this.#charging = new Charging({
      organization: id,
      journal,
      gatewayOf: (provider) => this.#organization.payments.get(provider)?.gateway,
      onNews: () => void this.#tell(),
      log,
      now,
    });
  }

  /** Takes the organisation as it is configured from now on. */
  use(organization: Organization): void {
    this.#organization = organization;
    void this.#tryKey();
  }

  async #tryKey(): Promise<void> {
    try {
      if (await this.#outbox.forgetKey()) await this.#tell();
    } catch (error) {
      this.#log.error(
        { organization: this.#organization.id, ...aboutError(error) },
        'the platform could not be tried with the key of the configuration',
      );
    }
  }

  /** The pages that may show its forms. */
  get origins(): ReadonlySet<string> {
    return this.#organization.origins;
  }

  /** Goes on with what an earlier run left unfinished. */
  start(): void {
    this.#lookUp();
    void this.#tell();
  }

  /**
   * Works off what is due, and does not come back.
   * @param until nothing is begun once it is aborted.
   * @throws where the store does not answer.
   */
  async drain(until: AbortSignal): Promise<{ readonly lookedUp: number; readonly told: number }> {
    return { lookedUp: await this.#charging.drain(until), told: await this.#outbox.drain(until) };
  }

  /** Ends after the calls that are under way. */
  async stop(): Promise<void> {
    await Promise.all([this.#charging.stop(), this.#outbox.stop()]);
  }

  /**
   * Accepts a gift, charges it and answers.
   * @param request one that the definition allows.
   * @param keyHash SHA-256 of the idempotency key.
   * @throws {Problem} unavailable, with nothing charged, where the gift cannot be kept.
   */
  async give(
    request: DonationRequest,
    definition: FormDefinition,
    keyHash: string,
  ): Promise<Outcome> {
    const payment = this.#organization.payments.get(request.payment.provider)!;
    const gift = {
      reference: newReference(),
      key_hash: keyHash,
      fingerprint: fingerprintOf(request),
      organization: this.#organization.id,
      payload: createPayload(request, definition, payment),
    };
    const accepted = await (
      payment.isPromised
        ? this.#journal.promise(gift)
        : this.#journal.accept({ ...gift, dueAt: this.#now() + LOOK_UP_AFTER })
    ).catch((cause: unknown) => {
      throw new Problem(
        'unavailable',
        'The gift could not be kept, so nothing was charged. Send it again with the same Idempotency-Key.',
        { cause },
      );
    });
    if (accepted?.state === 'pending') void this.#tell();
    if (accepted)
      return this.#answer(
        accepted,
        accepted.state === 'pending'
          ? Promise.resolve({ row: accepted })
          : this.#charging.charge(accepted, givenIn(request)),
      );
    const known = await this.#journal.byKeyHash(keyHash);
    if (!known) throw new Error('the journal has no gift under a key that is taken');
    return this.goOn(known, request);
  }

  /**
   * Answers a request whose key was accepted before: it waits for the first, or goes on where that
   * was cut off.
   * @throws {Problem} idempotency-key-reused.
   */
  async goOn(row: Donation, request: DonationRequest): Promise<Outcome> {
    if (!isSameRequest(row, request)) {
      throw new Problem(
        'idempotency-key-reused',
        'This Idempotency-Key belongs to a gift with other content, by another donor or on another form. Ask GET /donations what became of that one, or send this gift under a new key.',
      );
    }
    if (row.state === 'action') return this.confirm(row);
    if (row.state !== 'charging') return this.#answer(row, Promise.resolve({ row }));
    return this.#patiently(row, this.#charging.resume(row, givenIn(request)));
  }

  /** Asks the processor what became of a gift whose donor had something to do. */
  confirm(row: Donation): Promise<Outcome> {
    const isUnderWay = row.state === 'charging' || row.state === 'action';
    return isUnderWay
      ? this.#patiently(row, this.#charging.ask(row))
      : this.#answer(row, Promise.resolve({ row }));
  }

  /** Ends a gift whose donor does not do what was asked for. */
  cancel(row: Donation): Promise<Outcome> {
    return this.#answer(
      row,
      row.state === 'action' ? this.#charging.cancel(row) : Promise.resolve({ row }),
    );
  }

  /**
   * Keeps what a payment provider tells of gifts after they were given.
   * @param isLate it should have been told long ago.
   */
  async keep(provider: string, happenings: readonly Happening[], isLate = false): Promise<void> {
    await keepHappenings(happenings, {
      isLate,
      organization: this.#organization.id,
      provider,
      journal: this.#journal,
      charging: this.#charging,
      log: this.#log,
    });
    void this.#tell();
  }

  #lookUp(): void {
    if (!this.#isDrained) this.#charging.wake();
  }

  async #tell(): Promise<void> {
    this.#journal.outboundWebhooks?.wake(this.#organization.id);
    if (!this.#isDrained) await this.#outbox.wake();
  }

  /** Asks the processor now what became of a gift's payment. */
  async ask(row: Donation): Promise<Donation> {
    try {
      return (await this.#charging.askAnew(row)).row;
    } finally {
      this.#lookUp();
    }
  }

  #patiently(row: Donation, step: Promise<Step>): Promise<Outcome> {
    return this.#answer(row, Promise.race([step, setTimeout(PATIENCE, { row }, { ref: false })]));
  }

  async #answer({ reference }: Donation, step: Promise<Step>): Promise<Outcome> {
    let done: Step | undefined;
    try {
      done = await step;
    } finally {
      if (!done || done.row.state === 'charging' || done.row.state === 'action') this.#lookUp();
    }
    const { row, action } = done;
    if (row.state !== 'charged' || this.#waiting >= MOST_WAITING) return toOutcome(row, action);
    this.#waiting += 1;
    await Promise.race([this.#tell(), setTimeout(RECORDING_GRACE, undefined, { ref: false })]);
    this.#waiting -= 1;
    return toOutcome((await this.#journal.byReference(reference)) ?? row);
  }
}

function givenIn({ payment: { token, returnUrl } }: DonationRequest): {
  readonly token: string | undefined;
  readonly returnUrl: string | undefined;
} {
  return { token, returnUrl };
}
