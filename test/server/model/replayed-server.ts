import type { Donation } from '../../../src/server/database/schema.ts';
import type { DonationRepository } from '../../../src/server/donations/donation-repository.ts';
import { OutboxRelay } from '../../../src/server/donations/outbox-relay.ts';
import { PaymentService } from '../../../src/server/donations/payment-service.ts';
import { recordPaymentEvents } from '../../../src/server/donations/record-payment-events.ts';
import { createLogger } from '../../../src/server/lib/logger.ts';
import type { Payment, PaymentGateway } from '../../../src/server/payments/payment-gateway.ts';
import type { ApiQuota } from '../../../src/server/platform/api-quota.ts';
import type { PlatformAdapter } from '../../../src/server/platform/platform-adapter.ts';
import { Thread } from './thread.ts';

const WRITES: readonly string[] = [
  'applyTrigger',
  'markApproved',
  'postponePaymentCheck',
  'insertEntries',
  'markDispatched',
  'markDelivered',
  'markDeliveredAsUnnecessary',
  'markForReview',
  'postponeEntry',
];
/** Backoff after a failed call to the platform, in milliseconds. */
const BACKOFF = 2_000;
const LOG = createLogger('silent');
export const PROVIDER = 'test';

/** Amount of the donation, in minor units. */
export const TOTAL = 5_000;

/** One server: its payment operations and its relay, each of which stops at every call and write. */
export class ReplayedServer {
  readonly payments = new Thread();
  readonly relay = new Thread();
  readonly service: PaymentService;
  readonly relayEvents: OutboxRelay;
  /** Kinds of the event that the relay claims next. */
  eventKinds: readonly string[] = [];
  readonly #paymentRepository: DonationRepository;
  readonly #organization: string;
  #stop = new AbortController();

  constructor({
    repository,
    organization,
    hasLookup,
    now,
  }: {
    readonly repository: DonationRepository;
    readonly organization: string;
    readonly hasLookup: boolean;
    readonly now: () => number;
  }) {
    this.#organization = organization;
    this.#paymentRepository = this.#stopAtWrites(repository, this.payments);
    const options = { organization, log: LOG, now };
    this.service = new PaymentService({
      ...options,
      repository: this.#paymentRepository,
      findGateway: () => this.#createGateway(),
      wakeDelivery: () => undefined,
    });
    const quota = {
      extendBackoff: async () => now() + BACKOFF,
      endBackoff: async () => undefined,
    };
    this.relayEvents = new OutboxRelay({
      ...options,
      repository: this.#stopAtWrites(repository, this.relay),
      platform: () => this.#createPlatform(hasLookup),
      quota: () => quota as unknown as ApiQuota,
    });
  }

  /** Returns a signal with which a worker handles the row that it claims, and no other. */
  stopAfterClaim(): AbortSignal {
    this.#stop = new AbortController();
    return this.#stop.signal;
  }

  recordEvent({ paymentId }: Donation, kind: 'payment' | 'refund'): Promise<void> {
    const event =
      kind === 'payment'
        ? { kind, paymentId: paymentId! }
        : {
            kind,
            id: `refund ${this.#organization}`,
            paymentId: paymentId!,
            amount: TOTAL,
            refunded: TOTAL,
            at: new Date(0),
          };
    return recordPaymentEvents([event], {
      organization: this.#organization,
      provider: PROVIDER,
      repository: this.#paymentRepository,
      paymentService: this.service,
      log: LOG,
    });
  }

  /** Wraps a repository so that writes wait, and so that workers claim rows as with PostgreSQL. */
  #stopAtWrites<Repository extends object>(repository: Repository, thread: Thread): Repository {
    return new Proxy(repository, {
      get: (target, name: string) => {
        if (name === 'isShared') return true;
        const value: unknown = Reflect.get(target, name, target);
        if (name === 'outbox') return this.#stopAtWrites(value as object, thread);
        if (typeof value !== 'function') return value;
        return (...values: unknown[]) => {
          const run = (): Promise<unknown> =>
            Reflect.apply(value, target, values) as Promise<unknown>;
          if (WRITES.includes(name)) return thread.stopAt('write', name, run);
          return this.#runRead(name, run);
        };
      },
    });
  }

  async #runRead(name: string, run: () => Promise<unknown>): Promise<unknown> {
    const result = await run();
    if (name.startsWith('claim')) this.#stop.abort();
    return name === 'listDueEntries'
      ? (result as { kind: string }[]).filter(({ kind }) => this.eventKinds.includes(kind))
      : result;
  }

  #createGateway(): PaymentGateway {
    const call = (name: string) => () =>
      this.payments.stopAt('call', name, () => Promise.resolve()) as Promise<Payment>;
    let retrieved: Payment | undefined;
    return {
      createPayment: call('createPayment'),
      chargePayment: call('chargePayment'),
      retrievePayment: async () => (retrieved = await call('retrievePayment')()),
      // In the model, a failed payment needs no cancellation.
      cancelPayment: async () =>
        retrieved?.status === 'failed' ? retrieved : call('cancelPayment')(),
    };
  }

  #createPlatform(hasLookup: boolean): PlatformAdapter {
    const call = (name: string): Promise<unknown> =>
      this.relay.stopAt('call', name, () => Promise.resolve());
    return {
      createGift: () => call('createGift') as Promise<string>,
      updateGift: () => call('updateGift') as Promise<void>,
      ...(hasLookup && { findGiftId: () => call('findGiftId') as Promise<string | undefined> }),
    };
  }
}
