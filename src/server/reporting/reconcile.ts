import { toMajorUnits } from '@donation-form/core/money';
import type { Logger } from '../lib/logger.ts';
import type { DonationService } from '../donations/donation-service.ts';
import type { DonationRepository } from '../donations/donation-repository.ts';
import { getTotal } from '../donations/total.ts';
import type { Organization } from '../organizations/organization.ts';
import type { PaymentEvent, PaymentGateway, PaymentHistory } from '../payments/payment-gateway.ts';
import { GiftRejectedError } from '../platform/platform-adapter.ts';
import { isReference } from '../donations/reference.ts';
import { describeError } from '../lib/describe-error.ts';
import { PageLimitError, limitRecords } from '../lib/page-limit.ts';
import type { Database } from '../database/database.ts';
import type { OutboxEvent, Donation } from '../database/schema.ts';
import {
  listLedgerEntries,
  getDonationStatus,
  loadLedgerEntries,
  type LedgerEntry,
} from './ledger-entries.ts';
import { comparePayment, findRenewalEvent } from './compare-payment.ts';
import { comparePlatform, GiftLookup, type PlatformComparisonOptions } from './compare-platform.ts';
import { mismatch, duplicate, isRecent, missing, inProgress, type Finding } from './differences.ts';
import type { Period } from '../lib/period.ts';
import type { ReportLine } from './report.ts';
import { toLedgerRow, isReportable } from './ledger-rows.ts';
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
  readonly database: Database;
  readonly log: Logger;
  readonly now: () => number;
}

export interface ReconcileRequest {
  readonly period: Period;
  /** Whether what webhooks should have told is taken into the database. */
  readonly takes: boolean;
  /** Whether each gift is told, and not only what differs. */
  readonly hasRows: boolean;
}

/**
 * Compares what the processors, the database and the platform say of an organisation's gifts in a
 * time.
 * A gift belongs to the day on which the database accepted it; what the database does not know, to
 * the day that the others say. So each counts once, however their clocks go.
 */
export async function* reconcile(
  order: ReconcileRequest,
  options: ReconcileOptions,
): AsyncGenerator<ReportLine> {
  using stagingDatabase = new StagingDatabase();
  let gifts = 0;
  let differences = 0;
  for await (const line of new Reconciliation(order, options, stagingDatabase).lines()) {
    if (line.kind === 'difference' || (line.kind === 'not-compared' && line.isFailure))
      differences += 1;
    if (line.kind === 'row') gifts += 1;
    if (line.kind !== 'row' || order.hasRows) yield line;
  }
  yield { kind: 'end', gifts, differences };
}

class Reconciliation {
  readonly #order: ReconcileRequest;
  readonly #options: ReconcileOptions;
  readonly #stagingDatabase: StagingDatabase;
  readonly #now: number;
  /** Gateways whose payments are in the staging database, by provider. */
  readonly #gateways = new Map<string, PaymentGateway>();
  #platform: PlatformComparisonOptions | undefined;
  /** Somebody did not answer, so that there may be renewals which are not known. */
  #hasFailed = false;

  constructor(
    order: ReconcileRequest,
    options: ReconcileOptions,
    stagingDatabase: StagingDatabase,
  ) {
    this.#order = order;
    this.#options = options;
    this.#stagingDatabase = stagingDatabase;
    this.#now = options.now();
  }

