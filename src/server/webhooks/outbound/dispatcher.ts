import type { DonationStatus } from '@donation-form/core/donation';
import type { Database } from '../../database/database.ts';
import type { OutboxEntry, WebhookMessageRow } from '../../database/schema.ts';
import { loadEntryContext, type OutboundWebhooks } from '../../donations/outbox-entries.ts';
import { PollingWorker } from '../../jobs/polling-worker.ts';
import { describeError, type ErrorDescription } from '../../lib/describe-error.ts';
import { hashSha256 } from '../../lib/hash.ts';
import type { Logger } from '../../lib/logger.ts';
import { calculateNextAttemptTime } from '../../lib/retry-schedule.ts';
import type { Organization } from '../../organizations/organization.ts';
import type { WebhookEndpoint } from '../../organizations/outbound-webhook-endpoint.ts';
import { DeliveryQueue, type EndpointKey, type MessageCount } from './delivery-queue.ts';
import { createWebhookMessage, getWebhookEventType } from './message.ts';
import { type AttemptResult, sendMessage } from './send-message.ts';

export interface WebhookDispatcherOptions {
  readonly database: Database;
  /** If false, only `donation-form jobs run` delivers messages. */
  readonly hasBackgroundJobs?: boolean | undefined;
  readonly log: Logger;
  readonly now: () => number;
}

export interface UndeliveredMessages extends MessageCount {
  readonly isConfigured: boolean;
}

const formatEndpointKey = ({ organization, url }: EndpointKey): string => `${organization} ${url}`;

/** A hash, so that a server restored from a backup sends the event with the same ID. */
function createMessageId({ organization, url }: EndpointKey, event: string): string {
  return `msg_${hashSha256(JSON.stringify([organization, url, event]))}`;
}

/**
 * Sends each event at least once, with the same ID, as a Standard Webhook. Each endpoint has its
 * own worker, so a slow one does not delay others.
 */
export class WebhookDispatcher implements OutboundWebhooks {
  readonly queue: DeliveryQueue;
  readonly #options: WebhookDispatcherOptions;
  readonly #workers = new Map<string, PollingWorker<WebhookMessageRow>>();
  readonly #cooldowns = new Map<string, number>();
  readonly #stopping = new AbortController();
  #endpoints: ReadonlyMap<string, readonly WebhookEndpoint[]> = new Map();

  constructor(options: WebhookDispatcherOptions) {
    this.#options = options;
    this.queue = new DeliveryQueue(options.database);
  }

