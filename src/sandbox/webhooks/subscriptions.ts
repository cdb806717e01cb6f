import { randomUUID } from 'node:crypto';
import {
  EVENT_TYPES,
  type EventType,
  formatEnumValues,
  getEnumName,
  GIFT_EVENT_TYPES,
  parseEnumValue,
  WEBHOOK_FORMATS,
  WEBHOOK_STATUSES,
} from '../data/enumerations.ts';
import type { Gift, NewRecord, Webhook } from '../data/records.ts';
import type { SandboxStore } from '../data/store.ts';
import type { Faults } from '../lib/faults.ts';
import {
  assertKnownNames,
  createRequestError,
  isLoopback,
  type JsonObject,
  parseString,
} from '../lib/request-parsing.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import { serializeEvent, toGiftFields, type WebhookEvent } from './payload.ts';

export interface WebhookSubscriptionsOptions {
  readonly store: SandboxStore;
  readonly faults: Faults;
  readonly now: () => Date;
  /** If true, webhook URLs can be on other machines. */
  readonly allowRemote?: boolean;
  /** Delays before each retry, in milliseconds. */
  readonly retryDelays?: readonly number[] | undefined;
}

/** Result of delivering one event to one webhook. */
export interface DeliveryResult {
  readonly webhookId: number;
  readonly eventType: EventType;
  /** ID of the changed object. */
  readonly objectId: number;
  readonly attempts: number;
  /** Status code of the last response, `no response`, or `dropped` if the queue was full. */
  readonly result: string;
  readonly date: string;
}

const MAX_DELIVERY_RESULTS = 50;

/** Notifies webhooks of events, with retries. Delivers each webhook's events in order. */
export class WebhookSubscriptions {
  readonly #store: SandboxStore;
  readonly #now: () => Date;
  readonly #allowRemote: boolean;
  readonly #deliveryQueue: DeliveryQueue;
  #deliveries: readonly DeliveryResult[] = [];

  constructor({
    store,
    faults,
    now,
    allowRemote = false,
    retryDelays,
  }: WebhookSubscriptionsOptions) {
    this.#store = store;
    this.#now = now;
    this.#allowRemote = allowRemote;
    this.#deliveryQueue = new DeliveryQueue({ faults, target: 'platform', retryDelays });
  }

  /** Most recent delivery results, newest first. */
  get deliveries(): readonly DeliveryResult[] {
    return this.#deliveries;
  }

  /**
   * Parses a webhook's fields. Each missing field retains its previous value.
   * @throws HTTPException if a field is unknown or invalid.
   */
  parseWebhook(
    fields: JsonObject,
    {
      url: previousUrl = '',
      format: previousFormat = 1,
      status: previousStatus = 1,
      eventTypes: previousEventTypes = GIFT_EVENT_TYPES,
    }: Partial<Webhook> = {},
  ): NewRecord<Webhook> {
    assertKnownNames('webhook field', Object.keys(fields), [
      'url',
      'format',
      'status',
      'eventTypes',
    ]);
    const url = parseString(fields, 'url', previousUrl);
    assertWebhookUrl(url, this.#allowRemote);
    const requestedEventTypes = fields.eventTypes ?? previousEventTypes;
    const eventTypes = Array.isArray(requestedEventTypes)
      ? requestedEventTypes.map((input: unknown) => parseEnumValue(EVENT_TYPES, input))
      : [];
    if (eventTypes.length === 0 || eventTypes.includes(undefined))
      throw createRequestError(
        `eventTypes must be an array of one or more of ${formatEnumValues(EVENT_TYPES)}.`,
      );
    const format = parseEnumValue(WEBHOOK_FORMATS, fields.format ?? previousFormat);
    const status = parseEnumValue(WEBHOOK_STATUSES, fields.status ?? previousStatus);
    if (format === undefined)
      throw createRequestError(`format must be one of ${formatEnumValues(WEBHOOK_FORMATS)}.`);
    if (status === undefined)
      throw createRequestError(`status must be one of ${formatEnumValues(WEBHOOK_STATUSES)}.`);
    return { url, format, status, eventTypes: eventTypes.filter((type) => type !== undefined) };
  }

  /** Queues an event about a gift for every active webhook that subscribes to its type. */
  notifyWebhooks(eventType: EventType, gift: Gift): void {
    const donor = this.#store.findDonorById(gift.donorId);
    this.#enqueueEvent(eventType, gift.id, { gift: toGiftFields(gift, donor) });
  }

  /**
   * Queues an event of any type, with only the object's ID.
   * @throws HTTPException if a field is unknown or invalid.
   */
  emitEvent(fields: JsonObject): void {
    assertKnownNames('event field', Object.keys(fields), ['eventType', 'id']);
    const eventType = parseEnumValue(EVENT_TYPES, fields.eventType);
    if (eventType === undefined)
      throw createRequestError(`eventType must be one of ${formatEnumValues(EVENT_TYPES)}.`);
    const { id } = fields;
    if (typeof id !== 'number' || !Number.isSafeInteger(id))
      throw createRequestError('id must be an integer.');
    const [name = ''] = getEnumName(EVENT_TYPES, eventType).split('_');
    this.#enqueueEvent(eventType, id, { [name[0]!.toLowerCase() + name.slice(1)]: { id } });
  }

  #enqueueEvent(eventType: EventType, objectId: number, object: WebhookEvent['object']): void {
    const event: WebhookEvent = {
      eventId: randomUUID(),
      eventType,
      occurredAt: this.#now().toISOString(),
      object,
    };
    for (const webhook of this.#store.listWebhooks()) {
      if (webhook.status !== WEBHOOK_STATUSES.Active || !webhook.eventTypes.includes(eventType))
        continue;
      const { contentType, body } = serializeEvent(event, webhook.format);
      const headers = {
        'Content-Type': contentType,
        'X-Sandbox-Extension': 'not in the specification',
      };
      this.#deliveryQueue.enqueueDelivery({
        receiver: webhook.id,
        createRequest: () => ({ url: webhook.url, headers, body }),
        onFinished: (tries, result) =>
          this.#addDeliveryResult({
            webhookId: webhook.id,
            eventType,
            objectId,
            attempts: tries,
            result,
            date: this.#now().toISOString(),
          }),
      });
    }
  }

  /** Aborts all pending deliveries. */
  abortDeliveries(): void {
    this.#deliveryQueue.abortDeliveries();
  }

  #addDeliveryResult(result: DeliveryResult): void {
    this.#deliveries = [result, ...this.#deliveries].slice(0, MAX_DELIVERY_RESULTS);
  }
}

/**
 * Checks that the sandbox can send webhooks to a URL.
 * @throws HTTPException if the URL is invalid or belongs to another machine.
 */
export function assertWebhookUrl(url: string, allowRemote: boolean): void {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' };
  if (protocol !== 'http:' && protocol !== 'https:')
    throw createRequestError('url must be an HTTP or HTTPS URL.');
  if (!allowRemote && !isLoopback(hostname))
    throw createRequestError(
      `url is on ${hostname}; expected a URL on this machine, such as http://127.0.0.1:4101/webhooks.`,
    );
}
