import type { ConsentType } from './consent-mode.ts';
import type { EventParams } from './event-params.ts';

/** Analytics tools by the names of their globals. */
export const TOOLS = ['gtag', 'dataLayer', 'fbq'] as const;
export type Tool = (typeof TOOLS)[number];

type TagFunction = (...args: unknown[]) => unknown;

/**
 * A page's analytics globals. An element whose ID is one of these names also becomes a global, but
 * cannot be called.
 */
export interface TagWindow {
  readonly dataLayer?: unknown[] | undefined;
  readonly gtag?: TagFunction | undefined;
  readonly fbq?: TagFunction | undefined;
}

/** An analytics service that receives events through one of the page's tools. */
export interface Destination {
  readonly name: string;
  /** Consent required from the visitor. */
  readonly consent: readonly ConsentType[];
  /**
   * Returns a function that sends an event, or `undefined` while the page has no tool for the
   * service.
   */
  readonly connect: (
    globals: TagWindow,
  ) => ((event: string, params: EventParams) => void) | undefined;
}

/** Uses `gtag`, or else `dataLayer`. */
export const GA4: Destination = {
  name: 'ga4',
  consent: ['analytics_storage'],
  connect({ gtag, dataLayer }) {
    if (gtag?.call)
      return (event, { ecommerce, donation }) => {
        gtag('event', event, { ...ecommerce, ...donation });
      };
    return (
      dataLayer &&
      ((event, params) => {
        // Google Tag Manager merges pushed values: without the reset, the next donation would
        // inherit the segment of this one.
        dataLayer.push({ ecommerce: null, donation: null });
        dataLayer.push({ event, ...params });
      })
    );
  },
};

/**
 * Sends the reference as the event ID, so that the service can discard a duplicate sent by a
 * server.
 */
export const META: Destination = {
  name: 'meta',
  consent: ['ad_storage', 'ad_user_data'],
  connect: ({ fbq }) =>
    fbq?.call &&
    ((event, { ecommerce: { transaction_id: eventID, currency, value, items }, donation }) => {
      fbq(
        'track',
        event,
        { currency, value, content_ids: items?.map(({ item_id: id }) => id), ...donation },
        { eventID },
      );
    }),
};
