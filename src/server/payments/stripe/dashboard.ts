/** Pages in the Stripe Dashboard, keyed by the prefix of an object's ID. */
const PAGES: Readonly<Record<string, string>> = { pi: 'payments', sub: 'subscriptions' };

/**
 * Returns the URL of a payment intent or subscription in the Stripe Dashboard. Returns `undefined`
 * for any other object.
 */
export function buildDashboardUrl(id: string, isTest: boolean): string | undefined {
  const page = PAGES[id.slice(0, id.indexOf('_'))];
  return page && `https://dashboard.stripe.com/${isTest ? 'test/' : ''}${page}/${id}`;
}
