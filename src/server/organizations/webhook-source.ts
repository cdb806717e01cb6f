import type { Payload } from '@donation-form/platform-clients/fundraising';

/** The platforms that tell something, by the names of their modules. */
export const PLATFORMS = ['fundraising', 'donation-v1'] as const;
export type PlatformName = (typeof PLATFORMS)[number];

/**
 * What a platform told. It says that something changed, and never that a gift is paid: nothing of
 * it is signed.
 */
export interface PlatformEvent {
  /** The same however often the event is told, and in whatever format. */
  readonly id: string;
  /** The organisation's id. */
  readonly organization: string;
  readonly source: PlatformName;
  /**
   * The name of its type, such as `Gift_Added`; as it was told where the interface has no such
   * type; `null` where the configuration does not say where it stands.
   */
  readonly kind: string | null;
  readonly receivedAt: Date;
  /** Its fields. Of XML it is what stands in the outermost element, and values are texts. */
  readonly payload: Payload;
  /** As it came. */
  readonly body: string;
}

/**
 * What the operator's file exports as `onPlatformEvent`. It is called once for each event, and
 * again where it threw, took too long, or the server ended meanwhile.
 * @param signal aborts when it has taken too long.
 */
export type OnPlatformEvent = (
  event: PlatformEvent,
  given: { readonly signal: AbortSignal },
) => unknown;

/** A platform that tells an organisation's server something. */
export interface PlatformSource {
  readonly source: PlatformName;
  /** The last part of the path that only the platform knows. */
  readonly secret: string;
  /** The names that lead to the event's type, such as `event.type`. */
  readonly kindPath?: string | undefined;
  /** The names that lead to the event's id. */
  readonly idPath?: string | undefined;
  readonly hook?: OnPlatformEvent | undefined;
}
