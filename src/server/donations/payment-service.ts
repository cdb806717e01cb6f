import { setTimeout } from 'node:timers/promises';
import type { Donation } from '../database/schema.ts';
import { PollingWorker } from '../jobs/polling-worker.ts';
import { Problem } from '../lib/problem.ts';
import { chargeDonation, resumeCharge } from './charge-donation.ts';
import type { DonationRepository } from './donation-repository.ts';
import { IN_PROGRESS } from './payment-decisions.ts';
import {
  applyPayment,
  chargesInOneCall,
  getGateway,
  type PaymentResult,
  postponeDueCheck,
  type SyncContext,
  syncDonation,
} from './sync-donation.ts';
import { getPaymentIds, type PaymentInput } from './to-payment-request.ts';

/** Charges each donation once, and finds the outcome of late payments and lost responses. */
export class PaymentService {
  readonly #context: SyncContext;
  readonly #lock: DonationLock;
  readonly #worker: PollingWorker<Donation>;
  #lookupCount = 0;

  constructor(context: SyncContext) {
    const { organization, repository, now } = context;
    this.#context = context;
    this.#lock = new DonationLock(repository, now);
    this.#worker = new PollingWorker({
      ...context,
      listDue: (limit) => repository.listDueForPaymentCheck(organization, IN_PROGRESS, limit),
      findNextDueTime: () => repository.findNextPaymentCheckTime(organization, IN_PROGRESS),
      handle: (donation) =>
        this.#lock.run(donation, () => {
          this.#lookupCount += 1;
          return syncDonation(donation, context);
        }),
      claim: repository.isShared ? (donation) => this.#claim(donation) : undefined,
    });
  }

  wakeWorker(): void {
    void this.#worker.wake();
  }

  /** @returns the number of payments checked. */
  checkDuePayments(stop: AbortSignal): Promise<number> {
    return this.#worker.handleDueRows(stop, () => this.#lookupCount);
  }

  async stopWorker(): Promise<void> {
    await this.#worker.stop();
    await this.#lock.waitForOperations();
  }

  chargeDonation(donation: Donation, input: PaymentInput): Promise<PaymentResult> {
    return this.#lock.run(donation, () => chargeDonation(donation, input, this.#context));
  }

  /** Resumes an interrupted charge, or waits for the server that is charging the donation. */
  async resumeCharge(donation: Donation, input: PaymentInput): Promise<PaymentResult> {
    const isOwn = !this.#context.repository.isShared || this.#lock.isHeld(donation);
    const claimed = isOwn ? donation : await this.#claim(donation);
    if (!claimed) return { donation: await this.#lock.waitForOtherServer(donation) };
    return this.#lock.run(donation, () => resumeCharge(claimed, input, this.#context));
  }

  /**
   * Updates a donation from the provider's record, or returns the result of the operation in
   * progress.
   */
  syncDonation(donation: Donation): Promise<PaymentResult> {
    return this.#lock.run(donation, () => syncDonation(donation, this.#context, postponeDueCheck));
  }

  /** First waits for any operation in progress, because it may use older data. */
  syncLatestDonation(donation: Donation): Promise<PaymentResult> {
    return this.#lock.runNext(donation, (current) =>
      syncDonation(current, this.#context, postponeDueCheck),
    );
  }

  /** @returns the failed donation, or the charged donation if it is too late to cancel. */
  cancelPayment(donation: Donation): Promise<PaymentResult> {
    return this.#lock.runNext(donation, async (current) => {
      if (current.status !== 'requires_action') return { donation: current };
      const payment = await getGateway(current, this.#context)
        .cancelPayment(getPaymentIds(current))
        .catch((cause: unknown) => {
          throw new Problem(
            'unavailable',
            'The payment provider did not confirm that the payment was canceled. Try again later.',
            { cause },
          );
        });
      return applyPayment(current, payment, this.#context);
    });
  }

  /** @returns `undefined` if the donation has changed or another server has locked it. */
  #claim(donation: Donation): Promise<Donation | undefined> {
    const isLookupOnly = donation.paymentId !== null && chargesInOneCall(donation, this.#context);
    return this.#context.repository.claimForPaymentCheck(
      donation,
      isLookupOnly ? LOOKUP_LOCK_DURATION : undefined,
    );
  }
}

/** Interval of polling for another server's result, in milliseconds. */
const POLL_INTERVAL = 200;

/** In milliseconds. Short, because two servers may look a charge up at the same time. */
const LOOKUP_LOCK_DURATION = 20_000;

type Operation = () => Promise<PaymentResult>;

/** Keeps a donation from having two payment operations at the same time, also on two servers. */
class DonationLock {
  readonly #repository: DonationRepository;
  readonly #now: () => number;
  /** By reference. */
  readonly #operations = new Map<string, Promise<PaymentResult>>();

  constructor(repository: DonationRepository, now: () => number) {
    this.#repository = repository;
    this.#now = now;
  }

  isHeld({ reference }: Donation): boolean {
    return this.#operations.has(reference);
  }

  /** Starts the operation, or returns the result of the one in progress on this donation. */
  run({ reference }: Donation, operation: Operation): Promise<PaymentResult> {
    const running = this.#operations.get(reference);
    if (running) return running;
    const result = operation().finally(() => this.#operations.delete(reference));
    this.#operations.set(reference, result);
    return result;
  }

  async runNext(
    seen: Donation,
    operation: (current: Donation) => Promise<PaymentResult>,
  ): Promise<PaymentResult> {
    const { reference } = seen;
    while (this.#operations.has(reference))
      await this.#operations.get(reference)?.catch(() => undefined);
    return this.run(seen, async () =>
      operation((await this.#repository.findByReference(reference)) ?? seen),
    );
  }

  /** Waits until another server has charged the donation or that server's lock expires. */
  async waitForOtherServer(donation: Donation): Promise<Donation> {
    let latest = donation;
    while (latest.status === 'unconfirmed' && this.#now() < latest.lockedUntil) {
      await setTimeout(POLL_INTERVAL, undefined, { ref: false });
      latest = (await this.#repository.findByReference(donation.reference)) ?? latest;
    }
    return latest;
  }

  async waitForOperations(): Promise<void> {
    await Promise.allSettled(this.#operations.values());
  }
}
