import { html } from 'hono/html';
import { type Language, LANGUAGES } from '@donation-form/core/i18n';
import type { MailKind } from '../../database/schema.ts';
import type { Html } from '../../http/render-document.ts';
import { MAIL_SAMPLES } from '../../mail/mail-samples.ts';
import { isPermitted, renderAdminPage, renderCsrfField, type ViewContext } from './layout.ts';
import { renderOrganizationSelect, renderSelect } from './select.ts';

interface MailPageData {
  readonly organization: { readonly id: string; readonly name: string };
  readonly organizations: readonly { readonly id: string; readonly name: string }[];
  readonly kind: MailKind;
  readonly language: Language;
  readonly subject: string;
  readonly text: string;
  /** Undefined if the server sends no mail for the organization. */
  readonly sender: string | undefined;
  /** True if such a message can have a receipt. */
  readonly hasReceipt: boolean;
}

const languageNames = new Intl.DisplayNames('en', { type: 'language' });

export function renderMailPage(context: ViewContext, data: MailPageData): Html {
  const { organization, kind, language, subject, text } = data;
  const selection = new URLSearchParams({ organization: organization.id, kind, language });
  return renderAdminPage(
    'Mail · Donations',
    context,
    html`<script type="module" src="/pages/fit-frames.js"></script>
<header>
<p class="organization">${organization.name}</p>
<h1>Mail</h1>
<p class="lede">Examples of the messages to donors, with an invented donation.</p>
</header>
<main class="stack">
${renderSelectionForm(data)}
${isPermitted(context, 'forms:edit') ? renderTestForm(context, data) : ''}
<section aria-labelledby="subject"><h2 id="subject" lang="${language}" dir="auto">${subject}</h2>
<div class="mail">
<iframe src="/mail/preview?${selection.toString()}" title="The message as HTML" sandbox="allow-same-origin"></iframe>
<pre lang="${language}" dir="auto" tabindex="0" aria-label="The message as text">${text}</pre>
</div></section>
${
  data.hasReceipt
    ? html`<section aria-labelledby="receipt"><h2 id="receipt">The receipt</h2>
<iframe class="receipt" src="/mail/receipt?${selection.toString()}" title="The receipt" sandbox="allow-same-origin"></iframe></section>`
    : ''
}
</main>`,
  );
}

function renderSelectionForm({ organization, organizations, kind, language }: MailPageData): Html {
  const kinds = Object.entries(MAIL_SAMPLES).map(([name, { label }]) => [name, label] as const);
  const languages = LANGUAGES.map((tag) => [tag, languageNames.of(tag) ?? tag] as const);
  return html`<form class="filters" method="get" action="/mail" aria-label="Message">
${organizations.length < 2 ? '' : renderOrganizationSelect(organizations, organization.id)}
${renderSelect('kind', 'Message', kinds, kind)}
${renderSelect('language', 'Language', languages, language)}
<div class="actions"><button class="primary">Show</button></div>
</form>`;
}

function renderTestForm(
  { csrf }: ViewContext,
  { organization, kind, language, sender }: MailPageData,
): Html {
  if (sender === undefined)
    return html`<p class="banner">The server sends no mail for <strong>${organization.name}</strong>, because
<code>mail</code> is not configured. docs/server/mail.md describes how to set it up.</p>`;
  return html`<form class="filters test" method="post" action="/mail/test" aria-label="Test">${renderCsrfField(csrf)}
<input type="hidden" name="organization" value="${organization.id}">
<input type="hidden" name="kind" value="${kind}"><input type="hidden" name="language" value="${language}">
<div><label for="to">Your email</label><input id="to" name="to" type="email" required maxlength="254"
autocomplete="email" enterkeyhint="send" aria-describedby="to-hint"></div>
<div class="actions"><button>Send a test to me</button></div>
<p class="hint search" id="to-hint">From ${sender}, at most five an hour. The subject begins with “[Test]”.</p>
</form>`;
}
