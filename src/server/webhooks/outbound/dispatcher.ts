import type { Transaction } from 'kysely';
import type { Logger } from '../../lib/logger.ts';
import { PollingWorker } from '../../jobs/polling-worker.ts';
import type { OutboundWebhooks } from '../../donations/outbox-repository.ts';
import { sha256 } from '../../lib/hash.ts';
import type { Organization } from '../../organizations/organization.ts';
import { describeError, type ErrorDescription } from '../../lib/describe-error.ts';
import type { Database } from '../../database/database.ts';
import type { OutboxEvent, WebhookMessageRow, Tables } from '../../database/schema.ts';
import type { WebhookEndpoint } from '../../organizations/webhook-endpoint.ts';
import { DeliveryQueue, type EndpointKey, type FailedMessages } from './delivery-queue.ts';
import { createWebhookMessage, toOutboundWebhookEvent } from './message.ts';
import { calculateNextAttempt } from './retry-schedule.ts';
import { send, type AttemptResult } from './send.ts';

export interface WebhookDispatcherOptions {
  readonly database: Database;
  /** If false, leaves delivery to `donation-form jobs run`. */
  readonly hasBackgroundJobs?: boolean | undefined;
  readonly log: Logger;
  readonly now: () => number;
}

/** A place as it is kept in a map. */
const formatEndpointKey = ({ organization, url }: EndpointKey): string => `${organization} ${url}`;

/**
 * Tells the organisations' own servers what happens to gifts, in the form of Standard Webhooks:
 * each thing at least once, under an id that stays the same. Each address is served by itself.
 */
export class WebhookDispatcher implements OutboundWebhooks {
  readonly box: DeliveryQueue;
  readonly #options: WebhookDispatcherOptions;
  readonly #workers = new Map<string, PollingWorker<WebhookMessageRow>>();
  /** Until when an address is left alone, in milliseconds since 1970. */
  readonly #cooldowns = new Map<string, number>();
  readonly #stopping = new AbortController();
  #endpoints: ReadonlyMap<string, readonly WebhookEndpoint[]> = new Map();
  #isStarted = false;

  constructor(options: WebhookDispatcherOptions) {
    this.#options = options;
    this.box = new DeliveryQueue(options.database, options.now);
  }

