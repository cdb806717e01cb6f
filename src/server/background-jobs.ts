import { sql } from 'kysely';
import { DEFAULT_TIMEOUT_SECONDS } from './admin/actions/input-values.ts';
import type { Database } from './database/database.ts';
import { NEVER } from './database/database-clock.ts';
import type { DonationServices } from './donations/donation-service.ts';
import type { DonorIndexer } from './donations/donor-index.ts';
import type { MailSender } from './mail/mail-sender.ts';
import { listQuotas } from './observability/queries.ts';
import type { Organizations } from './organizations/organizations.ts';
import type { ReceiptIssuer } from './receipts/receipt-issuer.ts';
import type { WebhookReceiver } from './webhooks/inbound/receiver.ts';
import type { WebhookDispatcher } from './webhooks/outbound/dispatcher.ts';

/** Limits for a run of background jobs. */
export interface RunDueJobsOptions {
  /** Time limit for starting jobs, in seconds. Jobs in progress can still finish. Default: 50. */
  readonly timeoutSeconds?: number;
  /** Signal that, once aborted, stops further jobs from starting. */
  readonly signal?: AbortSignal;
}

/** Result of a run of background jobs. */
export interface JobRunSummary {
  /** Number of updates sent to the platforms. */
  readonly sentUpdates: number;
  /** Number of payments checked with the payment providers. */
  readonly checkedPayments: number;
  /** Number of updates that the platforms have yet to receive. */
  readonly pendingUpdates: number;
  /** Number of webhook messages that the organizations' servers have yet to receive. */
  readonly pendingWebhooks: number;
  /** Number of messages to donors that are not sent yet. */
  readonly pendingMail: number;
  readonly paymentsInProgress: number;
  /**
   * Earliest start time of the next job, which can be in the past. Undefined if no job is pending.
   */
  readonly nextRunAt: Date | undefined;
}

export interface BackgroundJobsOptions {
  readonly organizations: Organizations;
  readonly donationServices: DonationServices;
  readonly inboundWebhooks: WebhookReceiver;
  readonly outboundWebhooks: WebhookDispatcher;
  readonly outboundMail: MailSender;
  readonly receipts: ReceiptIssuer;
  readonly donorIndexer: DonorIndexer;
  readonly database: Database;
}

/**
 * Runs payment checks, platform updates, hook calls, webhook deliveries, receipts, mail to donors,
 * and the donor index.
 */
export class BackgroundJobs {
  readonly #options: BackgroundJobsOptions;
  #isStarted = false;

  constructor(options: BackgroundJobsOptions) {
    this.#options = options;
  }

  startWorkers(): void {
    this.#isStarted = true;
    this.wakeStartedWorkers();
  }

