import { setTimeout } from 'node:timers/promises';
import { findLanguage } from '@donation-form/core/i18n';
import type { DonationOutcome, DonationRequest, FormDefinition } from '@donation-form/core/schemas';
import type { Donation, DonationPayload } from '../database/schema.ts';
import { describeError } from '../lib/describe-error.ts';
import type { Logger } from '../lib/logger.ts';
import { Problem } from '../lib/problem.ts';
import type { Organization } from '../organizations/organization.ts';
import type { PaymentEvent } from '../payments/payment-gateway.ts';
import type { PaymentOption } from '../payments/payment-provider.ts';
import type { DonationRepository } from './donation-repository.ts';
import { OutboxRelay } from './outbox-relay.ts';
import { PaymentService } from './payment-service.ts';
import { recordPaymentEvents } from './record-payment-events.ts';
import { createReference } from './reference.ts';
import { createRequestFingerprint, isRepeatedRequest } from './request-fingerprint.ts';
import type { PaymentResult } from './sync-donation.ts';
import { toOutcome } from './to-outcome.ts';
import { isUnfinished } from './transition.ts';

/** Maximum time that a repeated request waits for the first request, in milliseconds. */
const REPEATED_REQUEST_TIMEOUT = 5_000;
/** Maximum time that a response waits for the platform's gift ID, in milliseconds. */
const GIFT_ID_TIMEOUT = 1_000;
/** Maximum number of responses that wait for a gift ID. More mean that the platform is slow. */
const MAX_WAITING_RESPONSES = 8;
/** Delay before the server checks an unfinished charge, in milliseconds. */
const LOOKUP_DELAY = 20_000;

export interface DueJobCounts {
  readonly checkedPayments: number;
  readonly sentUpdates: number;
}

export interface DonationServiceOptions {
  readonly repository: DonationRepository;
  readonly organization: Organization;
  /** If false, the process may freeze after a response, so `jobs run` does the work. */
  readonly hasBackgroundJobs: boolean;
  readonly log: Logger;
  readonly now: () => number;
}

/** Each idempotency key identifies one donation, charged once and sent to the platform once. */
export class DonationService {
  readonly #options: Omit<DonationServiceOptions, 'organization'>;
  #organization: Organization;
  readonly #paymentService: PaymentService;
  readonly #outboxRelay: OutboxRelay;
  #waitingCount = 0;