  /**
   * Takes the organisations' addresses as they are configured from now on. What waits for one that
   * is not among them is not sent.
   */
  use(organizations: readonly Pick<Organization, 'id' | 'webhooks'>[]): void {
    this.#endpoints = new Map(organizations.map(({ id, webhooks = [] }) => [id, webhooks]));
    if (this.#isStarted) this.start();
  }

  async enqueue(transaction: Transaction<Tables>, event: OutboxEvent): Promise<void> {
    const { id, organization, kind, reference } = event;
    const addresses = this.#endpoints.get(organization) ?? [];
    if (addresses.length === 0) return;
    const gift =
      kind === 'donation'
        ? await transaction
            .selectFrom('donations')
            .select('status')
            .where('reference', '=', reference)
            .executeTakeFirst()
        : undefined;
    const type = toOutboundWebhookEvent(kind, gift?.status);
    if (type === undefined) return;
    // A copy of the database that hears of the same thing sends it under the same id.
    for (const { url, events } of addresses)
      if (events.has(type))
        await this.box.keep(transaction, {
          id: `msg_${sha256(JSON.stringify([organization, url, id]))}`,
          organization,
          url,
          event: id,
          type,
        });
  }

  /** Sends what is due, now and from now on. */
  start(): void {
    this.#isStarted = true;
    for (const organization of this.#endpoints.keys()) this.wake(organization);
  }

  wake(organization: string): void {
    if (this.#options.hasBackgroundJobs === false || this.#stopping.signal.aborted) return;
    for (const { url } of this.#endpoints.get(organization) ?? [])
      void this.#getWorker({ organization, url }).wake();
  }

  /** What no address has taken yet. */
  async unsent(): Promise<FailedMessages[]> {
    return (await this.box.unsent()).map((one) => ({
      ...one,
      isConfigured: this.#findEndpoint(one) !== undefined,
    }));
  }

  /**
   * Tries everything once more that an address of the configuration did not take.
   * @returns how much that is.
   */
  resend(): Promise<number> {
    return this.#requeue((place) => this.box.resend(place));
  }

  /**
   * Sends what was to be told to an address to another one of the same organisation.
   * @returns how much that is; `undefined` where the configuration does not have the other one.
   */
  async move(from: string, to: string): Promise<number | undefined> {
    return this.#listEndpoints().some(({ url }) => url === to)
      ? this.#requeue(async (place) => (place.url === to ? this.box.move(from, place) : 0))
      : undefined;
  }

  async #requeue(each: (place: EndpointKey) => Promise<number>): Promise<number> {
    const counts = await Promise.all(this.#listEndpoints().map(each));
    this.#cooldowns.clear();
    for (const organization of this.#endpoints.keys()) this.wake(organization);
    return counts.reduce((sum, count) => sum + count, 0);
  }

  #listEndpoints(): EndpointKey[] {
    return [...this.#endpoints].flatMap(([organization, addresses]) =>
      addresses.map(({ url }) => ({ organization, url })),
    );
  }

  /**
   * Delivers the messages that are due.
   * @param stop no delivery starts once it is aborted.
   * @throws {Error} if the database does not answer.
   */
  async runDue(stop: AbortSignal): Promise<void> {
    await Promise.all(this.#listEndpoints().map((place) => this.#getWorker(place).runDue(stop)));
  }

  /** Ends at once: what is being sent is sent again later, under its id. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#workers.values()].map((loop) => loop.stop()));
  }

  #findEndpoint({ organization, url }: EndpointKey): WebhookEndpoint | undefined {
    return this.#endpoints.get(organization)?.find((address) => address.url === url);
  }

  #getWorker(place: EndpointKey): PollingWorker<WebhookMessageRow> {
    const name = formatEndpointKey(place);
    const loop = this.#workers.get(name) ?? this.#createWorker(place);
    this.#workers.set(name, loop);
    return loop;
  }

  #createWorker(place: EndpointKey): PollingWorker<WebhookMessageRow> {
    const { database } = this.#options;
    const { box } = this;
    return new PollingWorker({
      ...this.#options,
      organization: place.organization,
      listDue: async (limit) => (this.#findEndpoint(place) ? box.due(place, limit) : []),
      findNextDueTime: async () => (this.#findEndpoint(place) ? box.nextDue(place) : undefined),
      claim: database.isShared ? (row) => box.claim(row) : undefined,
      handle: (row) => this.#attemptDelivery(row),
      getBackoffUntil: () => this.#cooldowns.get(formatEndpointKey(place)) ?? 0,
    });
  }

  async #attemptDelivery(row: WebhookMessageRow): Promise<void> {
    const { now } = this.#options;
    const { signal } = this.#stopping;
    const address = this.#findEndpoint(row);
    if (!address) return;
    if (await this.box.isGone(row)) return this.box.gone(row);
    try {
      const subject = await this.box.loadSubject(row);
      const body = JSON.stringify(createWebhookMessage(row.type, subject));
      await this.#handleAttempt(row, await send(address, { id: row.id, body, now: now(), signal }));
    } catch (error) {
      if (!signal.aborted) await this.#retryOrGiveUp(row, describeError(error));
    }
  }

  async #handleAttempt(
    row: WebhookMessageRow,
    { kind, status, restUntil }: AttemptResult,
  ): Promise<void> {
    const { log } = this.#options;
    const { organization, id: webhook, type: event } = row;
    if (kind === 'taken') return this.box.taken(row);
    if (kind === 'refused') {
      if (restUntil !== undefined) this.#cooldowns.set(formatEndpointKey(row), restUntil);
      return this.#retryOrGiveUp(row, { status }, restUntil);
    }
    log.error(
      { organization, webhook, event, address: this.#findEndpoint(row)?.settingPath, status },
      "the site's server wants no messages any more, so nothing is sent there until donation-form webhooks retry",
    );
    return this.box.gone(row);
  }

  /** The others go on. */
  async #retryOrGiveUp(
    row: WebhookMessageRow,
    about: Partial<ErrorDescription>,
    notBefore?: number,
  ): Promise<void> {
    const { log, now } = this.#options;
    const { organization, id: webhook, type: event, attempts, created_at: createdAt } = row;
    const dueAt = calculateNextAttempt({
      failures: attempts + 1,
      createdAt,
      now: now(),
      notBefore,
    });
    const { status, code, error } = about;
    const words = status === undefined ? `no answer (${code ?? error})` : `status ${status}`;
    log[dueAt === undefined ? 'error' : 'warn'](
      {
        organization,
        webhook,
        event,
        address: this.#findEndpoint(row)?.settingPath,
        ...about,
        ...(dueAt !== undefined && { retryAt: new Date(dueAt).toISOString() }),
      },
      dueAt === undefined
        ? "the site's server did not take a message, which is given up"
        : "the site's server has not taken a message yet",
    );
    await (dueAt === undefined
      ? this.box.givenUp(row, words)
      : this.box.postponed(row, words, dueAt));
  }
}
