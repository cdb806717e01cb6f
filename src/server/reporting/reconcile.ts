import { majorUnits } from '@donation-form/core/money';
import type { Logger } from '../lib/logger.ts';
import type { DonationService } from '../donations/donation-service.ts';
import type { DonationRepository } from '../donations/donation-repository.ts';
import { totalOf } from '../donations/total.ts';
import type { Organization } from '../organizations/organization.ts';
import type { PaymentEvent, PaymentGateway, PaymentHistory } from '../payments/payment-gateway.ts';
import { GiftRejectedError } from '../platform/platform-adapter.ts';
import { isReference } from '../donations/reference.ts';
import { describeError } from '../lib/describe-error.ts';
import type { Database } from '../database/database.ts';
import type { EventRow, Donation } from '../database/schema.ts';
import { entriesOf, stateOf, withEvents, type Entry } from './ledger-entries.ts';
import { comparePayment, renewalIn } from './compare-payment.ts';
import { comparePlatform, LookUps, type PlatformSide } from './compare-platform.ts';
import { mismatch, duplicate, isRecent, missing, inProgress, type Finding } from './differences.ts';
import type { Period } from '../lib/period.ts';
import type { ReportLine } from './report.ts';
import { bookRow, isInBooks } from './ledger-rows.ts';
import { StagingDatabase, type StagedPayment } from './staging-database.ts';

const DAY = 86_400_000;
/**
 * How far beyond a time the others' lists are read: clocks differ, a charge comes after its gift
 * was accepted, and a platform is told later still.
 */
const MARGIN = DAY;
const PLATFORM_MARGIN = 7 * DAY;
/** After how many listed payments or gifts the report says that it goes on. */
const PROGRESS = 1_000;

export interface ReconcileOptions {
  readonly organization: Organization;
  readonly donations: DonationService;
  readonly repository: DonationRepository;
  readonly store: Database;
  readonly log: Logger;
  readonly now: () => number;
}

export interface ReconcileOrder {
  readonly period: Period;
  /** Whether what webhooks should have told is taken into the journal. */
  readonly takes: boolean;
  /** Whether each gift is told, and not only what differs. */
  readonly hasRows: boolean;
}

/**
 * Compares what the processors, the journal and the platform say of an organisation's gifts in a
 * time.
 * A gift belongs to the day on which the journal accepted it; what the journal does not know, to
 * the day that the others say. So each counts once, however their clocks go.
 */
export async function* reconcile(
  order: ReconcileOrder,
  options: ReconcileOptions,
): AsyncGenerator<ReportLine> {
  using scratch = new StagingDatabase();
  let gifts = 0;
  let differences = 0;
  for await (const line of new Reconciliation(order, options, scratch).lines()) {
    if (line.kind === 'difference' || (line.kind === 'not-compared' && line.isFailure))
      differences += 1;
    if (line.kind === 'row') gifts += 1;
    if (line.kind !== 'row' || order.hasRows) yield line;
  }
  yield { kind: 'end', gifts, differences };
}

class Reconciliation {
  readonly #order: ReconcileOrder;
  readonly #options: ReconcileOptions;
  readonly #scratch: StagingDatabase;
  readonly #now: number;
  /** The providers whose payments are in the scratch. */
  readonly #gateways = new Map<string, PaymentGateway>();
  #platform: PlatformSide | undefined;
  /** Somebody did not answer, so that there may be renewals which are not known. */
  #hasFailed = false;

  constructor(order: ReconcileOrder, options: ReconcileOptions, scratch: StagingDatabase) {
    this.#order = order;
    this.#options = options;
    this.#scratch = scratch;
    this.#now = options.now();
  }

