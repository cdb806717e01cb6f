import { toMajorUnits } from '@donation-form/core/money';
import { formatCount } from '@donation-form/core/i18n';
import type { Logger } from '../lib/logger.ts';
import type { DonationService } from '../donations/donation-service.ts';
import type { DonationRepository } from '../donations/donation-repository.ts';
import { getDonationTotal } from '../donations/total.ts';
import type { Organization } from '../organizations/organization.ts';
import type { PaymentEvent, PaymentGateway, PaymentHistory } from '../payments/payment-gateway.ts';
import { getProviderDecimals } from '../payments/payment-providers.ts';
import { GiftNotCreatedError } from '../platform/platform-adapter.ts';
import { isReference } from '../donations/reference.ts';
import { describeError } from '../lib/describe-error.ts';
import { PageLimitError, iterateWithLimit } from '../lib/page-limit.ts';
import type { Database } from '../database/database.ts';
import type { Donation } from '../database/schema.ts';
import {
  iterateLedgerEntryPages,
  getDonationStatus,
  loadLedgerEntries,
  type LedgerEntry,
} from './ledger-entries.ts';
import { compareWithProvider, findRenewalEvent } from './compare-provider.ts';
import {
  compareWithPlatform,
  GiftLookup,
  type PlatformComparisonOptions,
} from './compare-platform.ts';
import {
  createMismatchFinding,
  createDuplicateFinding,
  isRecent,
  createMissingFinding,
  createInProgressFinding,
  type Finding,
} from './differences.ts';
import {
  fetchSubscriptionEvent,
  iterateOverdueDonations,
  type OverdueDonation,
} from './overdue-renewals.ts';
import type { Period } from '../lib/period.ts';
import type { ReportLine } from './report.ts';
import { toLedgerRow, isReportedInLedger } from './ledger-rows.ts';
import { StagingDatabase, type StagedPayment } from './staging-database.ts';

const DAY = 86_400_000;
/**
 * Margin in milliseconds before and after the requested period. This margin is needed because
 * clocks differ and because the payment provider charges a donation after the server accepts it.
 */
const MARGIN = DAY;
/**
 * Margin in milliseconds after the period for listing gifts, because the server might send a gift
 * much later than the donation.
 */
const PLATFORM_MARGIN = 7 * DAY;
/** Number of listed records between two progress lines in the report. */
const PROGRESS_INTERVAL = 1_000;

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
  /** True to save payment events whose webhooks were lost. */
  readonly apply: boolean;
  /** True to yield a row for every donation and renewal, in addition to differences. */
  readonly includeRows: boolean;
}

/**
 * Compares an organization's donations in a period between the payment providers, the database, and
 * the platform. A donation belongs to the day on which the server accepted it. A donation that is
 * missing from the database belongs to the day that the payment provider or the platform reports.
 * Each donation is therefore in exactly one report, even if the clocks differ.
 */
export async function* reconcileAndReport(
  request: ReconcileRequest,
  options: ReconcileOptions,
): AsyncGenerator<ReportLine> {
  using stagingDatabase = new StagingDatabase();
  let donations = 0;
  let differences = 0;
  for await (const line of new Reconciliation(
    request,
    options,
    stagingDatabase,
  ).compareAndReport()) {
    if (line.kind === 'difference' || (line.kind === 'not-compared' && line.isFailure))
      differences += 1;
    if (line.kind === 'row') donations += 1;
    if (line.kind !== 'row' || request.includeRows) yield line;
  }
  yield { kind: 'end', donations, differences };
}

class Reconciliation {
  readonly #request: ReconcileRequest;
  readonly #options: ReconcileOptions;
  readonly #stagingDatabase: StagingDatabase;
  readonly #now: number;
  /**
   * Payment gateways by provider. Contains only gateways whose payments are in the staging
   * database.
   */
  readonly #gateways = new Map<string, PaymentGateway>();
  #platform: PlatformComparisonOptions | undefined;
  /** True if a call failed, so the comparison is incomplete and renewals might be missing. */
  #hasFailed = false;

  constructor(
    request: ReconcileRequest,
    options: ReconcileOptions,
    stagingDatabase: StagingDatabase,
  ) {
    this.#request = request;
    this.#options = options;
    this.#stagingDatabase = stagingDatabase;
    this.#now = options.now();
  }

