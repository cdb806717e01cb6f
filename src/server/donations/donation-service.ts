import { setTimeout } from 'node:timers/promises';
import type { DonationRequest, FormDefinition, Outcome } from '@donation-form/core/schemas';
import type { Logger } from '../lib/logger.ts';
import { applyPaymentEvents } from './apply-payment-events.ts';
import { PaymentService, type PaymentResult } from './payment-service.ts';
import type { Donation } from '../database/schema.ts';
import type { DonationRepository } from './donation-repository.ts';
import { fingerprintOf, isSameRequest } from './fingerprint.ts';
import { createPayload } from './create-payload.ts';
import { toOutcome } from './to-outcome.ts';
import type { Organization } from '../organizations/organization.ts';
import { OutboxRelay } from './outbox-relay.ts';
import type { PaymentEvent } from '../payments/payment-gateway.ts';
import { Problem } from '../lib/problem.ts';
import { newReference } from './reference.ts';
import { describeError } from '../lib/describe-error.ts';

/** How long a second request with the same key waits for the first. */
const LONGEST_WAIT = 5_000;
/** How long an answer waits for the platform's id of the gift, which analytics like to have. */
const RECORDING_GRACE = 1_000;
/**
 * How many answers wait for it at a time: where more gifts come, the platform is behind, and donors
 * do not wait for that.
 */
const MOST_WAITING = 8;
/** A charge whose request died is looked up after this. */
const LOOK_UP_AFTER = 20_000;

export interface DonationServiceOptions {
  readonly repository: DonationRepository;
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
export class DonationService {
  readonly #repository: DonationRepository;
  #organization: Organization;
  readonly #paymentService: PaymentService;
  readonly #outboxRelay: OutboxRelay;
  readonly #isServerless: boolean;
  readonly #now: () => number;
  readonly #log: Logger;
  #waitingCount = 0;

