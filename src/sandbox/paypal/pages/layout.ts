import type { Context } from 'hono';
import { html } from 'hono/html';
import { BUYERS } from '../buyers.ts';

export type Html = ReturnType<typeof html>;

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/** Renders a page of the PayPal emulator. */
export async function renderPage(
  c: Context,
  basePath: string,
  title: string,
  content: Html | Promise<Html>,
  { status = 200, head }: { readonly status?: 200 | 404; readonly head?: Html } = {},
): Promise<Response> {
  return c.html(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>${title} · PayPal emulation</title>
          <link rel="stylesheet" href="${basePath}/pages.css" />
          ${head ?? ''}
        </head>
        <body>
          <header class="ribbon">
            <strong>Test.</strong> This page emulates PayPal. It does not belong to PayPal, and no
            money moves.
          </header>
          <main>${await content}</main>
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

/** Renders the list of test buyers that a tester can log in as. */
export function renderBuyers(): Html | Promise<Html> {
  return html`<fieldset>
    <legend>Test buyer</legend>
    ${BUYERS.map(
      ({ email, givenName, surname }, index) => html`<label>
        <input type="radio" name="buyer" value="${email}" ${index === 0 ? 'checked' : ''} />
        <span>${givenName} ${surname}<small>${email}</small></span>
      </label>`,
    )}
  </fieldset>`;
}
