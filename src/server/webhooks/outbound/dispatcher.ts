import type { Transaction } from 'kysely';
import type { Logger } from '../../lib/logger.ts';
import { PollingWorker } from '../../jobs/polling-worker.ts';
import type { OutboundWebhooks } from '../../donations/outbox-repository.ts';
import { sha256 } from '../../lib/hash.ts';
import type { Organization } from '../../organizations/organization.ts';
import { describeError, type ErrorDescription } from '../../lib/describe-error.ts';
import type { Database } from '../../database/database.ts';
import type { EventRow, SiteWebhookRow, Tables } from '../../database/schema.ts';
import type { WebhookEndpoint } from '../../organizations/webhook-endpoint.ts';
import { DeliveryQueue, type Place, type FailedMessages } from './delivery-queue.ts';
import { messageOf, siteEventOf } from './message.ts';
import { nextTry } from './retry-schedule.ts';
import { send, type Answer } from './send.ts';

export interface WebhookDispatcherOptions {
  readonly store: Database;
  /** No process stays alive: sending is left to a drain. */
  readonly isDrained?: boolean | undefined;
  readonly log: Logger;
  readonly now: () => number;
}

/** A place as it is kept in a map. */
const nameOf = ({ organization, url }: Place): string => `${organization} ${url}`;

/**
 * Tells the organisations' own servers what happens to gifts, in the form of Standard Webhooks:
 * each thing at least once, under an id that stays the same. Each address is served by itself.
 */
export class WebhookDispatcher implements OutboundWebhooks {
  readonly box: DeliveryQueue;
  readonly #options: WebhookDispatcherOptions;
  readonly #loops = new Map<string, PollingWorker<SiteWebhookRow>>();
  /** Until when an address is left alone, in milliseconds since 1970. */
  readonly #rests = new Map<string, number>();
  readonly #stopping = new AbortController();
  #addresses: ReadonlyMap<string, readonly WebhookEndpoint[]> = new Map();
  #isStarted = false;

  constructor(options: WebhookDispatcherOptions) {
    this.#options = options;
    this.box = new DeliveryQueue(options.store, options.now);
  }

