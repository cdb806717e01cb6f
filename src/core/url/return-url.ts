/**
 * What payment processors append to the address by which a donor comes back from a page of theirs.
 */
const PROCESSOR_PARAMETERS: readonly string[] = [
  'payment',
  'payment_intent',
  'payment_intent_client_secret',
  'redirect_status',
  'session_id',
];

/** Those of them that nobody else uses. */
const OWN_PARAMETERS: readonly string[] = PROCESSOR_PARAMETERS.filter(
  (name) => name.startsWith('payment_intent') || name === 'redirect_status',
);

/** Whether a parameter of the address may be a payment processor's. */
export function isProcessors(name: string): boolean {
  return PROCESSOR_PARAMETERS.includes(name);
}

const LONGEST = 2_000;

/**
 * An address without what payment processors appended; the rest of its query stays as it is
 * written.
 * @param isReturn false: only names that nobody but a processor uses are taken out.
 */
export function withoutProcessors(address: URL, isReturn = true): URL {
  const names = isReturn ? PROCESSOR_PARAMETERS : OWN_PARAMETERS;
  const clean = new URL(address.href);
  const pairs = address.search.slice(1).split('&');
  const kept = pairs.filter(
    (pair) => ![...new URLSearchParams(pair).keys()].some((name) => names.includes(name)),
  );
  if (kept.length < pairs.length) clean.search = kept.join('&');
  return clean;
}

/**
 * Where a donor comes back from a page of a processor or a bank; `undefined` where the form stands
 * on no page of the web. Without its query where it would be too long for a gift.
 */
export function returnAddress(page: URL): string | undefined {
  if (!/^https?:$/.test(page.protocol)) return undefined;
  const address = withoutProcessors(page);
  address.hash = '';
  return [address.href, address.origin + address.pathname].find(({ length }) => length <= LONGEST);
}
