import {
  EVENT_TYPES,
  GIFT_STATUSES,
  nameOf,
  WEBHOOK_FORMATS,
  type EventType,
} from '../data/enumerations.ts';
import type { Donor, Gift } from '../data/records.ts';

/** What happened to a gift, before it is written for anybody. */
export interface GiftEvent {
  readonly eventId: string;
  readonly eventType: EventType;
  /** ISO 8601. */
  readonly occurredAt: string;
  readonly gift: Gift;
  readonly donor: Donor | undefined;
}

export interface Payload {
  readonly type: string;
  readonly body: string;
}

/**
 * Writes an event as JSON or XML. The specification shows no payload: this one is the sandbox's
 * own.
 */
export function writePayload(
  { eventId, eventType, occurredAt, gift, donor }: GiftEvent,
  format: number,
): Payload {
  const event = {
    eventId,
    eventType,
    eventName: nameOf(EVENT_TYPES, eventType),
    occurredAt,
    gift: {
      id: gift.id,
      reference: gift.reference,
      status: gift.status,
      statusName: nameOf(GIFT_STATUSES, gift.status),
      amount: gift.total,
      currency: gift.currency,
      frequency: gift.frequency,
      donorId: gift.donorId,
      donorEmail: donor?.email ?? '',
    },
  };
  if (format === WEBHOOK_FORMATS.JSON)
    return { type: 'application/json', body: JSON.stringify(event) };
  return {
    type: 'application/xml',
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<event>${elements(event)}</event>\n`,
  };
}

function elements(fields: object): string {
  return Object.entries(fields)
    .map(
      ([name, value]) =>
        `<${name}>${typeof value === 'object' ? elements(value as object) : escape(String(value))}</${name}>`,
    )
    .join('');
}

/** Text for XML 1.0; what it cannot hold, most control characters, is left out. */
function escape(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