  constructor({ repository, organization, isDrained = false, log, now }: DonationServiceOptions) {
    const { id } = organization;
    this.#repository = repository;
    this.#organization = organization;
    this.#isServerless = isDrained;
    this.#now = now;
    this.#log = log;
    this.#outboxRelay = new OutboxRelay({
      organization: id,
      repository,
      recorder: () => this.#organization.recorder,
      budget: () => this.#organization.budget,
      log,
      now,
    });
    this.#paymentService = new PaymentService({
      organization: id,
      repository,
      gatewayOf: (provider) => this.#organization.payments.get(provider)?.gateway,
      onChange: () => void this.#wakeOutbox(),
      log,
      now,
    });
  }

  /** Takes the organisation as it is configured from now on. */
  reconfigure(organization: Organization): void {
    this.#organization = organization;
    void this.#retryWithNewKey();
  }

  async #retryWithNewKey(): Promise<void> {
    try {
      if (await this.#outboxRelay.retryWithNewKey()) await this.#wakeOutbox();
    } catch (error) {
      this.#log.error(
        { organization: this.#organization.id, ...describeError(error) },
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
    this.#wakePayments();
    void this.#wakeOutbox();
  }

  /**
   * Works off what is due, and does not come back.
   * @param until nothing is begun once it is aborted.
   * @throws where the store does not answer.
   */
  async runDue(until: AbortSignal): Promise<{ readonly lookedUp: number; readonly told: number }> {
    return {
      lookedUp: await this.#paymentService.runDue(until),
      told: await this.#outboxRelay.runDue(until),
    };
  }

  /** Ends after the calls that are under way. */
  async stop(): Promise<void> {
    await Promise.all([this.#paymentService.stop(), this.#outboxRelay.stop()]);
  }

  /**
   * Accepts a gift, charges it and answers.
   * @param request one that the definition allows.
   * @param keyHash SHA-256 of the idempotency key.
   * @throws {Problem} unavailable, with nothing charged, where the gift cannot be kept.
   */
  async create(
    request: DonationRequest,
    definition: FormDefinition,
    keyHash: string,
  ): Promise<Outcome> {
    const payment = this.#organization.payments.get(request.payment.provider)!;
    const gift = {
      reference: newReference(),
      idempotency_key_hash: keyHash,
      fingerprint: fingerprintOf(request),
      organization: this.#organization.id,
      payload: createPayload(request, definition, payment),
    };
    const accepted = await (
      payment.isPledge
        ? this.#repository.insertPledge(gift)
        : this.#repository.insert({ ...gift, dueAt: this.#now() + LOOK_UP_AFTER })
    ).catch((cause: unknown) => {
      throw new Problem(
        'unavailable',
        'The gift could not be kept, so nothing was charged. Send it again with the same Idempotency-Key.',
        { cause },
      );
    });
    if (accepted?.state === 'pending') void this.#wakeOutbox();
    if (accepted)
      return this.#answer(
        accepted,
        accepted.state === 'pending'
          ? Promise.resolve({ donation: accepted })
          : this.#paymentService.charge(accepted, paymentInputOf(request)),
      );
    const known = await this.#repository.findByKeyHash(keyHash);
    if (!known) throw new Error('the journal has no gift under a key that is taken');
    return this.resume(known, request);
  }

  /**
   * Answers a request whose key was accepted before: it waits for the first, or goes on where that
   * was cut off.
   * @throws {Problem} idempotency-key-reused.
   */
  async resume(row: Donation, request: DonationRequest): Promise<Outcome> {
    if (!isSameRequest(row, request)) {
      throw new Problem(
        'idempotency-key-reused',
        'This Idempotency-Key belongs to a gift with other content, by another donor or on another form. Ask GET /donations what became of that one, or send this gift under a new key.',
      );
    }
    if (row.state === 'action') return this.confirm(row);
    if (row.state !== 'charging') return this.#answer(row, Promise.resolve({ donation: row }));
    return this.#answerInTime(row, this.#paymentService.resume(row, paymentInputOf(request)));
  }

  /** Asks the processor what became of a gift whose donor had something to do. */
  confirm(row: Donation): Promise<Outcome> {
    const isUnderWay = row.state === 'charging' || row.state === 'action';
    return isUnderWay
      ? this.#answerInTime(row, this.#paymentService.retrieve(row))
      : this.#answer(row, Promise.resolve({ donation: row }));
  }

  /** Ends a gift whose donor does not do what was asked for. */
  cancel(row: Donation): Promise<Outcome> {
    return this.#answer(
      row,
      row.state === 'action'
        ? this.#paymentService.cancel(row)
        : Promise.resolve({ donation: row }),
    );
  }

  /**
   * Keeps what a payment provider tells of gifts after they were given.
   * @param isLate it should have been told long ago.
   */
  async applyPaymentEvents(
    provider: string,
    paymentEvents: readonly PaymentEvent[],
    isLate = false,
  ): Promise<void> {
    await applyPaymentEvents(paymentEvents, {
      isLate,
      organization: this.#organization.id,
      provider,
      repository: this.#repository,
      charging: this.#paymentService,
      log: this.#log,
    });
    void this.#wakeOutbox();
  }

  #wakePayments(): void {
    if (!this.#isServerless) this.#paymentService.wake();
  }

  async #wakeOutbox(): Promise<void> {
    this.#repository.outboundWebhooks?.wake(this.#organization.id);
    if (!this.#isServerless) await this.#outboxRelay.wake();
  }

  /** Asks the processor now what became of a gift's payment. */
  async sync(row: Donation): Promise<Donation> {
    try {
      return (await this.#paymentService.refresh(row)).donation;
    } finally {
      this.#wakePayments();
    }
  }

  #answerInTime(row: Donation, step: Promise<PaymentResult>): Promise<Outcome> {
    return this.#answer(
      row,
      Promise.race([step, setTimeout(LONGEST_WAIT, { donation: row }, { ref: false })]),
    );
  }

  async #answer({ reference }: Donation, step: Promise<PaymentResult>): Promise<Outcome> {
    let done: PaymentResult | undefined;
    try {
      done = await step;
    } finally {
      if (!done || done.donation.state === 'charging' || done.donation.state === 'action')
        this.#wakePayments();
    }
    const { donation: row, action } = done;
    if (row.state !== 'charged' || this.#waitingCount >= MOST_WAITING)
      return toOutcome(row, action);
    this.#waitingCount += 1;
    await Promise.race([
      this.#wakeOutbox(),
      setTimeout(RECORDING_GRACE, undefined, { ref: false }),
    ]);
    this.#waitingCount -= 1;
    return toOutcome((await this.#repository.findByReference(reference)) ?? row);
  }
}

function paymentInputOf({ payment: { token, returnUrl } }: DonationRequest): {
  readonly token: string | undefined;
  readonly returnUrl: string | undefined;
} {
  return { token, returnUrl };
}
