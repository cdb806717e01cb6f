import assert from 'node:assert/strict';
import { FundraisingError } from '../../../src/platform-clients/fundraising/index.ts';
import type { Database } from '../../../src/server/database/database.ts';
import type { Donation, DonationPayload } from '../../../src/server/database/schema.ts';
import { DonationRepository } from '../../../src/server/donations/donation-repository.ts';
import { NotChargedError, type Payment } from '../../../src/server/payments/payment-gateway.ts';
import { GiftNotCreatedError } from '../../../src/server/platform/platform-adapter.ts';
import { rethrowCreateError } from '../../../src/server/platform/rethrow-errors.ts';
import type { Step } from './actions.ts';
import { EVENT_STATUSES } from './changes.ts';
import {
  F,
  PAYMENTS,
  RELAY,
  S,
  type Scenario,
  SERVER,
  SERVER_SIZE,
  STATE_FIELDS,
  STATUSES,
  STEP,
  UPDATE_KINDS,
} from './layout.ts';
import { PROVIDER, ReplayedServer, TOTAL } from './replayed-server.ts';
import type { State } from './state.ts';
import { continueTo, type Point } from './thread.ts';

/** A step with the states of the model before and after it. */
export interface TracedStep extends Step {
  readonly before: State;
  readonly after: State;
}

const SECOND = 1_000;
const GIFT_ID = 7;

/** Steps at which an operation waits for a write. At the others, it waits for a call. */
const WRITE_STEPS: readonly number[] = [STEP.save, STEP.apply, STEP.saveRefund];
const RELAY_WRITE_STEPS: readonly number[] = [RELAY.dispatch, RELAY.save, RELAY.saveUpdate];

/** Replays a trace on two servers with a real database, and compares their states. */
export class Replay {
  readonly #database: Database;
  readonly #repository: DonationRepository;
  readonly #scenario: Scenario;
  readonly #organization: string;
  readonly #clock: { now: number };
  readonly #servers: ReplayedServer[] = [];

  constructor(
    database: Database,
    clock: { now: number },
    { scenario, name }: { readonly scenario: Scenario; readonly name: string },
  ) {
    this.#database = database;
    this.#repository = new DonationRepository(database);
    this.#scenario = scenario;
    this.#organization = name;
    this.#clock = clock;
  }

