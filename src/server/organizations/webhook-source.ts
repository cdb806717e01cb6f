import type { WebhookPayload } from '@donation-form/platform-clients/fundraising';

/** Names of the client modules for platforms that send webhooks. */
export const PLATFORMS = ['fundraising', 'donation-v1'] as const;
export type PlatformName = (typeof PLATFORMS)[number];

/**
 * An event from an inbound webhook. Webhooks are unsigned, so an event only suggests a change and
 * never proves a payment.
 */
export interface PlatformEvent {
  /** ID of the event, which is the same for every delivery and format. */
  readonly id: string;
  /** ID of the organization. */
  readonly organization: string;
  readonly source: PlatformName;
  /**
   * Name of the event type, such as `Gift_Added`. If the type is unknown, the value as received.
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
 * Hook that the configured file exports as `onPlatformEvent`. The server calls the hook once per
 * event, and again if the hook throws or times out, or if the server stops during the call.
 * @param signal signal that aborts the call on timeout.
 */
export type OnPlatformEvent = (
  event: PlatformEvent,
  context: { readonly signal: AbortSignal },
) => unknown;

/** A source of inbound webhooks for an organization. */
export interface WebhookSource {
  readonly source: PlatformName;
  /** Last segment of the webhook URL's path, which is a secret shared only with the platform. */
  readonly secret: string;
  /** Path to the event type in the payload, such as `event.type`. */
  readonly kindPath?: string | undefined;
  /** Path to the event ID in the payload. */
  readonly idPath?: string | undefined;
  readonly hook?: OnPlatformEvent | undefined;
}
