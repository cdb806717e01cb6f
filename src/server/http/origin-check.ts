import type { DonationRequest } from '@donation-form/core/schemas';
import { Problem } from '../lib/problem.ts';
import type { RouteContext } from './context.ts';

/**
 * Asserts that a request comes from a page that is allowed to show the form. Browsers send the
 * Origin header with every POST.
 * @throws {Problem} origin-not-allowed.
 */
export function assertOriginIsAllowed(
  origin: string | undefined,
  allowed: ReadonlySet<string>,
): void {
  if (origin === undefined || !allowed.has(origin)) {
    throw new Problem(
      'origin-not-allowed',
      origin === undefined
        ? 'The Origin header is missing. Send the request from a web page, where the browser ' +
            'adds the header.'
        : "This page is not allowed to show the form. Add the page's origin, exactly as in the " +
            'Origin header, to "origins" in the configuration.',
    );
  }
}

/**
 * Asserts that a page is allowed to show the form or goal that it requests. Allows requests without
 * an Origin header, because browsers omit the header when this server's own pages send a GET
 * request. Lets any page read the error response, which lets the element explain the error.
 * @throws {Problem} origin-not-allowed.
 */
export function assertOriginMayRead(c: RouteContext, allowed: ReadonlySet<string>): void {
  const origin = c.req.header('Origin');
  if (origin === undefined || allowed.has(origin)) return;
  c.res.headers.set('Access-Control-Allow-Origin', '*');
  assertOriginIsAllowed(origin, allowed);
}

/**
 * Headers that browsers add to a script's request (W3C Fetch Metadata Request Headers), with their
 * expected values. Some browsers released before 2023 omit these headers.
 */
const FETCH_METADATA = { 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Dest': 'empty' } as const;

/**
 * Asserts that a script sent the request. Rejects requests from HTML forms and links, because
 * another site could trick a visitor into submitting or following them.
 * @throws {Problem} origin-not-allowed.
 */
export function assertFetchMetadata(headers: Headers): void {
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
 * Asserts that the page URL in a donation has the same origin as the request.
 * @throws {Problem} origin-not-allowed.
 */
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

/**
 * Asserts that the media type of a request is `application/json`. Ignores the media type's
 * parameters.
 * @throws {Problem} content-type-unsupported.
 */
export function assertJsonContentType(type: string | undefined): void {
  if (type?.split(';')[0]?.trim().toLowerCase() !== 'application/json')
    throw new Problem(
      'content-type-unsupported',
      'The Content-Type header is missing or not supported. Send the header with the value ' +
        'application/json.',
    );
}

/** Returns the URL in the Referer header. Privacy settings can omit or shorten it. */
function readReferrer(c: RouteContext): URL | undefined {
  const referrer = c.req.header('Referer') ?? '';
  return URL.canParse(referrer) ? new URL(referrer) : undefined;
}

/**
 * Returns the origin of the page that sent a request. The Origin header is missing in old browsers,
 * and `null` if privacy settings hide the Referer header.
 */
function readSender(c: RouteContext): string | undefined {
  const origin = c.req.header('Origin') ?? 'null';
  return origin === 'null' ? readReferrer(c)?.origin : origin;
}

/**
 * Returns true if the endpoint's own page sent the request. Otherwise, the body may contain another
 * site's values. Trusts Sec-Fetch-Site more than the other headers. Browsers omit that header if
 * they are old or the page uses HTTP.
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
 * Returns the URL of the endpoint's own page whose HTML form sent the request. The endpoint's
 * origin must be in the configuration's `origins`, because the payment provider redirects the donor
 * back to the endpoint.
 * @throws {Problem} origin-not-allowed if the endpoint's origin is not in `origins`.
 */
export function getOwnPageUrl(c: RouteContext, allowed: ReadonlySet<string>): URL {
  const { host, pathname, search } = new URL(c.req.url);
  const origin = readSender(c) ?? [...allowed].find((url) => new URL(url).host === host);
  assertOriginIsAllowed(origin, allowed);
  const path = readReferrer(c)?.pathname ?? '/';
  // If a proxy removes the start of the path, only the Referer header has the whole path.
  return new URL((path === '/' ? pathname : path) + search, origin);
}
