import { randomUUID } from 'node:crypto';
import { Delivery } from './delivery.ts';
import {
  EVENT_TYPES,
  valueOf,
  WEBHOOK_FORMATS,
  WEBHOOK_STATUSES,
  type EventType,
} from '../data/enumerations.ts';
import type { Faults } from '../lib/faults.ts';
import {
  isLoopback,
  readText,
  refusal,
  refuseUnknown,
  type JsonObject,
} from '../lib/request-parsing.ts';
import type { Gift, Unnumbered, Webhook } from '../data/records.ts';
import type { SandboxStore } from '../data/store.ts';
import { writePayload, type GiftEvent } from './payload.ts';

export interface WebhookOptions {
  readonly store: SandboxStore;
  readonly faults: Faults;
  readonly now: () => Date;
  /** Whether events may go to other machines. */
  readonly anywhere?: boolean;
  /** How long an event waits before each further try, in milliseconds. */
  readonly waits?: readonly number[] | undefined;
}

/** How an event reached a webhook, or did not. */
export interface Delivered {
  readonly webhookId: number;
  readonly eventType: EventType;
  readonly giftId: number;
  readonly tries: number;
  /** What came back: `200`, `500`, `no answer`, or `dropped` where too many were waiting. */
  readonly result: string;
  readonly date: string;
}

const REMEMBERED = 50;

/**
 * Tells webhooks of gifts: each in the order of the events, a few tries for each event, to this
 * machine only unless told otherwise.
 */
export class Webhooks {
  readonly #store: SandboxStore;
  readonly #now: () => Date;
  readonly #anywhere: boolean;
  readonly #delivery: Delivery;
  #deliveries: readonly Delivered[] = [];

  constructor({ store, faults, now, anywhere = false, waits }: WebhookOptions) {
    this.#store = store;
    this.#now = now;
    this.#anywhere = anywhere;
    this.#delivery = new Delivery({ faults, place: 'platform', waits });
  }

  /** The latest, the newest first. */
  get deliveries(): readonly Delivered[] {
    return this.#deliveries;
  }

  /**
   * Reads a webhook's fields, missing ones from another.
   * @throws a refusal that says what is expected.
   */
  read(
    fields: JsonObject,
    {
      url: oldUrl = '',
      format: oldFormat = 1,
      status: oldStatus = 1,
      eventTypes: oldTypes = Object.values(EVENT_TYPES),
    }: Partial<Webhook> = {},
  ): Unnumbered<Webhook> {
    refuseUnknown('field of a webhook', Object.keys(fields), [
      'url',
      'format',
      'status',
      'eventTypes',
    ]);
    const url = readText(fields, 'url', oldUrl);
    checkReach(url, this.#anywhere);
    const written = fields.eventTypes ?? oldTypes;
    const eventTypes = Array.isArray(written)
      ? written.map((one: unknown) => valueOf(EVENT_TYPES, one))
      : [];
    if (eventTypes.length === 0 || eventTypes.includes(undefined))
      throw refusal(`eventTypes must be an array of ${listed(EVENT_TYPES)}.`);
    const format = valueOf(WEBHOOK_FORMATS, fields.format ?? oldFormat);
    const status = valueOf(WEBHOOK_STATUSES, fields.status ?? oldStatus);
    if (format === undefined) throw refusal(`format must be one of ${listed(WEBHOOK_FORMATS)}.`);
    if (status === undefined) throw refusal(`status must be one of ${listed(WEBHOOK_STATUSES)}.`);
    return { url, format, status, eventTypes: eventTypes.filter((type) => type !== undefined) };
  }

  /** Tells every active webhook that wants to know. It does not wait until they heard. */
  tell(eventType: EventType, gift: Gift): void {
    const event: GiftEvent = {
      eventId: randomUUID(),
      eventType,
      occurredAt: this.#now().toISOString(),
      gift,
      donor: this.#store.donor(gift.donorId),
    };
    for (const webhook of this.#store.webhooks()) {
      if (webhook.status !== WEBHOOK_STATUSES.Active || !webhook.eventTypes.includes(eventType))
        continue;
      const { type, body } = writePayload(event, webhook.format);
      const headers = { 'Content-Type': type, 'X-Sandbox-Own': 'not in the specification' };
      this.#delivery.send({
        to: webhook.id,
        write: () => ({ url: webhook.url, headers, body }),
        ended: (tries, result) =>
          this.#remember({
            webhookId: webhook.id,
            eventType,
            giftId: gift.id,
            tries,
            result,
            date: this.#now().toISOString(),
          }),
      });
    }
  }

  /** Gives up whatever was not delivered yet. */
  close(): void {
    this.#delivery.close();
  }

  #remember(delivered: Delivered): void {
    this.#deliveries = [delivered, ...this.#deliveries].slice(0, REMEMBERED);
  }
}

/** @throws a refusal where webhooks may not go to an address. */
export function checkReach(url: string, anywhere: boolean): void {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' };
  if (protocol !== 'http:' && protocol !== 'https:')
    throw refusal('url must be an http or https address.');
  if (!anywhere && !isLoopback(hostname))
    throw refusal(
      `url names ${hostname}; this sandbox sends webhooks to this machine only, such as http://127.0.0.1:4101/….`,
    );
}

function listed(table: Readonly<Record<string, number>>): string {
  return Object.entries(table)
    .map(([name, value]) => `${value} (${name})`)
    .join(', ');
}