  async *lines(): AsyncGenerator<ReportLine> {
    const {
      store,
      organization: { id },
    } = this.#options;
    for (const [provider, { gateway }] of this.#options.organization.payments)
      yield* this.#listPayments(provider, gateway);
    yield* this.#listGifts();
    for await (const page of entriesOf(store.db, id, this.#order.period))
      for (const entry of page) yield* this.#compare(entry);
    for (const payment of this.#scratch.unseenPayments()) yield* this.#compareUnknown(payment);
    yield* this.#compareUnknownGifts();
    yield* this.#omitted();
    const {
      takes,
      period: { from, to },
    } = this.#order;
    if (takes && !this.#hasFailed && to > this.#now)
      await this.#options.repository.clearRestoredMark(id, from);
  }

  async *#listPayments(provider: string, gateway: PaymentGateway): AsyncGenerator<ReportLine> {
    const { from, to } = this.#order.period;
    if (!gateway.list || !gateway.listEvents) {
      if (provider !== 'offline')
        yield {
          kind: 'not-compared',
          where: 'processor',
          why: `payments by ${provider} cannot be listed`,
          isFailure: false,
        };
      return;
    }
    let listed = 0;
    try {
      for await (const payment of gateway.list(new Date(from - MARGIN), new Date(to + MARGIN))) {
        this.#scratch.addPayment({ ...payment, provider });
        listed += 1;
        if (listed % PROGRESS === 0) yield { kind: 'progress', listed };
      }
      this.#gateways.set(provider, gateway);
    } catch (error) {
      yield this.#failed('processor', `${provider} did not list its payments`, error);
    }
  }

  async *#listGifts(): AsyncGenerator<ReportLine> {
    const { reader } = this.#options.organization;
    const { from, to } = this.#order.period;
    const lookUps = new LookUps(reader);
    if (reader.isNone) return;
    if (!reader.listGifts) {
      if (lookUps.isPossible) this.#platform = { lookUps, now: this.#now };
      else
        yield {
          kind: 'not-compared',
          where: 'platform',
          why: 'the configuration has neither recorder.list nor recorder.find',
          isFailure: false,
        };
      return;
    }
    const period = { from: from - MARGIN, to: to + PLATFORM_MARGIN };
    let listed = 0;
    try {
      for await (const gift of reader.listGifts(new Date(period.from), new Date(period.to))) {
        this.#scratch.addGift(gift);
        listed += 1;
        if (listed % PROGRESS === 0) yield { kind: 'progress', listed };
      }
      this.#platform = {
        listed: { giftsUnder: (reference) => this.#scratch.takeGifts(reference), period },
        lookUps,
        now: this.#now,
      };
    } catch (error) {
      yield this.#failed('platform', 'it did not list its gifts', error);
    }
  }

  /** Compares one gift or renewal with both others, and tells its row. */
  async *#compare(given: Entry): AsyncGenerator<ReportLine> {
    const gateway = this.#gateways.get(given.provider);
    const payment = gateway && this.#paymentOf(given);
    let entry = given;
    let findings = gateway
      ? await this.#ask(
          () =>
            comparePayment(entry, payment, {
              gateway,
              repository: this.#options.repository,
              now: this.#now,
            }),
          given.reference,
        )
      : [];
    if (
      gateway &&
      this.#order.takes &&
      findings.some(({ kind }) => kind === 'difference') &&
      (payment || entry.paymentId !== null)
    ) {
      yield* this.#take(entry.provider, entry, payment?.paymentId ?? entry.paymentId!, gateway);
      entry = await this.#anew(entry);
      findings = await this.#ask(
        () =>
          comparePayment(entry, payment, {
            gateway,
            repository: this.#options.repository,
            now: this.#now,
          }),
        given.reference,
      );
    }
    if (isInBooks(entry))
      yield { kind: 'row', row: bookRow(entry, this.#options.organization.timeZone, payment) };
    yield* findings;
    const platform = this.#platform;
    if (platform) yield* await this.#ask(() => comparePlatform(entry, platform), given.reference);
  }

  /**
   * The listed payment of an entry: by its id, or where the journal knows of none that took money,
   * by its reference.
   */
  #paymentOf(entry: Entry): StagedPayment | undefined {
    const { provider, paymentId, reference, renewal } = entry;
    const found = paymentId === null ? undefined : this.#scratch.takePayment(provider, paymentId);
    const isOpen = !renewal && stateOf(entry) !== 'charged' && stateOf(entry) !== 'pending';
    return found ?? (isOpen ? this.#scratch.takePaymentsUnder(provider, reference)[0] : undefined);
  }

  /** A payment that is listed and of which no gift of this time is. */
  async *#compareUnknown(payment: StagedPayment): AsyncGenerator<ReportLine> {
    const {
      repository,
      organization: { id },
    } = this.#options;
    const { provider, paymentId, reference, at } = payment;
    const gateway = this.#gateways.get(provider);
    if (
      !gateway ||
      (await repository.findByPayment(id, paymentId)) ||
      (await repository.outbox.findRenewalByPayment(id, paymentId))
    )
      return;
    const under = reference === undefined ? undefined : await repository.findByReference(reference);
    if (under) {
      if (under.organization === id && payment.state === 'succeeded')
        yield this.#compareSecond(under, payment);
      return;
    }
    const { from, to } = this.#order.period;
    const time = at.getTime();
    if (time < from || time >= to) return;
    try {
      const trace = await gateway.listEvents!(paymentId);
      const renewal = renewalIn(trace);
      const first = renewal && (await repository.findBySubscription(id, renewal.subscriptionId));
      if (first) yield* this.#compareLostRenewal(first, payment, gateway);
      else yield* this.#missingGift(trace, payment);
    } catch (error) {
      yield this.#failed(
        'processor',
        `${provider} did not say where payment ${paymentId} came from`,
        error,
      );
    }
  }