  async run(steps: readonly TracedStep[]): Promise<void> {
    this.#servers.push(this.#startServer(), this.#startServer());
    const row = (await this.#repository.insertDonation(this.#createDonation()))!;
    const [first] = this.#servers;
    first!.payments.start(() => first!.service.chargeDonation(row, this.#input));
    await first!.payments.settle();
    for (const [index, step] of steps.entries()) {
      const before = steps
        .slice(0, index + 1)
        .map(({ action, server }) => `${action} ${server + 1}`);
      await this.#perform(step);
      await this.#continueThreads(step, before.join(', '));
      assert.deepEqual(
        await this.#readState(),
        readModel(step.after),
        `after ${before.join(', ')}`,
      );
    }
  }

  get #input() {
    const token = this.#scenario.provider === 'page' ? undefined : 'token';
    return { token, returnUrl: undefined };
  }

  #startServer(): ReplayedServer {
    return new ReplayedServer({
      repository: this.#repository,
      organization: this.#organization,
      hasLookup: this.#scenario.hasLookup,
      now: () => this.#clock.now,
    });
  }

  async #perform({ action, server, before, after }: TracedStep): Promise<void> {
    const base = SERVER + server * SERVER_SIZE;
    const { payments, relay } = this.#servers[server]!;
    const replyWith = (status: number): void => payments.takePoint().resolve(toPayment(status));
    const replyToRelay = (value: unknown): void => relay.takePoint().resolve(value);
    switch (action) {
      case 'paymentCreated':
      case 'charged':
      case 'chargeAccepted':
      case 'chargeNeedsAction':
      case 'chargeDeclined':
      case 'chargeAnswered':
        return replyWith(action === 'paymentCreated' ? after[F.payment]! : after[base + S.result]!);
      case 'retrieved':
        return replyWith(before[F.payment]!);
      case 'canceled':
        return replyWith(after[base + S.result]!);
      case 'createLost':
      case 'createFailed':
      case 'chargedReplyLost':
      case 'chargeDelayed':
      case 'retrieveFailed':
      case 'cancelFailed':
        return payments.takePoint().reject(new Error('no reply'));
      case 'chargeRefused':
        return payments.takePoint().reject(new NotChargedError('refused'));
      case 'saved':
      case 'applied':
      case 'gaveUp':
      case 'refundSaved':
        return payments.runWrite();
      case 'giftFound':
      case 'giftCreated':
      case 'updateSent':
        return replyToRelay(GIFT_ID);
      case 'giftNotFound':
        return replyToRelay(undefined);
      case 'findFailed':
      case 'giftReplyLost':
      case 'giftDelayed':
      case 'updateReplyLost':
        return relay.takePoint().reject(new Error('no reply'));
      case 'giftUnavailable':
        return relay.takePoint().reject(createUnavailableError());
      case 'giftRefused':
        return relay.takePoint().reject(new GiftNotCreatedError('refused', { cause: undefined }));
      case 'dispatched':
      case 'claimLost':
      case 'deliverySaved':
        return relay.runWrite();
      case 'killed':
        this.#servers[server] = this.#startServer();
        return;
      case 'minute':
        await this.#passMinute();
        return;
      case 'halfDay':
        this.#clock.now += 13 * 3_600 * SECOND;
        return;
      default:
        return this.#startOperation({ action, server, before, after });
    }
  }