  /** Makes started workers look for work, such as that of a new organization. */
  wakeStartedWorkers(): void {
    if (!this.#isStarted) return;
    const { donationServices, inboundWebhooks, outboundWebhooks, outboundMail, receipts } =
      this.#options;
    for (const service of donationServices.all) service.wakeWorkers();
    inboundWebhooks.wakeWorkers();
    outboundWebhooks.wakeAllWorkers();
    receipts.wakeAllWorkers();
    outboundMail.wakeAllWorkers();
    void this.#options.donorIndexer.wake();
  }

  async stopWorkers(): Promise<void> {
    this.#isStarted = false;
    const { donationServices, inboundWebhooks, outboundWebhooks, outboundMail, receipts } =
      this.#options;
    const parts = [inboundWebhooks, outboundWebhooks, outboundMail, receipts];
    await Promise.all([
      ...[...donationServices.all, ...parts].map((part) => part.stopWorkers()),
      this.#options.donorIndexer.stop(),
    ]);
  }

  /**
   * Runs due jobs until no job is left, the platform asks us to back off, or the time limit is
   * reached. Can safely run alongside servers and other runs on the same database.
   * @throws {Error} if the database does not respond.
   */
  async runDueJobs({
    timeoutSeconds = DEFAULT_TIMEOUT_SECONDS,
    signal,
  }: RunDueJobsOptions = {}): Promise<JobRunSummary> {
    const { donationServices, inboundWebhooks, outboundWebhooks, donorIndexer } = this.#options;
    const timeout = AbortSignal.timeout(timeoutSeconds * 1_000);
    const stop = signal ? AbortSignal.any([signal, timeout]) : timeout;
    const [counts] = await Promise.all([
      Promise.all(donationServices.all.map((service) => service.runDueJobs(stop))),
      inboundWebhooks.callHooksForDueWebhooks(stop),
      outboundWebhooks.sendDueMessages(stop),
      this.#sendReceiptsAndMail(stop),
      donorIndexer.indexDonations(stop),
    ]);
    // The payment checks may have queued more messages.
    await Promise.all([outboundWebhooks.sendDueMessages(stop), this.#sendReceiptsAndMail(stop)]);
    return {
      sentUpdates: counts.reduce((sum, { sentUpdates }) => sum + sentUpdates, 0),
      checkedPayments: counts.reduce((sum, { checkedPayments }) => sum + checkedPayments, 0),
      ...(await countPendingJobs(this.#options)),
    };
  }

  /** A message waits for its receipt. */
  async #sendReceiptsAndMail(stop: AbortSignal): Promise<void> {
    await this.#options.receipts.issueDueReceipts(stop);
    await this.#options.outboundMail.sendDueMessages(stop);
  }
}

type PendingJobs = Omit<JobRunSummary, 'sentUpdates' | 'checkedPayments'>;

const SUMMARY = [
  sql<number | bigint>`count(*)`.as('count'),
  sql<number | null>`min(next_run_at)`.as('nextRunAt'),
] as const;

async function countPendingJobs({
  database: { db },
  organizations,
}: BackgroundJobsOptions): Promise<PendingJobs> {
  const updates = await db
    .selectFrom('outbox')
    .where('status', '=', 'pending')
    .groupBy('organization')
    .select(['organization', ...SUMMARY])
    .execute();
  const quotas = await listQuotas(organizations.all);
  const backoffTimes = new Map(
    quotas.map(({ organization, backoffUntil }) => [organization, backoffUntil?.getTime()]),
  );
  const payments = await db
    .selectFrom('donations')
    .where('status', 'in', ['unconfirmed', 'requires_action', 'processing'])
    .where('nextRunAt', '<', NEVER)
    .select(SUMMARY)
    .executeTakeFirstOrThrow();
  const urls = organizations.all.flatMap(({ webhookEndpoints = [] }) =>
    webhookEndpoints.map(({ url }) => url),
  );
  const messages = await summarizePending(db, 'webhookMessages', 'url', urls);
  const senders = organizations.all.filter(({ mail }) => mail).map(({ id }) => id);
  const mail = await summarizePending(db, 'mailMessages', 'organization', senders);
  const issuers = organizations.all.filter(({ receipts }) => receipts).map(({ id }) => id);
  const receipts = await summarizePending(db, 'receipts', 'organization', issuers, 'due');
  const nextRunAt = Math.min(
    receipts?.nextRunAt ?? NEVER,
    messages?.nextRunAt ?? NEVER,
    mail?.nextRunAt ?? NEVER,
    ...updates.map(({ organization, nextRunAt: time }) =>
      Math.max(time ?? NEVER, backoffTimes.get(organization) ?? 0),
    ),
    payments.nextRunAt ?? NEVER,
  );
  return {
    pendingUpdates: updates.reduce((total, { count }) => total + Number(count), 0),
    pendingWebhooks: Number(messages?.count ?? 0),
    pendingMail: Number(mail?.count ?? 0),
    paymentsInProgress: Number(payments.count),
    nextRunAt: nextRunAt === NEVER ? undefined : new Date(nextRunAt),
  };
}

/** Summarizes the pending rows with one of the values, of which there may be none. */
async function summarizePending(
  db: Database['db'],
  table: 'webhookMessages' | 'mailMessages' | 'receipts',
  column: 'url' | 'organization',
  values: readonly string[],
  status: 'pending' | 'due' = 'pending',
) {
  if (values.length === 0) return undefined;
  return db
    .selectFrom(table)
    .where(sql.ref<string>('status'), '=', status)
    .where(sql.ref<string>(column), 'in', values)
    .select(SUMMARY)
    .executeTakeFirstOrThrow();
}
