import { html } from 'hono/html';
import type { FormDefinition } from '@donation-form/core/schemas';
import { getTextDirection, type Language } from '@donation-form/core/i18n';
import type { RouteContext } from '../context.ts';
import { renderDocumentStart } from '../render-document.ts';
import { buildContentSecurityPolicy, OWN_SOURCES } from '../routes/pages.ts';
import type { Html } from '../render-document.ts';

type Status = 200 | 402 | 403 | 404 | 409 | 422 | 429 | 500 | 503;

/** Prevents caching and compression, because the page contains an idempotency key. */
export async function sendDonationPage(
  c: RouteContext,
  {
    title,
    body,
    language,
    definition,
  }: {
    readonly title: string;
    readonly body: Html;
    readonly language: Language;
    readonly definition: FormDefinition;
  },
  status: Status = 200,
): Promise<Response> {
  const start = renderDocumentStart('./', `${title} · ${definition.organization.name}`, {
    language,
    direction: getTextDirection(language),
    styleSheets: ['page.css', 'donate.css'],
  });
  return c.body(String(await html`${start}\n<body class="donate">${body}</body></html>`), status, {
    'Content-Type': 'text/html; charset=UTF-8',
    // Chromium also applies form-action to the redirect to the payment provider's page.
    'Content-Security-Policy': buildContentSecurityPolicy(
      OWN_SOURCES,
      definition.isTest ? "'self' https: http:" : "'self' https:",
    ),
    // The server reads the page's URL from the Referer header of a form submission.
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  });
}
