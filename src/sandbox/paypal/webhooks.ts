import { isLoopback } from '../lib/request-parsing.ts';
import type { DeliveryQueue } from '../webhooks/delivery-queue.ts';
import { createErrorDetail, InvalidRequestError, NotFoundError } from './api-error.ts';
import { createLink } from './context.ts';
import type { EventLog, RecordedEvent } from './events.ts';
import { createId } from './ids.ts';
import { createWebhookHeaders, type Transmission, verifyTransmission } from './signature.ts';

export interface Webhook {
  readonly id: string;
  readonly url: string;
  /** Names of event types. `*` stands for all event types. */
  readonly eventTypes: readonly string[];
}

export interface DeliveryOptions {
  /** Events to send. Default: all events so far. */
  readonly events?: readonly { readonly id: string }[];
  /** Number of times to send each event. */
  readonly times?: number;
  readonly order?: 'original' | 'reversed' | 'shuffled';
  /** Webhook ID to include in the signature. Default: the ID of the webhook with the given URL. */
  readonly webhookId?: string;
  /** Transmission time to include in the signature. */
  readonly time?: Date;
}

export interface WebhooksOptions {
  readonly events: EventLog;
  readonly queue: DeliveryQueue;
  readonly allowRemote: boolean;
  readonly getBaseUrl: () => string;
}

const MAX_WEBHOOKS = 10;

/** Manages the webhooks of the seller's app and delivers events to them. */
export class Webhooks {
  readonly #options: WebhooksOptions;
  readonly #webhooks = new Map<string, Webhook>();

  constructor(options: WebhooksOptions) {
    this.#options = options;
    options.events.addListener((event) => {
      this.#enqueueDeliveries(event);
    });
  }

  listWebhooks(): Webhook[] {
    return [...this.#webhooks.values()];
  }

  /**
   * Returns a webhook.
   * @throws NotFoundError if the webhook does not exist.
   */
  getWebhook(id: string): Webhook {
    const webhook = this.#webhooks.get(id);
    if (!webhook) throw new NotFoundError();
    return webhook;
  }

  /**
   * Adds a webhook.
   * @throws InvalidRequestError if the emulator does not accept the URL.
   */
  addWebhook({
    id = createId(),
    url,
    eventTypes,
  }: Omit<Webhook, 'id'> & { readonly id?: string }): Webhook {
    if (!URL.canParse(url)) throw createUrlError('INVALID_PARAMETER_SYNTAX', url);
    const { protocol, hostname } = new URL(url);
    // PayPal accepts HTTPS only. The emulator also accepts HTTP for loopback hosts.
    const isAccepted = isLoopback(hostname) || (this.#options.allowRemote && protocol === 'https:');
    if (!isAccepted) throw createUrlError('WEBHOOK_URL_INVALID', url);
    if (this.listWebhooks().some((webhook) => webhook.url === url))
      throw createUrlError('WEBHOOK_URL_ALREADY_EXISTS', url);
    if (this.#webhooks.size >= MAX_WEBHOOKS)
      throw createUrlError('WEBHOOK_NUMBER_LIMIT_EXCEEDED', url);
    const webhook = { id, url, eventTypes };
    this.#webhooks.set(id, webhook);
    return webhook;
  }

  deleteWebhook(id: string): void {
    this.#webhooks.delete(this.getWebhook(id).id);
  }

  /**
   * Verifies a webhook's signature for the body that the caller received.
   * @param eventText text of the event, unchanged from the caller's request.
   */
  verifyTransmission(
    transmission: Omit<Transmission, 'body'>,
    signature: string,
    eventText: string,
  ): boolean {
    return (
      this.#webhooks.has(transmission.webhookId) &&
      verifyTransmission({ ...transmission, body: eventText }, signature)
    );
  }

  /**
   * Sends an event again to the given webhooks. Default: all webhooks that subscribe to the event's
   * type.
   */
  resendEvent(event: RecordedEvent, webhookIds?: readonly string[]): void {
    this.#enqueueDeliveries(event, webhookIds);
  }

  /**
   * Sends events to a URL one at a time, and waits for the responses.
   * @returns the HTTP status codes of the responses.
   */
  async deliverEvents(
    url: string,
    { events, times = 1, order = 'original', webhookId, time = new Date() }: DeliveryOptions = {},
  ): Promise<number[]> {
    const { events: log } = this.#options;
    const id =
      webhookId ??
      this.listWebhooks().find((webhook) => webhook.url === url)?.id ??
      this.addWebhook({ url, eventTypes: ['*'] }).id;
    const selected = (events ?? log.recorded).map((event) => log.findEvent(event.id)!);
    const statuses: number[] = [];
    for (const { body } of applyDeliveryOrder(
      selected.flatMap((event) => Array.from({ length: times }, () => event)),
      order,
    )) {
      const headers = this.createHeaders(id, body, time);
      const response = await fetch(url, { method: 'POST', body, headers });
      await response.body?.cancel();
      statuses.push(response.status);
    }
    return statuses;
  }

  createHeaders(webhookId: string, body: string, time: Date): Record<string, string> {
    return createWebhookHeaders(
      { webhookId, body, time: toSeconds(time) },
      this.#options.getBaseUrl(),
    );
  }

  serializeWebhook({ id, url, eventTypes }: Webhook): object {
    const href = `${this.#options.getBaseUrl()}/v1/notifications/webhooks/${id}`;
    return {
      id,
      url,
      event_types: eventTypes.map((name) => ({ name })),
      links: [createLink(href, 'self')],
    };
  }

  #enqueueDeliveries({ type, body }: RecordedEvent, webhookIds?: readonly string[]): void {
    for (const { id, url, eventTypes } of this.listWebhooks()) {
      const isSelected =
        webhookIds?.includes(id) ?? (eventTypes.includes('*') || eventTypes.includes(type));
      if (!isSelected) continue;
      this.#options.queue.enqueueDelivery({
        receiver: id,
        // Signs each attempt with the system time instead of the sandbox's time, because receivers
        // reject events with old timestamps.
        createRequest: () => ({ url, body, headers: this.createHeaders(id, body, new Date()) }),
        onFinished: () => undefined,
      });
    }
  }
}

function createUrlError(issue: string, url: string): InvalidRequestError {
  return new InvalidRequestError([
    createErrorDetail(issue, { field: '/url', value: url, location: 'body' }),
  ]);
}

const toSeconds = (time: Date): string => time.toISOString().replace(/\.\d+Z$/, 'Z');

function applyDeliveryOrder<Item>(
  items: readonly Item[],
  order: Required<DeliveryOptions>['order'],
): Item[] {
  if (order === 'reversed') return items.toReversed();
  if (order === 'original') return [...items];
  return items
    .map((item) => ({ item, rank: Math.random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
