import { createId } from './ids.ts';

export interface PayPalEvent {
  readonly id: string;
  readonly event_type: string;
  readonly resource: object;
}

/**
 * A recorded event. `body` is serialized only once because every delivery must contain the same
 * bytes.
 */
export interface RecordedEvent {
  readonly id: string;
  readonly type: string;
  readonly body: string;
}

const RESOURCE_VERSIONS: Readonly<Record<string, string>> = {
  'checkout-order': '2.0',
  capture: '2.0',
  refund: '2.0',
  plan: '2.0',
  subscription: '2.0',
};

export interface EventLogOptions {
  readonly getBaseUrl: () => string;
  readonly getTime: () => string;
}

/** Records webhook events (developer.paypal.com/api/rest/webhooks). */
export class EventLog {
  readonly #options: EventLogOptions;
  readonly #events: RecordedEvent[] = [];
  readonly #listeners: ((event: RecordedEvent) => void)[] = [];

  constructor(options: EventLogOptions) {
    this.#options = options;
  }

  /** Oldest first. */
  get recorded(): readonly RecordedEvent[] {
    return this.#events;
  }

  /** Oldest first, parsed. */
  get all(): PayPalEvent[] {
    return this.#events.map(({ body }) => JSON.parse(body) as PayPalEvent);
  }

  findEvent(id: string): RecordedEvent | undefined {
    return this.#events.find((event) => event.id === id);
  }

  /** Calls the listener for every event recorded from now on. */
  addListener(listener: (event: RecordedEvent) => void): void {
    this.#listeners.push(listener);
  }

  /** Records an event with a snapshot of the affected resource. */
  recordEvent(type: string, resourceType: string, view: () => object): void {
    const { getBaseUrl, getTime } = this.#options;
    const id = `WH-${createId()}-${createId()}`;
    const url = `${getBaseUrl()}/v1/notifications/webhooks-events/${id}`;
    const resourceVersion = type.startsWith('PAYMENT.SALE.')
      ? undefined
      : RESOURCE_VERSIONS[resourceType];
    const event = {
      id,
      event_version: '1.0',
      create_time: getTime(),
      resource_type: resourceType,
      ...(resourceVersion !== undefined && { resource_version: resourceVersion }),
      event_type: type,
      summary: `${type.toLowerCase().replaceAll(/[._-]/g, ' ')}.`,
      resource: view(),
      links: [
        { href: url, rel: 'self', method: 'GET' },
        { href: `${url}/resend`, rel: 'resend', method: 'POST' },
      ],
    };
    const recorded = { id, type, body: JSON.stringify(event) };
    this.#events.push(recorded);
    for (const listener of this.#listeners) listener(recorded);
  }
}
