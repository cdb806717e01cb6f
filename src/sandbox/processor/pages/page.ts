import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Payment } from '../records.ts';

export type Html = ReturnType<typeof html>;

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

interface PageOptions {
  readonly status?: 200 | 400 | 404 | 410;
  /** Additional content of the `head` element. */
  readonly head?: Html;
}

/** Renders a page for donors. It needs no script. */
export async function renderPage(
  c: Context,
  title: string,
  content: Html,
  { status = 200, head }: PageOptions = {},
): Promise<Response> {
  return c.html(
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Test payments</title>
<link rel="stylesheet" href="/processor/pages.css">
${head ?? ''}
</head>
<body>
<header class="ribbon"><strong>Test</strong> No money moves.</header>
<main>${content}</main>
</body>
</html>`,
    status,
    {
      'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
    },
  );
}

/** Renders the page for an unknown URL. */
export function renderNotFoundPage(c: Context): Promise<Response> {
  return renderPage(
    c,
    'Page not found',
    html`<h1>Page not found</h1><p class="quiet">The link may be incomplete or no longer valid.</p>`,
    { status: 404 },
  );
}

/** Adds the payment's ID to the return URL that the server provided. */
export function buildReturnUrl(returnUrl: string, payment: string): string {
  const url = new URL(returnUrl);
  url.searchParams.set('payment', payment);
  return url.href;
}

/** Redirects a donor to the site from the page of a payment that needs no further action. */
export function redirectToSite(c: Context, payment: Payment): Response | Promise<Response> {
  return payment.returnUrl === null
    ? renderReturnPage(c, payment)
    : c.redirect(buildReturnUrl(payment.returnUrl, payment.id), 303);
}

/**
 * Renders a page that sends the donor back to the site after a form was submitted. A redirect would
 * not work: the policy's `form-action` also applies to every redirect of a form, and the site's own
 * redirects are unknown.
 */
export function renderReturnPage(c: Context, { id, returnUrl }: Payment): Promise<Response> {
  if (returnUrl === null)
    return renderPage(c, 'Done', html`<h1>Done</h1><p class="quiet">You can close this page.</p>`);
  const url = buildReturnUrl(returnUrl, id);
  return renderPage(
    c,
    'One moment',
    html`<h1>One moment</h1><p class="quiet">We are taking you back to the website.</p><p><a class="button main" href="${url}">Continue</a></p>`,
    { head: html`<meta http-equiv="refresh" content="0;url=${url}">` },
  );
}