  async *compareAndReport(): AsyncGenerator<ReportLine> {
    const {
      database,
      organization: { id },
    } = this.#options;
    for (const [provider, { gateway }] of this.#options.organization.payments)
      yield* this.#listPaymentsIntoStagingDatabase(provider, gateway);
    yield* this.#listGiftsIntoStagingDatabase();
    for await (const page of iterateLedgerEntryPages(database.db, id, this.#request.period))
      for (const entry of page) yield* this.#compareEntryAndSaveLostEvents(entry);
    for (const payment of this.#stagingDatabase.iterateUnmatchedPayments())
      yield* this.#compareUnmatchedPayment(payment);
    yield* this.#compareUnmatchedGifts();
    for await (const overdue of iterateOverdueDonations(database.db, id, this.#now))
      yield* await this.#compareOrReportFailure(
        () => this.#compareSubscription(overdue),
        overdue.donation.reference,
      );
    yield* this.#reportOmittedGifts();
    const {
      apply,
      period: { from, to },
    } = this.#request;
    if (apply && !this.#hasFailed && to > this.#now)
      await this.#options.repository.clearRestoredMark(id, from);
  }

  async *#listPaymentsIntoStagingDatabase(
    provider: string,
    gateway: PaymentGateway,
  ): AsyncGenerator<ReportLine> {
    const { from, to } = this.#request.period;
    if (!gateway.iteratePayments || !gateway.listEvents) {
      if (provider !== 'offline')
        yield {
          kind: 'not-compared',
          side: 'payment-provider',
          reason: `${provider} cannot list payments`,
          isFailure: false,
        };
      return;
    }
    let listed = 0;
    try {
      const payments = gateway.iteratePayments(new Date(from - MARGIN), new Date(to + MARGIN));
      for await (const payment of iterateWithLimit(
        `the list of payments at ${provider}`,
        payments,
      )) {
        this.#stagingDatabase.insertPaymentIfNew({ ...payment, provider });
        listed += 1;
        if (listed % PROGRESS_INTERVAL === 0) yield { kind: 'progress', listed };
      }
      this.#gateways.set(provider, gateway);
    } catch (error) {
      yield this.#logAndReportFailure(
        'payment-provider',
        `listing payments at ${provider} failed`,
        error,
      );
    }
  }

  async *#listGiftsIntoStagingDatabase(): AsyncGenerator<ReportLine> {
    const { reader } = this.#options.organization;
    const { from, to } = this.#request.period;
    const lookup = new GiftLookup(reader);
    if (reader.isNone) return;
    if (!reader.iterateGifts) {
      if (lookup.isPossible) this.#platform = { lookup, now: this.#now };
      else
        yield {
          kind: 'not-compared',
          side: 'platform',
          reason: 'the configuration has neither platform.list nor platform.find',
          isFailure: false,
        };
      return;
    }
    const period = { from: from - MARGIN, to: to + PLATFORM_MARGIN };
    let listed = 0;
    try {
      const gifts = reader.iterateGifts(new Date(period.from), new Date(period.to));
      for await (const gift of iterateWithLimit("the platform's list of gifts", gifts)) {
        this.#stagingDatabase.insertGift(gift);
        listed += 1;
        if (listed % PROGRESS_INTERVAL === 0) yield { kind: 'progress', listed };
      }
      this.#platform = {
        listed: {
          findGifts: (reference) => this.#stagingDatabase.listGiftsAndMarkMatched(reference),
          period,
        },
        lookup,
        now: this.#now,
      };
    } catch (error) {
      yield this.#logAndReportFailure('platform', 'listing gifts failed', error);
    }
  }

  /**
   * Compares a donation or renewal with its payment and its gift. Yields the entry's row and its
   * differences. If {@link ReconcileRequest.apply} is true, first saves events whose webhooks were
   * lost.
   */
  async *#compareEntryAndSaveLostEvents(original: LedgerEntry): AsyncGenerator<ReportLine> {
    const gateway = this.#gateways.get(original.provider);
    const payment = gateway && this.#findListedPayment(original);
    let entry = original;
    let findings = gateway
      ? await this.#compareOrReportFailure(
          () =>
            compareWithProvider(entry, payment, {
              gateway,
              repository: this.#options.repository,
              now: this.#now,
            }),
          original.reference,
        )
      : [];
    if (
      gateway &&
      this.#request.apply &&
      findings.some(({ kind }) => kind === 'difference') &&
      (payment || entry.paymentId !== null)
    ) {
      yield* this.#saveLostEventsAndReport(
        entry.provider,
        entry,
        payment?.paymentId ?? entry.paymentId!,
        gateway,
      );
      entry = await this.#reloadEntry(entry);
      findings = await this.#compareOrReportFailure(
        () =>
          compareWithProvider(entry, payment, {
            gateway,
            repository: this.#options.repository,
            now: this.#now,
          }),
        original.reference,
      );
    }
    if (isReportedInLedger(entry))
      yield { kind: 'row', row: toLedgerRow(entry, this.#options.organization.timeZone, payment) };
    yield* findings;
    const platform = this.#platform;
    if (platform)
      yield* await this.#compareOrReportFailure(
        () => compareWithPlatform(entry, platform),
        original.reference,
      );
  }

  /**
   * Finds an entry's listed payment by its payment ID. If there is no such payment and the donation
   * has not been charged, finds a payment with the donation's reference.
   */
  #findListedPayment(entry: LedgerEntry): StagedPayment | undefined {
    const { provider, paymentId, reference, renewal } = entry;
    const payment =
      paymentId === null
        ? undefined
        : this.#stagingDatabase.findPaymentAndMarkMatched(provider, paymentId);
    const hasNoCharge =
      !renewal &&
      getDonationStatus(entry) !== 'succeeded' &&
      getDonationStatus(entry) !== 'processing';
    return (
      payment ??
      (hasNoCharge
        ? this.#stagingDatabase.listPaymentsAndMarkMatched(provider, reference)[0]
        : undefined)
    );
  }

  /** Compares a listed payment that does not belong to any donation or renewal in this period. */
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
    const donation =
      reference === undefined ? undefined : await repository.findByReference(reference);
    if (donation) {
      if (donation.organization === id && payment.status === 'succeeded')
        yield this.#compareSecondPayment(donation, payment);
      return;
    }
    const { from, to } = this.#request.period;
    const time = at.getTime();
    if (time < from || time >= to) return;
    try {
      const history = await gateway.listEvents!(paymentId);
      const renewal = findRenewalEvent(history);
      const firstDonation =
        renewal && (await repository.findBySubscription(id, renewal.subscriptionId));
      if (firstDonation) yield* this.#compareMissingRenewal(firstDonation, payment, gateway);
      else yield* this.#reportMissingDonation(history, payment);
    } catch (error) {
      yield this.#logAndReportFailure(
        'payment-provider',
        `the lookup of payment ${paymentId} at ${provider} failed`,
        error,
      );
    }
  }

  /**
   * Compares a listed payment with the donation that has the payment's reference. Call this only
   * if the database has a different payment, or none, for the donation.
   */
  #compareSecondPayment(
    { reference, status, paymentId: savedPaymentId }: Donation,
    { paymentId, at }: StagedPayment,
  ): Finding {
    if (status === 'succeeded' || status === 'processing')
      return createDuplicateFinding(
        'payment-provider',
        reference,
        `${savedPaymentId ?? ''}, ${paymentId}`,
      );
    if (isRecent(at.getTime(), this.#now))
      return createInProgressFinding(
        reference,
        `succeeded at the payment provider (${paymentId}), ${status} in the database`,
      );
    return createMismatchFinding(
      'database',
      reference,
      'status',
      status,
      `succeeded (${paymentId})`,
    );
  }

  /**
   * Reports or saves a renewal that the database does not have. Does not save a recent renewal,
   * because the renewal's webhook might still arrive. After a restore, renewal webhooks must wait
   * until one run has saved all renewals since the backup in order. This order gives each renewal
   * the number that the renewal might already have on the platform.
   */
  async *#compareMissingRenewal(
    donation: Donation,
    payment: StagedPayment,
    gateway: PaymentGateway,
  ): AsyncGenerator<ReportLine> {
    const {
      repository,
      database,
      organization: { id },
    } = this.#options;
    const { provider, paymentId, at, total, currency } = payment;
    const { restoredAt } = donation;
    const mayStillArrive = restoredAt === null && isRecent(at.getTime(), this.#now);
    const mayMissEarlier =
      restoredAt !== null && (restoredAt < this.#request.period.from || this.#hasFailed);
    if (this.#request.apply && !mayStillArrive && !mayMissEarlier) {
      yield* this.#saveLostEventsAndReport(provider, undefined, paymentId, gateway);
      const renewal = await repository.outbox.findRenewalByPayment(id, paymentId);
      const [entry] = renewal ? await loadLedgerEntries(database.db, [{ donation, renewal }]) : [];
      if (entry) {
        yield* this.#compareEntryAndSaveLostEvents(entry);
        return;
      }
    }
    const { decimals } = getDonationTotal(donation);
    const amount = `${toMajorUnits(total, decimals)} ${currency} (${paymentId})`;
    const found = mayMissEarlier
      ? 'not saved: run "donation-form reconcile --apply" for the whole period since the backup'
      : 'not saved';
    yield mayStillArrive
      ? createInProgressFinding(donation.reference, `a renewal of ${amount}`)
      : createMissingFinding('database', donation.reference, 'renewal', found, amount);
  }

  async *#reportMissingDonation(
    { reference }: PaymentHistory,
    { provider, paymentId, at, status, total, currency }: StagedPayment,
  ): AsyncGenerator<Finding> {
    if (reference === undefined || !isReference(reference)) return;
    const { repository, organization } = this.#options;
    const donation = await repository.findByReference(reference);
    if (donation && donation.organization !== organization.id) return;
    const decimals = getProviderDecimals(provider, currency) ?? 2;
    yield isRecent(at.getTime(), this.#now)
      ? createInProgressFinding(reference, `${status} at the payment provider`)
      : createMissingFinding(
          'database',
          reference,
          'donation',
          'no donation with this reference',
          `${toMajorUnits(total, decimals)} ${currency} ${status} (${paymentId})`,
        );
  }

  async *#compareUnmatchedGifts(): AsyncGenerator<ReportLine> {
    const { repository } = this.#options;
    const { from, to } = this.#request.period;
    for (const { reference, platformId, at } of this.#stagingDatabase.iterateUnmatchedGifts()) {
      if (at && (at.getTime() < from || at.getTime() >= to)) continue;
      if (
        !isReference(reference) ||
        (await repository.findByReference(reference)) ||
        (await repository.outbox.findGiftCreationEvent(reference))
      )
        continue;
      yield createMissingFinding(
        'database',
        reference,
        'donation',
        'no donation with this reference',
        `${platformId} on the platform`,
      );
    }
  }

  /**
   * Compares a recurring donation's status in the database with the status at the payment provider,
   * regardless of the period. If the webhook about the end of the recurring donation was lost, no
   * later payment reveals the end.
   */
  async #compareSubscription(overdue: OverdueDonation): Promise<ReportLine[]> {
    const { reference, payload, subscriptionStatus: saved } = overdue.donation;
    const { provider } = payload.payment;
    const gateway = this.#gateways.get(provider);
    const event = gateway && (await fetchSubscriptionEvent(overdue, gateway));
    const status = saved ?? 'active';
    if (!event || event.status === status) return [];
    if (!this.#request.apply)
      return [createMismatchFinding('database', reference, 'subscription', status, event.status)];
    await this.#options.donations.recordPaymentEvents(provider, [event], true);
    return [
      { kind: 'applied', reference, change: `recurring donation ${status} → ${event.status}` },
    ];
  }

  *#reportOmittedGifts(): Generator<ReportLine> {
    const { omitted = 0, failure, isPossible } = this.#platform?.lookup ?? {};
    if (omitted === 0) return;
    const reason = isPossible
      ? 'the report reached the lookup limit'
      : 'recorded on the platform outside the listed period';
    yield {
      kind: 'not-compared',
      side: 'platform',
      reason:
        `${formatCount(omitted, 'gift')} ` +
        (failure === undefined ? `(${reason})` : `(a lookup failed: ${failure})`),
      isFailure: failure !== undefined,
    };
  }

  /**
   * Saves a payment's events whose webhooks were lost, and yields a report line for each change.
   */
  async *#saveLostEventsAndReport(
    provider: string,
    entry: LedgerEntry | undefined,
    paymentId: string,
    gateway: PaymentGateway,
  ): AsyncGenerator<ReportLine> {
    try {
      yield* await this.#saveLostEvents(provider, entry, paymentId, gateway);
    } catch (error) {
      yield this.#logAndReportFailure(
        'payment-provider',
        `the events for payment ${paymentId} at ${provider} were not saved`,
        error,
      );
    }
  }

  async #saveLostEvents(
    provider: string,
    entry: LedgerEntry | undefined,
    paymentId: string,
    gateway: PaymentGateway,
  ): Promise<ReportLine[]> {
    const { donations, repository } = this.#options;
    const donation = entry?.renewal ? undefined : entry?.donation;
    const { events: paymentEvents } = await gateway.listEvents!(paymentId);
    const newEvents: PaymentEvent[] = [];
    const applied: ReportLine[] = [];
    for (const paymentEvent of paymentEvents)
      if (
        'id' in paymentEvent &&
        paymentEvent.kind !== 'subscription' &&
        !(await repository.outbox.findById(paymentEvent.id))
      )
        newEvents.push(paymentEvent);
    await donations.recordPaymentEvents(
      provider,
      paymentEvents.map((paymentEvent) =>
        paymentEvent.kind === 'payment' && donation?.paymentId != null
          ? { ...paymentEvent, paymentId: donation.paymentId }
          : paymentEvent,
      ),
      true,
    );
    if (donation?.status === 'failed' && donation.paymentId === null)
      await repository.markNeedsReview(
        donation,
        { paymentId, subscriptionId: null, paymentMethod: null },
        `payment ${paymentId} succeeded after the donation was marked as failed; accept or ` +
          'refund it',
      );
    for (const paymentEvent of newEvents) {
      const event =
        'id' in paymentEvent ? await repository.outbox.findById(paymentEvent.id) : undefined;
      if (event) applied.push({ kind: 'applied', reference: event.reference, change: event.kind });
    }
    const status = donation && (await repository.findByReference(donation.reference))?.status;
    if (donation && status && status !== donation.status)
      applied.push({
        kind: 'applied',
        reference: donation.reference,
        change: `${donation.status} → ${status}`,
      });
    return applied;
  }

  async #reloadEntry({ donation: { reference }, renewal }: LedgerEntry): Promise<LedgerEntry> {
    const donation = (await this.#options.repository.findByReference(reference))!;
    const [entry] = await loadLedgerEntries(this.#options.database.db, [
      { donation, ...(renewal && { renewal }) },
    ]);
    return entry!;
  }

  /**
   * Runs a comparison. If the comparison fails, returns a report line about the failure instead of
   * throwing an error.
   */
  async #compareOrReportFailure(
    compare: () => Promise<ReportLine[]>,
    reference: string,
  ): Promise<ReportLine[]> {
    try {
      return await compare();
    } catch (error) {
      return [
        this.#logAndReportFailure('payment-provider', `comparing ${reference} failed`, error),
      ];
    }
  }

  /**
   * Logs a failure and returns a report line that describes the failure.
   * @param problem description of the failure, without the reason.
   */
  #logAndReportFailure(
    side: 'payment-provider' | 'platform',
    problem: string,
    error: unknown,
  ): ReportLine {
    this.#hasFailed = true;
    this.#options.log.error({ side, ...describeError(error) }, 'reconciliation incomplete');
    return {
      kind: 'not-compared',
      side,
      reason: problem + formatFailureReason(error),
      isFailure: true,
    };
  }
}

/** Returns the reason for a failure as text to append to the description of the problem. */
function formatFailureReason(error: unknown): string {
  if (error instanceof GiftNotCreatedError && error.isDeferred)
    return `: ${error.message}. Try again after ${error.retryAt!.toISOString()}`;
  if (error instanceof PageLimitError) return `: ${error.message}`;
  const { error: name, status } = describeError(error);
  return ` (${name}${status === undefined ? '' : ` ${status}`})`;
}
