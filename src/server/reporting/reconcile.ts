import { formatCount } from '@donation-form/core/i18n';
import type { ServerBase } from '../database/database.ts';
import type { Donation } from '../database/schema.ts';
import type { DonationRepository } from '../donations/donation-repository.ts';
import type { DonationService } from '../donations/donation-service.ts';
import { isReference } from '../donations/reference.ts';
import type { Period } from '../lib/period.ts';
import type { Organization } from '../organizations/organization.ts';
import type { PaymentGateway } from '../payments/payment-gateway.ts';
import { compareWithPlatform, type PlatformComparisonOptions } from './compare-platform.ts';
import { compareWithProvider, findRenewalEvent } from './compare-provider.ts';
import {
  compareSecondPayment,
  compareUnmatchedGifts,
  createMissingDonationFinding,
  createMissingRenewalFinding,
  isInPeriod,
} from './compare-unmatched.ts';
import { createFindings, isRecent } from './differences.ts';
import {
  getDonationStatus,
  iterateLedgerEntryPages,
  type LedgerEntry,
  loadLedgerEntries,
} from './ledger-entries.ts';
import { isReportedInLedger, toLedgerRow } from './ledger-rows.ts';
import { FailureLog, listGifts, listPayments } from './list-records.ts';
import {
  fetchSubscriptionEvent,
  iterateOverdueDonations,
  type OverdueDonation,
} from './overdue-renewals.ts';
import type { ReportLine } from './report.ts';
import { type StagedPayment, StagingDatabase } from './staging-database.ts';

interface ReconcileOptions extends ServerBase {
  readonly organization: Organization;
  readonly donations: DonationService;
  readonly repository: DonationRepository;
}

interface ReconcileRequest {
  readonly period: Period;
  /** True to save events whose webhooks were lost. */
  readonly apply: boolean;
  readonly includeRows: boolean;
}

/**
 * Compares an organization's donations in a period between the payment providers, the database, and
 * the platform. A donation belongs to the day on which the server accepted it or, if it is missing
 * from the database, to the day that the provider or the platform reports. So each donation is in
 * exactly one report, even if the clocks differ.
 */
