import type { WebhookPayload } from '@donation-form/platform-clients/fundraising';

/** Platforms that send webhooks, by the name of their client module. */
export const PLATFORMS = ['fundraising', 'donation-v1'] as const;
export type PlatformName = (typeof PLATFORMS)[number];

/**
 * An event from an inbound webhook. Webhooks are unsigned, so an event only suggests a change and
 * never proves a payment.
 */
export interface PlatformEvent {
  /** ID that is the same across redeliveries and formats. */
  readonly id: string;
  /** ID of the organization. */
  readonly organization: string;
  readonly source: PlatformName;
  /**
   * Name of the event type, such as `Gift_Added`. If the type is unknown, the value received.
   * `null` if no `kindPath` is configured.
   */
  readonly kind: string | null;
  readonly receivedAt: Date;
  /** Fields of the event. For XML, the contents of the root element, with string values. */
  readonly payload: WebhookPayload;
  /** Body as received. */
  readonly body: string;
}

/**
 * Hook that the configured file exports as `onPlatformEvent`. The server calls it once per event,
 * and again if it throws, if it times out, or if the server stops.
 * @param signal aborts on timeout.
 */
export type OnPlatformEvent = (
  event: PlatformEvent,
  context: { readonly signal: AbortSignal },
) => unknown;

/** A source of inbound webhooks for an organization. */
export interface WebhookSource {
  readonly source: PlatformName;
  /** Secret last segment of the webhook URL's path, shared only with the platform. */
  readonly secret: string;
  /** Path to the event type in the payload, such as `event.type`. */
  readonly kindPath?: string | undefined;
  /** Path to the event ID in the payload. */
  readonly idPath?: string | undefined;
  readonly hook?: OnPlatformEvent | undefined;
}
