/** Query parameters that payment providers append to a return URL. */
const PROVIDER_PARAMETERS: readonly string[] = [
  'payment_intent',
  'payment_intent_client_secret',
  'redirect_status',
  'session_id',
];

/** Formats of PayPal's query parameters, whose names pages might also use. */
const PAYPAL_PARAMETERS: Readonly<Record<string, RegExp>> = {
  token: /^((BA|EC)-)?[0-9A-Z]{17}$/,
  PayerID: /^[0-9A-Z]{13}$/,
  subscription_id: /^I-[0-9A-Z]+$/,
  ba_token: /^BA-[0-9A-Z]+$/,
};

/** Query parameter of the URL to which a donor returns who canceled the payment. */
export const CANCELED_PARAMETER = 'donation-form-canceled';

/** Query parameter of the return URL of a page whose URL has a fragment. */
export const FRAGMENT_PARAMETER = 'donation-form-fragment';

/** Payment provider parameters with names that no other software uses. */
const UNAMBIGUOUS_PARAMETERS: readonly string[] = [
  CANCELED_PARAMETER,
  FRAGMENT_PARAMETER,
  ...PROVIDER_PARAMETERS.filter(
    (name) => name.startsWith('payment_intent') || name === 'redirect_status',
  ),
];

export function isProviderParameter(name: string): boolean {
  return (
    UNAMBIGUOUS_PARAMETERS.includes(name) ||
    PROVIDER_PARAMETERS.includes(name) ||
    Object.hasOwn(PAYPAL_PARAMETERS, name)
  );
}

function isAddedByProvider([name, value]: readonly [string, string], isReturn: boolean): boolean {
  if (UNAMBIGUOUS_PARAMETERS.includes(name)) return true;
  if (!isReturn) return false;
  return (
    PROVIDER_PARAMETERS.includes(name) ||
    (Object.hasOwn(PAYPAL_PARAMETERS, name) && PAYPAL_PARAMETERS[name]!.test(value))
  );
}

const MAX_LENGTH = 2_000;

/** @param isReturn false to remove only parameters that no other software uses. */
export function removeProviderParameters(url: URL, isReturn = true): URL {
  const cleaned = new URL(url.href);
  const pairs = url.search.slice(1).split('&');
  const otherPairs = pairs.filter(
    (pair) => ![...new URLSearchParams(pair)].some((entry) => isAddedByProvider(entry, isReturn)),
  );
  if (otherPairs.length < pairs.length) cleaned.search = otherPairs.join('&');
  return cleaned;
}

/**
 * Builds a URL without a fragment and of at most 2,000 characters, if necessary without a query.
 */
export function buildReturnUrl(page: URL): string | undefined {
  if (!/^https?:$/.test(page.protocol)) return undefined;
  const url = removeProviderParameters(page);
  url.hash = '';
  const parameter = page.hash && `${FRAGMENT_PARAMETER}=1`;
  if (parameter) url.search += `${url.search && '&'}${parameter}`;
  const withoutQuery = url.origin + url.pathname;
  return [url.href, withoutQuery + (parameter && `?${parameter}`), withoutQuery].find(
    ({ length }) => length <= MAX_LENGTH,
  );
}
