import type { ConsentType } from './consent.ts';
import type { EventParams } from './event-params.ts';

/** Analytics tools, named after their global variables. */
export const TOOLS = ['gtag', 'dataLayer', 'fbq'] as const;
export type Tool = (typeof TOOLS)[number];

type TagFunction = (...args: unknown[]) => unknown;

/** Browsers also create a global for an element with such an ID, but it is not callable. */
export interface TagWindow {
  readonly dataLayer?: unknown[] | undefined;
  readonly gtag?: TagFunction | undefined;
  readonly fbq?: TagFunction | undefined;
}

export interface Destination {
  readonly name: string;
  readonly consent: readonly ConsentType[];
  /** Returns a sender, or `undefined` if the page has not loaded a tool for this service yet. */
  readonly connect: (
    globals: TagWindow,
  ) => ((event: string, params: EventParams) => void) | undefined;
}

/** Sends events through `gtag`, or through `dataLayer` if the page has no `gtag`. */
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
        // Google Tag Manager merges pushed values, such as the previous donation's segment.
        dataLayer.push({ ecommerce: null, donation: null });
        dataLayer.push({ event, ...params });
      })
    );
  },
};

/** Sends the reference as the event ID, so that Meta discards a duplicate event from a server. */
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
