/** Query parameters that payment providers append to a return URL. */
const PROVIDER_PARAMETERS: readonly string[] = [
  'payment',
  'payment_intent',
  'payment_intent_client_secret',
  'redirect_status',
  'session_id',
];

/** Provider parameters that no other software uses. */
const UNAMBIGUOUS_PARAMETERS: readonly string[] = PROVIDER_PARAMETERS.filter(
  (name) => name.startsWith('payment_intent') || name === 'redirect_status',
);

/** Returns true if a payment provider may have added this query parameter. */
export function isProviderParameter(name: string): boolean {
  return PROVIDER_PARAMETERS.includes(name);
}

const MAX_LENGTH = 2_000;

/**
 * Removes query parameters that payment providers appended to a URL. The rest of the query stays
 * exactly as it was written.
 * @param isReturn false if the donor may not have returned from a provider: then removes only
 *   parameters that no other software uses.
 */
export function removeProviderParameters(url: URL, isReturn = true): URL {
  const names = isReturn ? PROVIDER_PARAMETERS : UNAMBIGUOUS_PARAMETERS;
  const cleaned = new URL(url.href);
  const pairs = url.search.slice(1).split('&');
  const otherPairs = pairs.filter(
    (pair) => ![...new URLSearchParams(pair).keys()].some((name) => names.includes(name)),
  );
  if (otherPairs.length < pairs.length) cleaned.search = otherPairs.join('&');
  return cleaned;
}

/**
 * Builds the URL that a provider or bank sends the donor back to. Drops the query if the URL would
 * be too long.
 * @returns `undefined` if the page is not an HTTP or HTTPS page.
 */
export function buildReturnUrl(page: URL): string | undefined {
  if (!/^https?:$/.test(page.protocol)) return undefined;
  const url = removeProviderParameters(page);
  url.hash = '';
  const withoutQuery = url.origin + url.pathname;
  return [url.href, withoutQuery].find(({ length }) => length <= MAX_LENGTH);
}
