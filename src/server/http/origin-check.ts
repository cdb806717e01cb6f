import type { DonationRequest } from '@donation-form/core/schemas';
import { assertOriginIsAllowed } from '../donations/donation-rules.ts';
import { Problem } from '../lib/problem.ts';
import type { RouteContext } from './context.ts';

/**
 * Allows requests without an Origin header, which browsers omit for GET requests of this server's
 * own pages. Lets any page read the error, which the element explains.
 * @throws {Problem} origin-not-allowed.
 */
export function assertOriginMayRead(c: RouteContext, allowed: ReadonlySet<string>): void {
  const origin = c.req.header('Origin');
  if (origin === undefined || allowed.has(origin)) return;
  c.res.headers.set('Access-Control-Allow-Origin', '*');
  assertOriginIsAllowed(origin, allowed);
}

/** W3C Fetch Metadata Request Headers of a script. Some browsers before 2023 omit them. */
const FETCH_METADATA = { 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' } as const;

/**
 * Rejects HTML forms and links, which another site could trick a visitor into using.
 * @throws {Problem} origin-not-allowed.
 */
function assertFetchMetadata(headers: Headers): void {
  for (const [name, expected] of Object.entries(FETCH_METADATA)) {
    const found = headers.get(name);
    if (found !== null && found !== expected)
      throw new Problem(
        'origin-not-allowed',
        `The ${name} header is not ${expected}. Send the request from a script with fetch().`,
      );
  }
}

/**
 * @throws {Problem} origin-not-allowed, unless a script on a page of an allowed origin sent the
 *   request.
 */
export function assertSentByScript(c: RouteContext, allowed: ReadonlySet<string>): void {
  assertOriginIsAllowed(c.req.header('Origin'), allowed);
  assertFetchMetadata(c.req.raw.headers);
}

/** @throws {Problem} origin-not-allowed. */
export function assertPageMatchesOrigin(
  { page }: DonationRequest['form'],
  origin: string | undefined,
): void {
  if (page !== undefined && new URL(page).origin !== origin)
    throw new Problem(
      'origin-not-allowed',
      'The origin of form.page does not match the Origin header. Send the URL of the page that ' +
        'shows the form, or omit form.page.',
    );
}

/** @throws {Problem} content-type-unsupported. */
export function assertJsonContentType(c: RouteContext): void {
  if (c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase() !== 'application/json')
    throw new Problem(
      'content-type-unsupported',
      'The Content-Type header is missing or not supported. Send the header with the value ' +
        'application/json.',
    );
}

/** Privacy settings can omit or shorten the Referer header. */
function readReferrer(c: RouteContext): URL | undefined {
  const referrer = c.req.header('Referer') ?? '';
  return URL.canParse(referrer) ? new URL(referrer) : undefined;
}

/**
 * The Origin header is missing in old browsers, and `null` if privacy settings hide the referrer.
 */
function readSender(c: RouteContext): string | undefined {
  const origin = c.req.header('Origin') ?? 'null';
  return origin === 'null' ? readReferrer(c)?.origin : origin;
}

/**
 * Returns true if the endpoint's own page sent the request, whose body may otherwise contain
 * another site's values. Trusts Sec-Fetch-Site most, which old browsers and pages over HTTP omit.
 */
export function isSentByOwnPage(c: RouteContext, allowed: ReadonlySet<string>): boolean {
  const site = c.req.header('Sec-Fetch-Site');
  const origin = readSender(c);
  const referrer = readReferrer(c);
  const isSameOrigin =
    site === undefined
      ? allowed.has(origin ?? '') && c.req.header('Origin') !== 'null'
      : site === 'same-origin';
  return (
    isSameOrigin &&
    (referrer === undefined ||
      (referrer.origin === origin && /^\/$|\/donate$/.test(referrer.pathname)))
  );
}

/**
 * Returns the URL of the endpoint's own page that sent the request. The endpoint's origin must be
 * in `origins`, because the payment provider redirects the donor back to the endpoint.
 * @throws {Problem} origin-not-allowed.
 */
export function getOwnPageUrl(c: RouteContext, allowed: ReadonlySet<string>): URL {
  const { host, pathname, search } = new URL(c.req.url);
  const origin = readSender(c) ?? [...allowed].find((url) => new URL(url).host === host);
  assertOriginIsAllowed(origin, allowed);
  const path = readReferrer(c)?.pathname ?? '/';
  // If a proxy removes the start of the path, only the referrer has the whole path.
  return new URL((path === '/' ? pathname : path) + search, origin);
}