  /**
   * Takes the organisations' addresses as they are configured from now on. What waits for one that
   * is not among them is not sent.
   */
  use(organizations: readonly Pick<Organization, 'id' | 'webhooks'>[]): void {
    this.#addresses = new Map(organizations.map(({ id, webhooks = [] }) => [id, webhooks]));
    if (this.#isStarted) this.start();
  }

  async enqueue(transaction: Transaction<Tables>, event: EventRow): Promise<void> {
    const { id, organization, kind, reference } = event;
    const addresses = this.#addresses.get(organization) ?? [];
    if (addresses.length === 0) return;
    const gift =
      kind === 'gift'
        ? await transaction
            .selectFrom('donations')
            .select('state')
            .where('reference', '=', reference)
            .executeTakeFirst()
        : undefined;
    const type = siteEventOf(kind, gift?.state);
    if (type === undefined) return;
    // A copy of the store that hears of the same thing sends it under the same id.
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
    for (const organization of this.#addresses.keys()) this.wake(organization);
  }

  wake(organization: string): void {
    if (this.#options.isDrained || this.#stopping.signal.aborted) return;
    for (const { url } of this.#addresses.get(organization) ?? [])
      void this.#loop({ organization, url }).wake();
  }

  /** What no address has taken yet. */
  async unsent(): Promise<FailedMessages[]> {
    return (await this.box.unsent()).map((one) => ({
      ...one,
      isConfigured: this.#find(one) !== undefined,
    }));
  }

  /**
   * Tries everything once more that an address of the configuration did not take.
   * @returns how much that is.
   */
  resend(): Promise<number> {
    return this.#renew((place) => this.box.resend(place));
  }

  /**
   * Sends what was to be told to an address to another one of the same organisation.
   * @returns how much that is; `undefined` where the configuration does not have the other one.
   */
  async move(from: string, to: string): Promise<number | undefined> {
    return this.#places().some(({ url }) => url === to)
      ? this.#renew(async (place) => (place.url === to ? this.box.move(from, place) : 0))
      : undefined;
  }

  async #renew(each: (place: Place) => Promise<number>): Promise<number> {
    const counts = await Promise.all(this.#places().map(each));
    this.#rests.clear();
    for (const organization of this.#addresses.keys()) this.wake(organization);
    return counts.reduce((sum, count) => sum + count, 0);
  }

  #places(): Place[] {
    return [...this.#addresses].flatMap(([organization, addresses]) =>
      addresses.map(({ url }) => ({ organization, url })),
    );
  }

  /**
   * Sends what is due, and does not come back.
   * @param until nothing is begun once it is aborted.
   * @throws where the store does not answer.
   */
  async drain(until: AbortSignal): Promise<void> {
    await Promise.all(this.#places().map((place) => this.#loop(place).drain(until)));
  }

  /** Ends at once: what is being sent is sent again later, under its id. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#loops.values()].map((loop) => loop.stop()));
  }

  #find({ organization, url }: Place): WebhookEndpoint | undefined {
    return this.#addresses.get(organization)?.find((address) => address.url === url);
  }

  #loop(place: Place): PollingWorker<SiteWebhookRow> {
    const name = nameOf(place);
    const loop = this.#loops.get(name) ?? this.#loopOf(place);
    this.#loops.set(name, loop);
    return loop;
  }

  #loopOf(place: Place): PollingWorker<SiteWebhookRow> {
    const { store } = this.#options;
    const { box } = this;
    return new PollingWorker({
      ...this.#options,
      organization: place.organization,
      due: async (limit) => (this.#find(place) ? box.due(place, limit) : []),
      nextDue: async () => (this.#find(place) ? box.nextDue(place) : undefined),
      claim: store.isShared ? (row) => box.claim(row) : undefined,
      work: (row) => this.#send(row),
      silentUntil: () => this.#rests.get(nameOf(place)) ?? 0,
    });
  }

  async #send(row: SiteWebhookRow): Promise<void> {
    const { now } = this.#options;
    const { signal } = this.#stopping;
    const address = this.#find(row);
    if (!address) return;
    if (await this.box.isGone(row)) return this.box.gone(row);
    try {
      const subject = await this.box.subjectOf(row);
      const body = JSON.stringify(messageOf(row.type, subject));
      await this.#settle(row, await send(address, { id: row.id, body, now: now(), signal }));
    } catch (error) {
      if (!signal.aborted) await this.#postpone(row, describeError(error));
    }
  }

  async #settle(row: SiteWebhookRow, { kind, status, restUntil }: Answer): Promise<void> {
    const { log } = this.#options;
    const { organization, id: webhook, type: event } = row;
    if (kind === 'taken') return this.box.taken(row);
    if (kind === 'refused') {
      if (restUntil !== undefined) this.#rests.set(nameOf(row), restUntil);
      return this.#postpone(row, { status }, restUntil);
    }
    log.error(
      { organization, webhook, event, address: this.#find(row)?.place, status },
      "the site's server wants no messages any more, so nothing is sent there until donation-form webhooks resend",
    );
    return this.box.gone(row);
  }

  /** The others go on. */
  async #postpone(
    row: SiteWebhookRow,
    about: Partial<ErrorDescription>,
    notBefore?: number,
  ): Promise<void> {
    const { log, now } = this.#options;
    const { organization, id: webhook, type: event, attempts, created_at: createdAt } = row;
    const dueAt = nextTry({ failures: attempts + 1, createdAt, now: now(), notBefore });
    const { status, code, error } = about;
    const words = status === undefined ? `no answer (${code ?? error})` : `status ${status}`;
    log[dueAt === undefined ? 'error' : 'warn'](
      {
        organization,
        webhook,
        event,
        address: this.#find(row)?.place,
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