  /** Replaces the endpoints. Messages to other endpoints stay in the queue without being sent. */
  replaceEndpoints(organizations: readonly Pick<Organization, 'id' | 'webhookEndpoints'>[]): void {
    this.#endpoints = new Map(
      organizations.map(({ id, webhookEndpoints = [] }) => [id, webhookEndpoints]),
    );
  }

  buildMessages(event: OutboxEntry, status?: DonationStatus): readonly WebhookMessageRow[] {
    const { id, organization, kind } = event;
    const endpoints = this.#endpoints.get(organization) ?? [];
    const type = getWebhookEventType(kind, status);
    if (type === undefined) return [];
    return endpoints
      .filter(({ events }) => events.has(type))
      .map(({ url }) => ({
        id: createMessageId({ organization, url }, id),
        organization,
        url,
        event: id,
        type,
        lastError: null,
        ...this.queue.buildFirstAttemptColumns(),
      }));
  }

  wakeAllWorkers(): void {
    for (const organization of this.#endpoints.keys()) this.wakeWorkers(organization);
  }

  wakeWorkers(organization: string): void {
    if (this.#options.hasBackgroundJobs === false || this.#stopping.signal.aborted) return;
    for (const { url } of this.#endpoints.get(organization) ?? [])
      void this.#getWorker({ organization, url }).wake();
  }

  async listUndelivered(): Promise<UndeliveredMessages[]> {
    const counts = await this.queue.countUndelivered();
    return counts.map((count) => ({
      ...count,
      isConfigured: this.#findEndpoint(count) !== undefined,
    }));
  }

  listUndeliveredAbout(
    organization: string,
    events: readonly Pick<OutboxEntry, 'id'>[],
  ): Promise<WebhookMessageRow[]> {
    const endpoints = this.#endpoints.get(organization) ?? [];
    return this.queue.listMessagesAbout(
      events.map(({ id }) => id),
      { organization, urls: endpoints.map(({ url }) => url) },
    );
  }

  /** Makes failed messages to configured endpoints due now. Returns their number. */
  retryFailedMessages(): Promise<number> {
    return this.#makeMessagesDue((endpoint) => this.queue.makeFailedMessagesDue(endpoint));
  }

  /** Returns the number of messages, or `undefined` if no endpoint has the new URL. */
  async redirectMessages(fromUrl: string, toUrl: string): Promise<number | undefined> {
    if (!this.#listEndpoints().some(({ url }) => url === toUrl)) return undefined;
    return this.#makeMessagesDue(async (endpoint) =>
      endpoint.url === toUrl ? this.queue.redirectMessages(fromUrl, endpoint) : 0,
    );
  }

  /** Starts no attempt after `stop`. @throws {Error} if the database does not respond. */
  async sendDueMessages(stop: AbortSignal): Promise<void> {
    await Promise.all(
      this.#listEndpoints().map((endpoint) => this.#getWorker(endpoint).handleDueRows(stop)),
    );
  }

  /** Attempts in progress are repeated later with the same message ID. */
  async stopWorkers(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#workers.values()].map((worker) => worker.stop()));
  }

  /** Sends the messages without waiting for cooldowns to end. */
  async #makeMessagesDue(makeDue: (endpoint: EndpointKey) => Promise<number>): Promise<number> {
    const counts = await Promise.all(this.#listEndpoints().map(makeDue));
    this.#cooldowns.clear();
    this.wakeAllWorkers();
    return counts.reduce((sum, count) => sum + count, 0);
  }

  #listEndpoints(): EndpointKey[] {
    return [...this.#endpoints].flatMap(([organization, endpoints]) =>
      endpoints.map(({ url }) => ({ organization, url })),
    );
  }

  #findEndpoint({ organization, url }: EndpointKey): WebhookEndpoint | undefined {
    return this.#endpoints.get(organization)?.find((endpoint) => endpoint.url === url);
  }

  #getWorker(endpoint: EndpointKey): PollingWorker<WebhookMessageRow> {
    const key = formatEndpointKey(endpoint);
    const existing = this.#workers.get(key);
    if (existing) return existing;
    const { queue } = this;
    const isConfigured = (): boolean => this.#findEndpoint(endpoint) !== undefined;
    const worker = new PollingWorker<WebhookMessageRow>({
      ...this.#options,
      organization: endpoint.organization,
      listDue: async (limit) => (isConfigured() ? queue.listDueMessages(endpoint, limit) : []),
      findNextDueTime: async () => (isConfigured() ? queue.findNextDueTime(endpoint) : undefined),
      claim: this.#options.database.isShared ? (row) => queue.claimMessage(row) : undefined,
      handle: (row) => this.#attemptDelivery(row),
      getEarliestRunTime: () => this.#cooldowns.get(key) ?? 0,
    });
    this.#workers.set(key, worker);
    return worker;
  }

  async #attemptDelivery(row: WebhookMessageRow): Promise<void> {
    const { now } = this.#options;
    const { signal } = this.#stopping;
    const endpoint = this.#findEndpoint(row);
    if (!endpoint) return;
    if (await this.queue.isEndpointGone(row)) return this.queue.markEndpointGone(row);
    const context = await loadEntryContext(this.#options.database.db, row.event);
    let result: AttemptResult;
    try {
      const body = JSON.stringify(createWebhookMessage(row.type, context));
      result = await sendMessage(endpoint, { id: row.id, body, now: now(), signal });
    } catch (error) {
      if (!signal.aborted) await this.#retryOrFail(row, describeError(error));
      return;
    }
    await this.#recordAttemptResult(row, result);
  }

  async #recordAttemptResult(
    row: WebhookMessageRow,
    { kind, status, cooldownUntil }: AttemptResult,
  ): Promise<void> {
    if (kind === 'delivered') return this.queue.deleteDelivered(row);
    if (kind === 'rejected') {
      if (cooldownUntil !== undefined) this.#cooldowns.set(formatEndpointKey(row), cooldownUntil);
      return this.#retryOrFail(row, { status }, cooldownUntil);
    }
    this.#options.log.error(
      { ...this.#describeMessage(row), status },
      'the webhook endpoint responded with 410 Gone, so the server no longer sends messages to ' +
        'the endpoint; to resume, run donation-form webhooks retry',
    );
    return this.queue.markEndpointGone(row);
  }

  async #retryOrFail(
    row: WebhookMessageRow,
    failure: Partial<ErrorDescription>,
    notBefore?: number,
  ): Promise<void> {
    const { log, now } = this.#options;
    const { status, code, error } = failure;
    const reason = status === undefined ? `no response (${code ?? error})` : `status ${status}`;
    const retryAt = calculateNextAttemptTime({
      failures: row.attempts + 1,
      createdAt: row.createdAt,
      now: now(),
      notBefore,
    });
    if (retryAt === undefined) {
      log.error(
        { ...this.#describeMessage(row), ...failure },
        'cannot deliver a webhook message, and no attempts are left; fix the endpoint, then ' +
          'run donation-form webhooks retry',
      );
      return this.queue.markFailed(row, reason);
    }
    log.warn(
      { ...this.#describeMessage(row), ...failure, retryAt: new Date(retryAt).toISOString() },
      'cannot deliver a webhook message; will retry later',
    );
    return this.queue.postponeMessage(row, reason, retryAt);
  }

  /** Omits the URL, which may contain a secret. */
  #describeMessage(row: WebhookMessageRow) {
    const { organization, id: webhook, type: event } = row;
    return { organization, webhook, event, endpoint: this.#findEndpoint(row)?.settingPath };
  }
}
