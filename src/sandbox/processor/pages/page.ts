import type { Context } from 'hono';
import { html } from 'hono/html';
import type { Payment } from '../records.ts';

export type Html = ReturnType<typeof html>;

const POLICY =
  "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

interface PageOptions {
  readonly status?: 200 | 400 | 404 | 410;
  /** What else stands in its head. */
  readonly head?: Html;
}

/** A page of the processor for a donor. Nothing of it needs a script. */
export async function page(
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
<header class="ribbon"><strong>Test</strong> No money moves here.</header>
<main>${content}</main>
</body>
</html>`,
    status,
    {
      'Content-Security-Policy': POLICY,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
    },
  );
}

/** The page where there is none. */
export function noSuchPage(c: Context): Promise<Response> {
  return page(
    c,
    'No such page',
    html`<h1>There is no such page</h1><p class="quiet">The address may have been cut off, or it has done what it was for.</p>`,
    { status: 404 },
  );
}

/** Where a donor is led back to: the address that the server named, with the payment's id. */
export function returnAddress(returnUrl: string, payment: string): string {
  const address = new URL(returnUrl);
  address.searchParams.set('payment', payment);
  return address.href;
}

/** Leads a donor back who opens the page of a payment that needs nothing any more. */
export function redirectBack(c: Context, payment: Payment): Response | Promise<Response> {
  return payment.returnUrl === null
    ? leadBack(c, payment)
    : c.redirect(returnAddress(payment.returnUrl, payment.id), 303);
}

/**
 * Leads a donor back after a form was sent. It is a page that moves on by itself, and no redirect:
 * the policy's `form-action` counts for
 * every further address that a form is redirected to, and the site's own ways are not known here.
 */
export function leadBack(c: Context, { id, returnUrl }: Payment): Promise<Response> {
  if (returnUrl === null)
    return page(c, 'Done', html`<h1>That is all</h1><p class="quiet">You can close this page.</p>`);
  const address = returnAddress(returnUrl, id);
  return page(
    c,
    'One moment',
    html`<h1>One moment</h1><p class="quiet">You are being led back to the page that you came from.</p><p><a class="button main" href="${address}">Go on</a></p>`,
    { head: html`<meta http-equiv="refresh" content="0;url=${address}">` },
  );
}
