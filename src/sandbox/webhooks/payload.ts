import {
  EVENT_TYPES,
  type EventType,
  getEnumName,
  GIFT_STATUSES,
  WEBHOOK_FORMATS,
} from '../data/enumerations.ts';
import type { Donor, Gift } from '../data/records.ts';

/** An event, before serialization. */
export interface WebhookEvent {
  readonly eventId: string;
  readonly eventType: EventType;
  /** ISO 8601. */
  readonly occurredAt: string;
  /** Fields of the changed object, under its name, such as `gift`. */
  readonly object: Readonly<Record<string, object>>;
}

/** Returns a gift's fields in events. */
export function toGiftFields(gift: Gift, donor: Donor | undefined): object {
  return {
    id: gift.id,
    reference: gift.reference,
    status: gift.status,
    statusName: getEnumName(GIFT_STATUSES, gift.status),
    amount: gift.total,
    currency: gift.currency,
    frequency: gift.frequency,
    donorId: gift.donorId,
    donorEmail: donor?.email ?? '',
  };
}

export interface Payload {
  readonly contentType: string;
  readonly body: string;
}

/**
 * Serializes an event as JSON or XML. The specification documents no payload, so this format is
 * specific to the sandbox.
 */
export function serializeEvent(
  { eventId, eventType, occurredAt, object }: WebhookEvent,
  format: number,
): Payload {
  const event = {
    eventId,
    eventType,
    eventName: getEnumName(EVENT_TYPES, eventType),
    occurredAt,
    ...object,
  };
  if (format === WEBHOOK_FORMATS.JSON)
    return { contentType: 'application/json', body: JSON.stringify(event) };
  return {
    contentType: 'application/xml',
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<event>${toXmlElements(event)}</event>\n`,
  };
}

function toXmlElements(fields: object): string {
  return Object.entries(fields)
    .map(
      ([name, value]) =>
        `<${name}>${typeof value === 'object' ? toXmlElements(value as object) : escapeXml(String(value))}</${name}>`,
    )
    .join('');
}

/** Escapes text for XML 1.0 and removes characters that XML cannot represent. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}
