import type { Purpose } from './consent-mode.ts';
import type { Parameters } from './event-params.ts';

/** The tools of a page that are told, by the names that they have there. */
export const TOOLS = ['gtag', 'dataLayer', 'fbq'] as const;
export type Tool = (typeof TOOLS)[number];

type Call = (...words: unknown[]) => unknown;

/** What a page has of them, or an element of it that has such a name, and cannot be called. */
export interface ToolPage {
  readonly dataLayer?: unknown[] | undefined;
  readonly gtag?: Call | undefined;
  readonly fbq?: Call | undefined;
}

/** Somebody who is told, by tools of the page. */
export interface Receiver {
  readonly name: string;
  /** What a visitor has to agree to. */
  readonly purposes: readonly Purpose[];
  /** What tells it; `undefined` where the page has no tool for it yet. */
  readonly find: (page: ToolPage) => ((event: string, parameters: Parameters) => void) | undefined;
}

/** By gtag, or else by dataLayer. */
export const GA4: Receiver = {
  name: 'ga4',
  purposes: ['analytics_storage'],
  find({ gtag, dataLayer }) {
    if (gtag?.call)
      return (event, { ecommerce, donation }) => {
        gtag('event', event, { ...ecommerce, ...donation });
      };
    return (
      dataLayer &&
      ((event, parameters) => {
        // Google Tag Manager merges what is pushed: without this, the segment of one gift would
        // stand with the next.
        dataLayer.push({ ecommerce: null, donation: null });
        dataLayer.push({ event, ...parameters });
      })
    );
  },
};

/** Under the event's id by which it knows the same event from a server. */
export const META: Receiver = {
  name: 'meta',
  purposes: ['ad_storage', 'ad_user_data'],
  find: ({ fbq }) =>
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