  async #startOperation({ action, server, before, after }: TracedStep): Promise<void> {
    const current = this.#servers[server]!;
    const { payments, relay, service } = current;
    const row = (await this.#repository.findByReference(this.#organization))!;
    switch (action) {
      case 'checkStarted':
        return payments.start(() => service.checkDuePayments(current.stopAfterClaim()));
      case 'donorRepeats':
        return payments.start(() => service.resumeCharge(row, this.#input));
      case 'donorPolls':
        return payments.start(() => service.syncDonation(row));
      case 'donorCancels':
        return payments.start(() => service.cancelPayment(row));
      case 'paymentWebhook':
        return payments.start(() => current.recordEvent(row, 'payment'));
      case 'refundWebhook':
        return payments.start(() => current.recordEvent(row, 'refund'));
      case 'relayClaims': {
        current.eventKinds = EVENT_KINDS[findClaimedEvent(before, after)]!;
        return relay.start(() => current.relayEvents.sendDueEntries(current.stopAfterClaim()));
      }
      default:
        // The provider, the bank, or the network did something that no server sees yet.
        return;
    }
  }

  /** A minute ends every claim, and every wait but that for a bank. */
  async #passMinute(): Promise<void> {
    const row = (await this.#repository.findByReference(this.#organization))!;
    const isShort = row.nextRunAt < this.#clock.now + 600 * SECOND;
    this.#clock.now = Math.max(this.#clock.now + 61 * SECOND, isShort ? row.nextRunAt : 0);
  }

  /** Lets the step's operation go on to where the model says that it is. */
  async #continueThreads({ server, after }: TracedStep, description: string): Promise<void> {
    const base = SERVER + server * SERVER_SIZE;
    const { payments, relay } = this.#servers[server]!;
    const step = after[base + S.step]!;
    const isGivingUp = step === STEP.cancelAfterCharge && this.#scenario.provider === 'page';
    const relayStep = after[base + S.relayStep]!;
    await continueTo(
      payments,
      step === STEP.idle ? undefined : getPointKind(isGivingUp || WRITE_STEPS.includes(step)),
      description,
    );
    await continueTo(
      relay,
      relayStep === RELAY.idle ? undefined : getPointKind(RELAY_WRITE_STEPS.includes(relayStep)),
      description,
    );
  }

  /** Reads the part of the state that the database holds. */
  async #readState(): Promise<ComparedState> {
    const row = (await this.#repository.findByReference(this.#organization))!;
    const events = await this.#database.db
      .selectFrom('outbox')
      .selectAll()
      .where('organization', '=', this.#organization)
      .execute();
    const gift = events.find(({ kind }) => kind === 'donation');
    return {
      status: row.status,
      hasPaymentId: row.paymentId !== null,
      gift: gift?.status,
      isDispatched: gift?.status === 'pending' && gift.dispatchedAt !== null,
      update: events.find(({ kind }) => kind.startsWith('payment_'))?.status,
      updateKind: events.find(({ kind }) => kind.startsWith('payment_'))?.kind,
      refunds: events.filter(({ kind }) => kind === 'refund').map(({ status }) => status),
    };
  }

  #createDonation() {
    return {
      reference: this.#organization,
      idempotencyKeyHash: this.#organization,
      fingerprint: '',
      organization: this.#organization,
      payload: PAYLOAD,
      dueAt: this.#clock.now + 20 * SECOND,
    };
  }
}

interface ComparedState {
  readonly status: Donation['status'] | undefined;
  readonly hasPaymentId: boolean;
  readonly gift: string | undefined;
  readonly isDispatched: boolean;
  readonly update: string | undefined;
  readonly updateKind: string | undefined;
  readonly refunds: readonly string[];
}

const EVENT_KINDS = [['donation'], ['payment_settled', 'payment_failed'], ['refund']] as const;

/** Returns the index of the event that a relay has claimed: its status or its next time changed. */
function findClaimedEvent(before: State, after: State): number {
  return STATE_FIELDS.findIndex(
    ({ status, due }) => before[status] !== after[status] || before[due] !== after[due],
  );
}

/** Reads the part of the model's state that the database holds. */
function readModel(state: State): ComparedState {
  const gift = EVENT_STATUSES[state[F.gift]!];
  const hasUpdate = state[F.update]! > 0;
  return {
    status: STATUSES[state[F.status]!],
    hasPaymentId: state[F.hasPaymentId] === 1,
    gift,
    isDispatched: gift === 'pending' && state[F.giftDispatch]! > 0,
    update: hasUpdate ? EVENT_STATUSES[state[F.update]!] : undefined,
    updateKind: hasUpdate ? UPDATE_KINDS[state[F.updateKind]!] : undefined,
    refunds: state[F.refunds]! > 0 ? [EVENT_STATUSES[state[F.refund]!]!] : [],
  };
}

function getPointKind(isWrite: boolean): Point['kind'] {
  return isWrite ? 'write' : 'call';
}

const PAYLOAD: DonationPayload = {
  gift: {
    amount: TOTAL,
    coveredFees: 0,
    total: TOTAL,
    currency: 'USD',
    frequency: 'once',
    projects: [],
  },
  donor: { firstName: 'Ana', lastName: 'Silva', email: 'ana@example.org' },
  form: { id: 'lanternwell', language: 'en', etag: '' },
  payment: { provider: PROVIDER, method: undefined },
  organization: 'Lanternwell',
  receiptSender: 'none',
  decimals: 2,
  isTest: true,
  projects: [],
} as unknown as DonationPayload;

function toPayment(status: number): Payment {
  return {
    paymentId: 'payment',
    status: PAYMENTS[status]!,
    total: TOTAL,
    currency: 'USD',
    ...(PAYMENTS[status] === 'failed' && { reason: 'not-confirmed' }),
  };
}

/** Creates the error of a platform adapter after a response with status 503. */
function createUnavailableError(): unknown {
  try {
    return rethrowCreateError(new FundraisingError('unavailable', 503, {}), [400, 404]);
  } catch (error) {
    return error;
  }
}
