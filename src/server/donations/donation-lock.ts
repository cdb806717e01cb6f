import { setTimeout } from 'node:timers/promises';
import type { Donation } from '../database/schema.ts';
import type { DonationRepository } from './donation-repository.ts';
import type { PaymentResult } from './sync-donation.ts';

/**
 * Interval at which this server polls the database for another server's result, in milliseconds.
 */
const POLL_INTERVAL = 200;

/**
 * Duration of a lock for a check that only looks a charge up, in milliseconds. Two servers may do
 * that at the same time. If a server is killed during the check, a person sees an uncertain donation
 * sooner than after a full lock.
 */
const LOOKUP_LOCK_DURATION = 20_000;

type Operation = () => Promise<PaymentResult>;

/** Keeps a donation from having two payment operations at the same time, also on two servers. */
export class DonationLock {
  readonly #repository: DonationRepository;
  readonly #now: () => number;
  /** This server's operations in progress, keyed by reference. */
  readonly #operations = new Map<string, Promise<PaymentResult>>();

  constructor(repository: DonationRepository, now: () => number) {
    this.#repository = repository;
    this.#now = now;
  }

  isHeld({ reference }: Donation): boolean {
    return this.#operations.has(reference);
  }

  /** Starts the operation. If one is in progress on this donation, returns its result instead. */
  run({ reference }: Donation, operation: Operation): Promise<PaymentResult> {
    const running = this.#operations.get(reference);
    if (running) return running;
    const result = operation().finally(() => this.#operations.delete(reference));
    this.#operations.set(reference, result);
    return result;
  }

  /** Waits for the operation in progress, and then runs the given one on the current donation. */
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

  /**
   * Locks a donation for this server in the database.
   * @returns `undefined` if the donation has changed or another server has locked it.
   */
  claim(donation: Donation, isLookupOnly: boolean): Promise<Donation | undefined> {
    return this.#repository.claimForPaymentCheck(
      donation,
      isLookupOnly ? LOOKUP_LOCK_DURATION : undefined,
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