  /**
   * A second payment under the reference of a gift that the journal has with another one, or
   * without any.
   */
  #compareSecond(
    { reference, state, payment_id: known }: Donation,
    { paymentId, at }: StagedPayment,
  ): Finding {
    if (state === 'charged' || state === 'pending')
      return duplicate('processor', reference, `${known ?? ''}, ${paymentId}`);
    if (isRecent(at.getTime(), this.#now))
      return inProgress(
        reference,
        `the processor says succeeded (${paymentId}), the journal ${state}`,
      );
    return mismatch('journal', reference, 'status', state, `succeeded (${paymentId})`);
  }

  /**
   * A renewal that the journal does not know. Of a young one the webhook is on its way. In a copy
   * of the store webhooks wait, and all renewals since then are taken in their order,
   * so that each gets the number under which the platform may know it.
   */
  async *#compareLostRenewal(
    first: Donation,
    payment: StagedPayment,
    gateway: PaymentGateway,
  ): AsyncGenerator<ReportLine> {
    const {
      repository,
      store,
      organization: { id },
    } = this.#options;
    const { provider, paymentId, at, total, currency } = payment;
    const { restored_at: copiedAt } = first;
    const mayYetBeTold = copiedAt === null && isRecent(at.getTime(), this.#now);
    const isTooLate = copiedAt !== null && (copiedAt < this.#order.period.from || this.#hasFailed);
    if (this.#order.takes && !mayYetBeTold && !isTooLate) {
      yield* this.#take(provider, undefined, paymentId, gateway);
      const renewal = await repository.outbox.findRenewalByPayment(id, paymentId);
      const [entry] = renewal ? await withEvents(store.db, [{ first, renewal }]) : [];
      if (entry) {
        yield* this.#compare(entry);
        return;
      }
    }
    const words = `${majorUnits(total, totalOf(first).decimals)} ${currency} (${paymentId})`;
    const found = isTooLate
      ? 'not heard of; the renewals since the store was copied are taken in one go'
      : 'not heard of';
    yield mayYetBeTold
      ? inProgress(first.reference, `a renewal of ${words}`)
      : missing('journal', first.reference, 'renewal', found, words);
  }

  *#missingGift(
    { reference }: PaymentHistory,
    { paymentId, at, state, total, currency }: StagedPayment,
  ): Generator<Finding> {
    if (reference === undefined || !isReference(reference)) return;
    yield isRecent(at.getTime(), this.#now)
      ? inProgress(reference, `the processor says ${state}`)
      : missing(
          'journal',
          reference,
          'gift',
          'nothing under this reference',
          `${total} minor units of ${currency} ${state} (${paymentId})`,
        );
  }

  async *#compareUnknownGifts(): AsyncGenerator<ReportLine> {
    const { repository } = this.#options;
    const { from, to } = this.#order.period;
    for (const { reference, platformId, at } of this.#scratch.unseenGifts()) {
      if (at && (at.getTime() < from || at.getTime() >= to)) continue;
      if (
        !isReference(reference) ||
        (await repository.findByReference(reference)) ||
        (await repository.outbox.findGiftEvent(reference))
      )
        continue;
      yield missing(
        'journal',
        reference,
        'gift',
        'nothing under this reference',
        `${platformId} at the platform`,
      );
    }
  }

  *#omitted(): Generator<ReportLine> {
    const { omitted = 0, failure, isPossible } = this.#platform?.lookUps ?? {};
    if (omitted === 0) return;
    const reason = isPossible
      ? 'the calls for that were used up'
      : 'they were recorded outside of the time that it listed';
    const why = failure === undefined ? reason : `a look-up failed (${failure})`;
    yield {
      kind: 'not-compared',
      where: 'platform',
      why: `${omitted} gifts: ${why}`,
      isFailure: failure !== undefined,
    };
  }

  /** Takes into the journal what a payment's webhooks should have told. */
  async *#take(
    provider: string,
    entry: Entry | undefined,
    paymentId: string,
    gateway: PaymentGateway,
  ): AsyncGenerator<ReportLine> {
    try {
      yield* await this.#keep(provider, entry, paymentId, gateway);
    } catch (error) {
      yield this.#failed(
        'processor',
        `what ${provider} says of payment ${paymentId} was not taken`,
        error,
      );
    }
  }

  async #keep(
    provider: string,
    entry: Entry | undefined,
    paymentId: string,
    gateway: PaymentGateway,
  ): Promise<ReportLine[]> {
    const { donations, repository } = this.#options;
    const known = entry?.renewal ? undefined : entry?.first;
    const { events: paymentEvents } = await gateway.listEvents!(paymentId);
    const unknown: PaymentEvent[] = [];
    const taken: ReportLine[] = [];
    for (const paymentEvent of paymentEvents)
      if (
        'id' in paymentEvent &&
        paymentEvent.kind !== 'recurring' &&
        !(await repository.outbox.findById(paymentEvent.id))
      )
        unknown.push(paymentEvent);
    await donations.applyPaymentEvents(
      provider,
      paymentEvents.map((paymentEvent) =>
        paymentEvent.kind === 'payment' && known?.payment_id != null
          ? { ...paymentEvent, paymentId: known.payment_id }
          : paymentEvent,
      ),
      true,
    );
    if (known?.state === 'declined' && known.payment_id === null)
      await repository.markNeedsReview(
        known,
        { payment_id: paymentId, subscription_id: null, payment_method: null },
        `the processor charged it after the journal had given it up (${paymentId}): record it, or pay it back`,
      );
    for (const paymentEvent of unknown) {
      const event =
        'id' in paymentEvent ? await repository.outbox.findById(paymentEvent.id) : undefined;
      if (event) taken.push({ kind: 'taken', gift: event.reference, what: event.kind });
    }
    const state = known && (await repository.findByReference(known.reference))?.state;
    if (known && state && state !== known.state)
      taken.push({ kind: 'taken', gift: known.reference, what: `${known.state} is ${state}` });
    return taken;
  }

  /** An entry as it is now. */
  async #anew({ first: { reference }, renewal }: Entry): Promise<Entry> {
    const first = await this.#options.repository.findByReference(reference);
    return (
      await withEvents(this.#options.store.db, [
        { first: first!, ...(renewal && { renewal: renewal satisfies EventRow }) },
      ])
    )[0]!;
  }

  /** What a comparison finds; where somebody did not answer, that. */
  async #ask(compare: () => Promise<Finding[]>, reference: string): Promise<ReportLine[]> {
    try {
      return await compare();
    } catch (error) {
      return [this.#failed('processor', `gift ${reference} was not compared`, error)];
    }
  }

  #failed(where: 'processor' | 'platform', what: string, error: unknown): ReportLine {
    const about = describeError(error);
    this.#hasFailed = true;
    this.#options.log.error({ where, ...about }, 'a reconciliation was not answered');
    const why =
      error instanceof GiftRejectedError && error.isDeferred
        ? `: ${error.message}. Ask again after ${error.retryAt!.toISOString()}`
        : ` (${about.error}${about.status === undefined ? '' : ` ${about.status}`})`;
    return { kind: 'not-compared', where, why: `${what}${why}`, isFailure: true };
  }
}
