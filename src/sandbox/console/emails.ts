import { html } from 'hono/html';
import type { Mailbox, StoredEmail } from '../data/mailbox.ts';
import { formatDateTime } from './format-time.ts';

type Html = ReturnType<typeof html>;

const MAX_EMAILS = 5;

/** Renders the latest emails. */
export function renderEmails(mailbox: Mailbox): Html {
  const emails = mailbox.listEmails().slice(0, MAX_EMAILS);
  return html`<section id="emails" aria-labelledby="emails-head">
  <div class="head"><h2 id="emails-head">Emails (not delivered)</h2>
    <p class="purpose">Emails that donors would have received</p></div>
  ${
    emails.length === 0
      ? html`<p class="empty">No emails yet. Receipts and links to the customer portal appear here.</p>`
      : html`<ul class="lines">${emails.map(renderEmail)}</ul>`
  }
</section>`;
}

function renderEmail({ id, to, subject, text, html: document, link, created }: StoredEmail): Html {
  return html`<li>
    <p><strong>${subject}</strong></p><p class="quiet">to ${to} · ${formatDateTime(
      new Date(created),
    )}</p>${document ? html`<p><a href="/emails/${id}">Open the message</a></p>` : ''}<p class="text">${text}</p>${link === null ? '' : html`<p><a href="${link}">${link}</a></p>`}
  </li>`;
}
