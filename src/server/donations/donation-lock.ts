import { setTimeout } from 'node:timers/promises';
import type { Donation } from '../database/schema.ts';
import type { DonationRepository } from './donation-repository.ts';
import type { PaymentResult } from './sync-donation.ts';

/** Interval of polling for another server's result, in milliseconds. */
const POLL_INTERVAL = 200;

/**
 * Duration of a lock for a lookup, in milliseconds. Two servers may look a charge up at the same
 * time. Short, because after a kill, a person must wait for the lock to see the uncertain donation.
 */
const LOOKUP_LOCK_DURATION = 20_000;

type Operation = () => Promise<PaymentResult>;

/** Keeps a donation from having two payment operations at the same time, also on two servers. */
export class DonationLock {
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

  /** @returns `undefined` if the donation has changed or another server has locked it. */
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