export async function* reconcile(
  request: ReconcileRequest,
  options: ReconcileOptions,
): AsyncGenerator<ReportLine> {
  using stagingDatabase = new StagingDatabase();
  let donations = 0;
  let differences = 0;
  for await (const line of new Reconciliation(request, options, stagingDatabase).run()) {
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
  readonly #failures: FailureLog;
  readonly #now: number;
  /** Gateways that listed all payments, by provider. */
  readonly #gateways = new Map<string, PaymentGateway>();
  #platform: PlatformComparisonOptions | undefined;

  constructor(
    request: ReconcileRequest,
    options: ReconcileOptions,
    stagingDatabase: StagingDatabase,
  ) {
    this.#request = request;
    this.#options = options;
    this.#stagingDatabase = stagingDatabase;
    this.#failures = new FailureLog(options.log);
    this.#now = options.now();
  }

  async *run(): AsyncGenerator<ReportLine> {
    const { database, organization, repository } = this.#options;
    const { apply, period } = this.#request;
    yield* this.#listRecords();
    for await (const page of iterateLedgerEntryPages(database.db, organization.id, period))
      for (const entry of page) yield* this.#compareEntry(entry);
    for (const payment of this.#stagingDatabase.iterateUnmatched('payment'))
      yield* this.#compareUnmatchedPayment(payment);
    yield* compareUnmatchedGifts(this.#stagingDatabase, repository, period);
    for await (const overdue of iterateOverdueDonations(database.db, organization.id, this.#now))
      yield* await this.#failures.catch(`comparing ${overdue.donation.reference} failed`, () =>
        this.#compareSubscription(overdue),
      );
    yield* this.#reportOmittedGifts();
    if (apply && !this.#failures.hasFailures && period.to > this.#now)
      await repository.clearRestoredMark(organization.id, period.from);
  }

  async *#listRecords(): AsyncGenerator<ReportLine> {
    const { payments, reader } = this.#options.organization;
    const options = {
      period: this.#request.period,
      stagingDatabase: this.#stagingDatabase,
      failures: this.#failures,
    };
    for (const [provider, { gateway }] of payments)
      if (yield* listPayments(provider, gateway, options)) this.#gateways.set(provider, gateway);
    this.#platform = yield* listGifts(reader, this.#now, options);
  }

  /** If {@link ReconcileRequest.apply} is true, first saves events whose webhooks were lost. */
  async *#compareEntry(original: LedgerEntry): AsyncGenerator<ReportLine> {
    const { provider, reference } = original;
    const gateway = this.#gateways.get(provider);
    const payment = gateway && this.#findListedPayment(original);
    let entry = original;
    let findings = await this.#comparePayment(entry, payment, gateway);
    const paymentId = payment?.paymentId ?? entry.paymentId;
    if (
      gateway &&
      this.#request.apply &&
      findings.some(({ kind }) => kind === 'difference') &&
      paymentId !== null
    ) {
      yield* await this.#saveLostEvents({ provider, paymentId, entry }, gateway);
      entry = await this.#reloadEntry(entry);
      findings = await this.#comparePayment(entry, payment, gateway);
    }
    if (isReportedInLedger(entry))
      yield { kind: 'row', row: toLedgerRow(entry, this.#options.organization.timeZone, payment) };
    yield* findings;
    const platform = this.#platform;
    if (platform)
      yield* await this.#failures.catch(`comparing ${reference} failed`, () =>
        compareWithPlatform(entry, platform),
      );
  }

  async #comparePayment(
    entry: LedgerEntry,
    payment: StagedPayment | undefined,
    gateway: PaymentGateway | undefined,
  ): Promise<readonly ReportLine[]> {
    if (!gateway) return [];
    const { repository } = this.#options;
    return this.#failures.catch(`comparing ${entry.reference} failed`, () =>
      compareWithProvider(entry, payment, { gateway, repository, now: this.#now }),
    );
  }

  /** Finds an uncharged donation's payment by reference. */
  #findListedPayment(entry: LedgerEntry): StagedPayment | undefined {
    const { provider, paymentId, reference, renewal } = entry;
    const payment =
      paymentId === null
        ? undefined
        : this.#stagingDatabase.findPaymentAndMarkMatched(provider, paymentId);
    const status = getDonationStatus(entry);
    if (payment || renewal || status === 'succeeded' || status === 'processing') return payment;
    return this.#stagingDatabase.listPaymentsAndMarkMatched(provider, reference)[0];
  }

  async *#compareUnmatchedPayment(payment: StagedPayment): AsyncGenerator<ReportLine> {
    const { repository, organization } = this.#options;
    const { id } = organization;
    const { provider, paymentId, reference, at } = payment;
    const gateway = this.#gateways.get(provider);
    if (
      !gateway ||
      (await repository.findByPayment(id, paymentId)) ||
      (await repository.outbox.findRenewal(id, paymentId))
    )
      return;
    const donation =
      reference === undefined ? undefined : await repository.findByReference(reference);
    if (donation) {
      if (donation.organization === id && payment.status === 'succeeded')
        yield compareSecondPayment(donation, payment, this.#now);
      return;
    }
    if (!isInPeriod(at, this.#request.period)) return;
    try {
      const history = await gateway.listEvents!(paymentId);
      const renewal = findRenewalEvent(history);
      const firstDonation =
        renewal && (await repository.findBySubscription(id, renewal.subscriptionId));
      if (firstDonation) yield* this.#compareMissingRenewal(firstDonation, payment, gateway);
      else yield* await this.#compareMissingDonation(history.reference, payment);
    } catch (error) {
      yield this.#failures.add(
        'payment-provider',
        `the lookup of payment ${paymentId} at ${provider} failed`,
        error,
      );
    }
  }

  /**
   * Reports or saves a renewal that the database does not have. A recent renewal's webhook might
   * still arrive. After a restore, renewal webhooks must wait until one run has saved all renewals
   * since the backup in order, so that each gets the number that it might already have on the
   * platform.
   */
  async *#compareMissingRenewal(
    donation: Donation,
    payment: StagedPayment,
    gateway: PaymentGateway,
  ): AsyncGenerator<ReportLine> {
    const { repository, database, organization } = this.#options;
    const { apply, period } = this.#request;
    const { provider, paymentId, at } = payment;
    const { restoredAt } = donation;
    const isTooRecent = restoredAt === null && isRecent(at.getTime(), this.#now);
    const mustWait =
      restoredAt !== null && (restoredAt < period.from || this.#failures.hasFailures);
    if (apply && !isTooRecent && !mustWait) {
      yield* await this.#saveLostEvents({ provider, paymentId }, gateway);
      const renewal = await repository.outbox.findRenewal(organization.id, paymentId);
      const [entry] = renewal ? await loadLedgerEntries(database.db, [{ donation, renewal }]) : [];
      if (entry) {
        yield* this.#compareEntry(entry);
        return;
      }
    }
    yield createMissingRenewalFinding(donation, payment, { isTooRecent, mustWait });
  }

  /** Ignores payments that we did not create, and those of other organizations. */
  async #compareMissingDonation(reference: string | undefined, payment: StagedPayment) {
    if (reference === undefined || !isReference(reference)) return [];
    const { repository, organization } = this.#options;
    const donation = await repository.findByReference(reference);
    return donation && donation.organization !== organization.id
      ? []
      : [createMissingDonationFinding(reference, payment, this.#now)];
  }

  /** If the webhook about a subscription's end was lost, no later payment reveals the end. */
  async #compareSubscription(overdue: OverdueDonation): Promise<ReportLine[]> {
    const { reference, payload, subscriptionStatus } = overdue.donation;
    const { provider } = payload.payment;
    const gateway = this.#gateways.get(provider);
    const event = gateway && (await fetchSubscriptionEvent(overdue, gateway));
    const status = subscriptionStatus ?? 'active';
    if (!event || event.status === status) return [];
    if (!this.#request.apply)
      return [
        createFindings(reference).createMismatch('database', 'subscription', status, event.status),
      ];
    await this.#options.donations.recordPaymentEvents(provider, [event], true);
    return [
      { kind: 'applied', reference, change: `recurring donation ${status} → ${event.status}` },
    ];
  }

  *#reportOmittedGifts(): Generator<ReportLine> {
    const { omitted = 0, failure } = this.#platform?.lookup ?? {};
    if (omitted === 0) return;
    const reason = this.#options.organization.reader.findGiftId
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

  #saveLostEvents(lost: LostPayment, gateway: PaymentGateway): Promise<readonly ReportLine[]> {
    const problem = `the events for payment ${lost.paymentId} at ${lost.provider} were not saved`;
    return this.#failures.catch(problem, () => saveLostEvents(lost, gateway, this.#options));
  }

  async #reloadEntry({ donation: { reference }, renewal }: LedgerEntry): Promise<LedgerEntry> {
    const donation = (await this.#options.repository.findByReference(reference))!;
    const [entry] = await loadLedgerEntries(this.#options.database.db, [
      { donation, ...(renewal && { renewal }) },
    ]);
    return entry!;
  }
}

interface LostPayment {
  readonly provider: string;
  readonly paymentId: string;
  /** The donation or renewal, if the database has it. */
  readonly entry?: LedgerEntry;
}

async function saveLostEvents(
  { provider, paymentId, entry }: LostPayment,
  gateway: PaymentGateway,
  { donations, repository }: ReconcileOptions,
): Promise<ReportLine[]> {
  const donation = entry?.renewal ? undefined : entry?.donation;
  const { events: paymentEvents } = await gateway.listEvents!(paymentId);
  const newIds: string[] = [];
  for (const paymentEvent of paymentEvents)
    if (
      'id' in paymentEvent &&
      paymentEvent.kind !== 'subscription' &&
      !(await repository.outbox.findById(paymentEvent.id))
    )
      newIds.push(paymentEvent.id);
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
    await repository.applyTrigger(
      donation,
      { type: 'contradicted' },
      {
        columns: {
          paymentId,
          subscriptionId: null,
          paymentMethod: null,
          lastError: `payment ${paymentId} succeeded after the donation was marked as failed; accept or refund it`,
        },
      },
    );
  const applied: ReportLine[] = [];
  for (const id of newIds) {
    const event = await repository.outbox.findById(id);
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