  constructor({ organization, ...options }: DonationServiceOptions) {
    this.#options = options;
    this.#organization = organization;
    this.#outboxRelay = new OutboxRelay({
      ...options,
      organization: organization.id,
      platform: () => this.#organization.platform,
      quota: () => this.#organization.quota,
    });
    this.#paymentService = new PaymentService({
      ...options,
      organization: organization.id,
      findGateway: (provider) => this.#organization.payments.get(provider)?.gateway,
      wakeDelivery: () => void this.#wakeDeliveryWorkers(),
    });
  }

  replaceOrganization(organization: Organization): void {
    this.#organization = organization;
    void this.#resumeDeliveryWithNewKey();
  }

  async #resumeDeliveryWithNewKey(): Promise<void> {
    try {
      if (await this.#outboxRelay.backoff.retryWithNewKey()) await this.#wakeDeliveryWorkers();
    } catch (error) {
      this.#options.log.error(
        { organization: this.#organization.id, ...describeError(error) },
        'cannot resume sending updates to the platform with the new API key',
      );
    }
  }

  get isPlatformKeyRejected(): boolean {
    return this.#outboxRelay.backoff.isKeyRejected;
  }

  get origins(): ReadonlySet<string> {
    return this.#organization.origins;
  }

  wakeWorkers(): void {
    this.#wakePaymentWorker();
    void this.#wakeDeliveryWorkers();
  }

  /**
   * @param stop signal that, once aborted, stops further jobs from starting.
   * @throws {Error} if the database is unavailable.
   */
  async runDueJobs(stop: AbortSignal): Promise<DueJobCounts> {
    return {
      checkedPayments: await this.#paymentService.checkDuePayments(stop),
      sentUpdates: await this.#outboxRelay.sendDueEntries(stop),
    };
  }

  async stopWorkers(): Promise<void> {
    await Promise.all([this.#paymentService.stopWorker(), this.#outboxRelay.stopWorker()]);
  }

  /**
   * Saves and charges a donation of a validated request.
   * @param keyHash SHA-256 of the idempotency key.
   * @throws {Problem} unavailable, if the donation cannot be saved and is therefore not charged.
   */
  async createDonation(
    request: DonationRequest,
    definition: FormDefinition,
    keyHash: string,
  ): Promise<DonationOutcome> {
    const payment = this.#organization.payments.get(request.payment.provider)!;
    const donation = {
      reference: createReference(this.#options.now()),
      idempotencyKeyHash: keyHash,
      fingerprint: createRequestFingerprint(request),
      organization: this.#organization.id,
      payload: createDonationPayload(request, definition, payment),
    };
    const accepted = await (
      payment.isPledge
        ? this.#options.repository.insertPledge(donation)
        : this.#options.repository.insertDonation({
            ...donation,
            dueAt: this.#options.now() + LOOKUP_DELAY,
          })
    ).catch((cause: unknown) => {
      throw new Problem(
        'unavailable',
        'We could not save the donation, so no charge was made. ' +
          'Retry the request with the same Idempotency-Key.',
        { cause },
      );
    });
    if (accepted?.status === 'processing') {
      void this.#wakeDeliveryWorkers();
      return this.#awaitOutcome(accepted);
    }
    if (accepted)
      return this.#awaitOutcome(
        accepted,
        this.#paymentService.chargeDonation(accepted, request.payment),
      );
    const existing = await this.#options.repository.findByKeyHash(keyHash);
    if (!existing) throw new Error('the idempotency key is taken, but its donation was not found');
    return this.resumeDonation(existing, request);
  }

  /**
   * Waits for the first request to finish, or resumes an interrupted charge.
   * @throws {Problem} idempotency-key-reused, if the content differs from that of the first
   *   request.
   */
  async resumeDonation(row: Donation, request: DonationRequest): Promise<DonationOutcome> {
    if (!isRepeatedRequest(row, request)) {
      throw new Problem(
        'idempotency-key-reused',
        'This Idempotency-Key belongs to a donation with different content. ' +
          'Get the outcome of that donation from GET /donations, or use a new key for this donation.',
      );
    }
    if (row.status === 'requires_action') return this.syncAfterDonorAction(row);
    if (row.status !== 'unconfirmed') return this.#awaitOutcome(row);
    return this.#awaitOutcomeWithTimeout(
      row,
      this.#paymentService.resumeCharge(row, request.payment),
    );
  }

  syncAfterDonorAction(row: Donation): Promise<DonationOutcome> {
    return isUnfinished(row)
      ? this.#awaitOutcomeWithTimeout(row, this.#paymentService.syncDonation(row))
      : this.#awaitOutcome(row);
  }

  cancelDonation(row: Donation): Promise<DonationOutcome> {
    return this.#awaitOutcome(
      row,
      row.status === 'requires_action' ? this.#paymentService.cancelPayment(row) : undefined,
    );
  }

  /** @param isLate true for old events, which the platform may already have recorded. */
  async recordPaymentEvents(
    provider: string,
    paymentEvents: readonly PaymentEvent[],
    isLate = false,
  ): Promise<void> {
    await recordPaymentEvents(paymentEvents, {
      isLate,
      organization: this.#organization.id,
      provider,
      repository: this.#options.repository,
      paymentService: this.#paymentService,
      log: this.#options.log,
    });
    void this.#wakeDeliveryWorkers();
  }

  #wakePaymentWorker(): void {
    if (this.#options.hasBackgroundJobs) this.#paymentService.wakeWorker();
  }

  async #wakeDeliveryWorkers(): Promise<void> {
    const { outboundWebhooks, outboundMail, receipts } = this.#options.repository.notifications;
    outboundWebhooks?.wakeWorkers(this.#organization.id);
    receipts?.wakeWorker(this.#organization.id);
    outboundMail?.wakeWorker(this.#organization.id);
    if (this.#options.hasBackgroundJobs) await this.#outboxRelay.wakeWorker();
  }

  async syncWithProvider(row: Donation): Promise<Donation> {
    try {
      return (await this.#paymentService.syncLatestDonation(row)).donation;
    } finally {
      this.#wakePaymentWorker();
    }
  }

  #awaitOutcomeWithTimeout(
    row: Donation,
    result: Promise<PaymentResult>,
  ): Promise<DonationOutcome> {
    return this.#awaitOutcome(
      row,
      Promise.race([
        result,
        setTimeout(REPEATED_REQUEST_TIMEOUT, { donation: row }, { ref: false }),
      ]),
    );
  }

  async #awaitOutcome(seen: Donation, result?: Promise<PaymentResult>): Promise<DonationOutcome> {
    let settled: PaymentResult | undefined;
    try {
      settled = (await result) ?? { donation: seen };
    } finally {
      if (!settled || isUnfinished(settled.donation)) this.#wakePaymentWorker();
    }
    const { donation: row, action } = settled;
    if (row.status !== 'succeeded' || this.#waitingCount >= MAX_WAITING_RESPONSES)
      return toOutcome(row, action);
    this.#waitingCount += 1;
    await Promise.race([
      this.#wakeDeliveryWorkers(),
      setTimeout(GIFT_ID_TIMEOUT, undefined, { ref: false }),
    ]);
    this.#waitingCount -= 1;
    return toOutcome((await this.#options.repository.findByReference(seen.reference)) ?? row);
  }
}

/** Builds the payload of a validated request. */
function createDonationPayload(
  request: DonationRequest,
  definition: FormDefinition,
  { providerType, instructions }: PaymentOption,
): DonationPayload {
  const { gift, donor, customFields, consents, giftAid, tracking, form } = request;
  const { provider, method } = request.payment;
  const currency = definition.currencies.find(({ code }) => code === gift.currency)!;
  const getProject = (projectId: string) => {
    const { id, code, name } = definition.projects.find((project) => project.id === projectId)!;
    return { id, code, name };
  };
  const feeProjectId = gift.coveredFees > 0 ? currency.feeCover?.projectId : undefined;
  return {
    gift,
    donor,
    customFields,
    consents,
    giftAid,
    tracking,
    form,
    payment: { provider, method, providerType },
    organization: definition.organization.name,
    receiptSender: definition.receiptSender,
    isTest: definition.isTest,
    instructions: instructions?.[findLanguage(form.language) ?? 'en'],
    decimals: currency.decimals,
    projects: gift.projects.map(({ id }) => getProject(id)),
    ...(feeProjectId !== undefined && { feeProject: getProject(feeProjectId) }),
  };
}

/** The donation service of each organization. */
export class DonationServices {
  readonly #options: Omit<DonationServiceOptions, 'organization'>;
  readonly #services = new Map<string, DonationService>();

  constructor(options: Omit<DonationServiceOptions, 'organization'>) {
    this.#options = options;
  }

  /** Keeps the services of removed organizations, whose work must finish. */
  replaceOrganizations(organizations: readonly Organization[]): void {
    for (const organization of organizations) {
      const service = this.#services.get(organization.id);
      if (service) service.replaceOrganization(organization);
      else
        this.#services.set(
          organization.id,
          new DonationService({ ...this.#options, organization }),
        );
    }
  }

  get all(): readonly DonationService[] {
    return [...this.#services.values()];
  }

  /** Finds the service of an organization, even one removed from the configuration. */
  find(organizationId: string): DonationService | undefined {
    return this.#services.get(organizationId);
  }
}