  async *lines(): AsyncGenerator<ReportLine> {
    const {
      database,
      organization: { id },
    } = this.#options;
    for (const [provider, { gateway }] of this.#options.organization.payments)
      yield* this.#listPayments(provider, gateway);
    yield* this.#listGifts();
    for await (const page of listLedgerEntries(database.db, id, this.#order.period))
      for (const entry of page) yield* this.#compare(entry);
    for (const payment of this.#stagingDatabase.listUnmatchedPayments())
      yield* this.#compareUnmatchedPayment(payment);
    yield* this.#compareUnmatchedGifts();
    yield* this.#reportOmitted();
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
      const payments = gateway.list(new Date(from - MARGIN), new Date(to + MARGIN));
      for await (const payment of limitRecords(`the list of payments by ${provider}`, payments)) {
        this.#stagingDatabase.addPayment({ ...payment, provider });
        listed += 1;
        if (listed % PROGRESS === 0) yield { kind: 'progress', listed };
      }
      this.#gateways.set(provider, gateway);
    } catch (error) {
      yield this.#reportFailure('processor', `${provider} did not list its payments`, error);
    }
  }

  async *#listGifts(): AsyncGenerator<ReportLine> {
    const { reader } = this.#options.organization;
    const { from, to } = this.#order.period;
    const lookUps = new GiftLookup(reader);
    if (reader.isNone) return;
    if (!reader.listGifts) {
      if (lookUps.isPossible) this.#platform = { lookUps, now: this.#now };
      else
        yield {
          kind: 'not-compared',
          where: 'platform',
          why: 'the configuration has neither platform.list nor platform.find',
          isFailure: false,
        };
      return;
    }
    const period = { from: from - MARGIN, to: to + PLATFORM_MARGIN };
    let listed = 0;
    try {
      const gifts = reader.listGifts(new Date(period.from), new Date(period.to));
      for await (const gift of limitRecords("the platform's list of gifts", gifts)) {
        this.#stagingDatabase.addGift(gift);
        listed += 1;
        if (listed % PROGRESS === 0) yield { kind: 'progress', listed };
      }
      this.#platform = {
        listed: {
          giftsUnder: (reference) => this.#stagingDatabase.matchGiftsByReference(reference),
          period,
        },
        lookUps,
        now: this.#now,
      };
    } catch (error) {
      yield this.#reportFailure('platform', 'it did not list its gifts', error);
    }
  }

  /** Compares one gift or renewal with both others, and tells its row. */
  async *#compare(given: LedgerEntry): AsyncGenerator<ReportLine> {
    const gateway = this.#gateways.get(given.provider);
    const payment = gateway && this.#matchPayment(given);
    let entry = given;
    let findings = gateway
      ? await this.#tryCompare(
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
      yield* this.#applyEvents(
        entry.provider,
        entry,
        payment?.paymentId ?? entry.paymentId!,
        gateway,
      );
      entry = await this.#reloadEntry(entry);
      findings = await this.#tryCompare(
        () =>
          comparePayment(entry, payment, {
            gateway,
            repository: this.#options.repository,
            now: this.#now,
          }),
        given.reference,
      );
    }
    if (isReportable(entry))
      yield { kind: 'row', row: toLedgerRow(entry, this.#options.organization.timeZone, payment) };
    yield* findings;
    const platform = this.#platform;
    if (platform)
      yield* await this.#tryCompare(() => comparePlatform(entry, platform), given.reference);
  }

  /**
   * The listed payment of an entry: by its id, or where the database knows of none that took money,
   * by its reference.
   */
  #matchPayment(entry: LedgerEntry): StagedPayment | undefined {
    const { provider, paymentId, reference, renewal } = entry;
    const found =
      paymentId === null ? undefined : this.#stagingDatabase.matchPaymentById(provider, paymentId);
    const isOpen =
      !renewal &&
      getDonationStatus(entry) !== 'succeeded' &&
      getDonationStatus(entry) !== 'processing';
    return (
      found ??
      (isOpen ? this.#stagingDatabase.matchPaymentsByReference(provider, reference)[0] : undefined)
    );
  }

  /** A payment that is listed and of which no gift of this time is. */
  async *#compareUnmatchedPayment(payment: StagedPayment): AsyncGenerator<ReportLine> {
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
      if (under.organization === id && payment.status === 'succeeded')
        yield this.#compareSecondPayment(under, payment);
      return;
    }
    const { from, to } = this.#order.period;
    const time = at.getTime();
    if (time < from || time >= to) return;
    try {
      const trace = await gateway.listEvents!(paymentId);
      const renewal = findRenewalEvent(trace);
      const first = renewal && (await repository.findBySubscription(id, renewal.subscriptionId));
      if (first) yield* this.#compareMissingRenewal(first, payment, gateway);
      else yield* this.#reportMissingDonation(trace, payment);
    } catch (error) {
      yield this.#reportFailure(
        'processor',
        `${provider} did not say where payment ${paymentId} came from`,
        error,
      );
    }
  }

  /**
   * A second payment under the reference of a gift that the database has with another one, or
   * without any.
   */
  #compareSecondPayment(
    { reference, status, payment_id: known }: Donation,
    { paymentId, at }: StagedPayment,
  ): Finding {
    if (status === 'succeeded' || status === 'processing')
      return duplicate('processor', reference, `${known ?? ''}, ${paymentId}`);
    if (isRecent(at.getTime(), this.#now))
      return inProgress(
        reference,
        `the processor says succeeded (${paymentId}), the database ${status}`,
      );
    return mismatch('database', reference, 'status', status, `succeeded (${paymentId})`);
  }

  /**
   * A renewal that the database does not know. Of a young one the webhook is on its way. In a copy
   * of the database webhooks wait, and all renewals since then are taken in their order,
   * so that each gets the number under which the platform may know it.
   */
  async *#compareMissingRenewal(
    first: Donation,
    payment: StagedPayment,
    gateway: PaymentGateway,
  ): AsyncGenerator<ReportLine> {
    const {
      repository,
      database,
      organization: { id },
    } = this.#options;
    const { provider, paymentId, at, total, currency } = payment;
    const { restored_at: copiedAt } = first;
    const mayYetBeTold = copiedAt === null && isRecent(at.getTime(), this.#now);
    const isTooLate = copiedAt !== null && (copiedAt < this.#order.period.from || this.#hasFailed);
    if (this.#order.takes && !mayYetBeTold && !isTooLate) {
      yield* this.#applyEvents(provider, undefined, paymentId, gateway);
      const renewal = await repository.outbox.findRenewalByPayment(id, paymentId);
      const [entry] = renewal ? await loadLedgerEntries(database.db, [{ first, renewal }]) : [];
      if (entry) {
        yield* this.#compare(entry);
        return;
      }
    }
    const words = `${toMajorUnits(total, getTotal(first).decimals)} ${currency} (${paymentId})`;
    const found = isTooLate
      ? 'not heard of; the renewals since the database was copied are taken in one go'
      : 'not heard of';
    yield mayYetBeTold
      ? inProgress(first.reference, `a renewal of ${words}`)
      : missing('database', first.reference, 'renewal', found, words);
  }

  *#reportMissingDonation(
    { reference }: PaymentHistory,
    { paymentId, at, status, total, currency }: StagedPayment,
  ): Generator<Finding> {
    if (reference === undefined || !isReference(reference)) return;
    yield isRecent(at.getTime(), this.#now)
      ? inProgress(reference, `the processor says ${status}`)
      : missing(
          'database',
          reference,
          'gift',
          'nothing under this reference',
          `${total} minor units of ${currency} ${status} (${paymentId})`,
        );
  }

  async *#compareUnmatchedGifts(): AsyncGenerator<ReportLine> {
    const { repository } = this.#options;
    const { from, to } = this.#order.period;
    for (const { reference, platformId, at } of this.#stagingDatabase.listUnmatchedGifts()) {
      if (at && (at.getTime() < from || at.getTime() >= to)) continue;
      if (
        !isReference(reference) ||
        (await repository.findByReference(reference)) ||
        (await repository.outbox.findGiftEvent(reference))
      )
        continue;
      yield missing(
        'database',
        reference,
        'gift',
        'nothing under this reference',
        `${platformId} at the platform`,
      );
    }
  }

  *#reportOmitted(): Generator<ReportLine> {
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

  /** Takes into the database what a payment's webhooks should have told. */
  async *#applyEvents(
    provider: string,
    entry: LedgerEntry | undefined,
    paymentId: string,
    gateway: PaymentGateway,
  ): AsyncGenerator<ReportLine> {
    try {
      yield* await this.#saveEvents(provider, entry, paymentId, gateway);
    } catch (error) {
      yield this.#reportFailure(
        'processor',
        `what ${provider} says of payment ${paymentId} was not taken`,
        error,
      );
    }
  }

  async #saveEvents(
    provider: string,
    entry: LedgerEntry | undefined,
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
    if (known?.status === 'failed' && known.payment_id === null)
      await repository.markNeedsReview(
        known,
        { payment_id: paymentId, subscription_id: null, payment_method: null },
        `the processor charged it after the database had given it up (${paymentId}): record it, or pay it back`,
      );
    for (const paymentEvent of unknown) {
      const event =
        'id' in paymentEvent ? await repository.outbox.findById(paymentEvent.id) : undefined;
      if (event) taken.push({ kind: 'taken', gift: event.reference, what: event.kind });
    }
    const status = known && (await repository.findByReference(known.reference))?.status;
    if (known && status && status !== known.status)
      taken.push({ kind: 'taken', gift: known.reference, what: `${known.status} is ${status}` });
    return taken;
  }

  /** An entry as it is now. */
  async #reloadEntry({ first: { reference }, renewal }: LedgerEntry): Promise<LedgerEntry> {
    const first = await this.#options.repository.findByReference(reference);
    return (
      await loadLedgerEntries(this.#options.database.db, [
        { first: first!, ...(renewal && { renewal: renewal satisfies OutboxEvent }) },
      ])
    )[0]!;
  }

  /** What a comparison finds; where somebody did not answer, that. */
  async #tryCompare(compare: () => Promise<Finding[]>, reference: string): Promise<ReportLine[]> {
    try {
      return await compare();
    } catch (error) {
      return [this.#reportFailure('processor', `donation ${reference} was not compared`, error)];
    }
  }

  #reportFailure(where: 'processor' | 'platform', what: string, error: unknown): ReportLine {
    this.#hasFailed = true;
    this.#options.log.error(
      { where, ...describeError(error) },
      'a reconciliation was not answered',
    );
    return { kind: 'not-compared', where, why: what + explainFailure(error), isFailure: true };
  }
}

/** Explains why a comparison failed, for the end of a sentence. */
function explainFailure(error: unknown): string {
  if (error instanceof GiftRejectedError && error.isDeferred)
    return `: ${error.message}. Ask again after ${error.retryAt!.toISOString()}`;
  if (error instanceof PageLimitError) return `: ${error.message}`;
  const { error: name, status } = describeError(error);
  return ` (${name}${status === undefined ? '' : ` ${status}`})`;
}
