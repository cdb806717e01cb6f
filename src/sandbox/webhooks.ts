import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { EVENT_TYPES, valueOf, WEBHOOK_FORMATS, WEBHOOK_STATUSES, type EventType } from './enumerations.ts';
import type { Faults } from './faults.ts';
import { isLoopback, readText, refusal, refuseUnknown, type JsonObject } from './reading.ts';
import type { Gift, Unnumbered, Webhook } from './records.ts';
import type { SandboxStore } from './store.ts';
import { writePayload, type GiftEvent } from './webhook-payload.ts';

export interface WebhookOptions {
  readonly store: SandboxStore;
  readonly faults: Faults;
  readonly now: () => Date;
  /** Whether events may go to other machines. */
  readonly anywhere?: boolean;
  /** How long it waits before each further try, in milliseconds; as many tries as there are waits. */
  readonly waits?: readonly number[];
}

/** How an event reached a webhook, or did not. */
export interface Delivery {
  readonly webhookId: number;
  readonly eventType: EventType;
  readonly giftId: number;
  readonly tries: number;
  /** What came back: `200`, `500`, `no answer`, or `dropped` where too many were waiting. */
  readonly result: string;
  readonly date: string;
}

const ANSWER_TIME = 5_000, HOLD_TIME = 2_000, MOST_WAITING = 1_000, REMEMBERED = 50;

/** Tells webhooks of gifts: each in the order of the events, a few tries for each event, to this machine only unless told otherwise. */
export class Webhooks {
  readonly #options: Required<WebhookOptions>;
  readonly #ending = new AbortController();
  readonly #queues = new Map<number, Promise<void>>();
  readonly #held = new Map<number, () => void>();
  #waiting = 0;
  #deliveries: readonly Delivery[] = [];

  constructor({ anywhere = false, waits = [200, 1_000, 3_000], ...options }: WebhookOptions) {
    this.#options = { ...options, anywhere, waits };
  }

  /** The latest, the newest first. */
  get deliveries(): readonly Delivery[] {
    return this.#deliveries;
  }

  /** Reads a webhook's fields, missing ones from another. @throws a refusal that says what is expected. */
  read(fields: JsonObject, { url: oldUrl = '', format: oldFormat = 1, status: oldStatus = 1, eventTypes: oldTypes = Object.values(EVENT_TYPES) }: Partial<Webhook> = {}): Unnumbered<Webhook> {
    refuseUnknown('field of a webhook', Object.keys(fields), ['url', 'format', 'status', 'eventTypes']);
    const url = readText(fields, 'url', oldUrl);
    const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' };
    if (protocol !== 'http:' && protocol !== 'https:') throw refusal('url must be an http or https address.');
    if (!this.#options.anywhere && !isLoopback(hostname)) throw refusal(`url names ${hostname}; this sandbox sends webhooks to this machine only, such as http://127.0.0.1:4101/….`);
    const written = fields.eventTypes ?? oldTypes;
    const eventTypes = Array.isArray(written) ? written.map((one: unknown) => valueOf(EVENT_TYPES, one)) : [];
    if (eventTypes.length === 0 || eventTypes.includes(undefined)) throw refusal(`eventTypes must be an array of ${listed(EVENT_TYPES)}.`);
    const format = valueOf(WEBHOOK_FORMATS, fields.format ?? oldFormat), status = valueOf(WEBHOOK_STATUSES, fields.status ?? oldStatus);
    if (format === undefined) throw refusal(`format must be one of ${listed(WEBHOOK_FORMATS)}.`);
    if (status === undefined) throw refusal(`status must be one of ${listed(WEBHOOK_STATUSES)}.`);
    return { url, format, status, eventTypes: eventTypes.filter((type) => type !== undefined) };
  }

  /** Tells every active webhook that wants to know. It does not wait until they heard. */
  tell(eventType: EventType, gift: Gift): void {
    const event: GiftEvent = { eventId: randomUUID(), eventType, occurredAt: this.#options.now().toISOString(), gift, donor: this.#options.store.donor(gift.donorId) };
    for (const webhook of this.#options.store.webhooks()) {
      if (webhook.status !== WEBHOOK_STATUSES.Active || !webhook.eventTypes.includes(eventType)) continue;
      const times = this.#options.faults.take('duplicate-webhooks') ? 2 : 1;
      const held = this.#held.get(webhook.id);
      if (!held && this.#options.faults.take('reordered-webhooks')) {
        this.#hold(webhook, event, times);
        continue;
      }
      this.#queue(webhook, event, times);
      held?.();
    }
  }

  /** Gives up whatever was not delivered yet. */
  close(): void {
    this.#ending.abort();
  }

  /** Keeps an event back until the next one of its webhook was queued, or for a while. */
  #hold(webhook: Webhook, event: GiftEvent, times: number): void {
    const release = (): void => {
      if (this.#held.get(webhook.id) !== release) return;
      this.#held.delete(webhook.id);
      this.#queue(webhook, event, times);
    };
    this.#held.set(webhook.id, release);
    void setTimeout(HOLD_TIME, undefined, { signal: this.#ending.signal, ref: false }).then(release, () => undefined);
  }

  #queue(webhook: Webhook, event: GiftEvent, times: number): void {
    if (this.#waiting + times > MOST_WAITING) return this.#remember(webhook, event, 0, 'dropped');
    this.#waiting += times;
    for (let time = 0; time < times; time += 1) {
      const before = this.#queues.get(webhook.id) ?? Promise.resolve();
      this.#queues.set(webhook.id, before.then(() => this.#deliver(webhook, event)).finally(() => { this.#waiting -= 1; }));
    }
  }

  async #deliver(webhook: Webhook, event: GiftEvent): Promise<void> {
    const { waits } = this.#options, { signal } = this.#ending;
    for (let tries = 1; !signal.aborted; tries += 1) {
      const result = await this.#send(webhook, event);
      const wait = waits[tries - 1];
      if (/^2\d\d$/.test(result) || wait === undefined) return this.#remember(webhook, event, tries, result);
      await setTimeout(wait, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #send({ url, format }: Webhook, event: GiftEvent): Promise<string> {
    const { type, body } = writePayload(event, format);
    try {
      const response = await fetch(url, {
        method: 'POST', body, redirect: 'manual', headers: { 'Content-Type': type, 'X-Sandbox-Own': 'not in the specification' },
        signal: AbortSignal.any([this.#ending.signal, AbortSignal.timeout(ANSWER_TIME)]),
      });
      await response.body?.cancel();
      return String(response.status);
    } catch {
      return 'no answer';
    }
  }

  #remember(webhook: Webhook, { eventType, gift }: GiftEvent, tries: number, result: string): void {
    const delivery: Delivery = { webhookId: webhook.id, eventType, giftId: gift.id, tries, result, date: this.#options.now().toISOString() };
    this.#deliveries = [delivery, ...this.#deliveries].slice(0, REMEMBERED);
  }
}

function listed(table: Readonly<Record<string, number>>): string {
  return Object.entries(table).map(([name, value]) => `${value} (${name})`).join(', ');
}
