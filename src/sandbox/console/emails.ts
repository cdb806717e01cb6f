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
    <p class="purpose">Emails that donors would have received. The latest are first.</p></div>
  ${
    emails.length === 0
      ? html`<p class="empty">No emails yet. Receipts and links to the customer portal appear here.</p>`
      : html`<ul class="lines">${emails.map(renderEmail)}</ul>`
  }
</section>`;
}

/**
 * Reloads the page every second until an email contains a text, such as a donation's reference. The
 * URL changes each time, because browsers do not load the same URL again if it has a fragment.
 */
export function renderEmailRefresh(mailbox: Mailbox, text: string | undefined): Html | '' {
  if (text === undefined || mailbox.listEmails().some((email) => email.text.includes(text)))
    return '';
  const query = new URLSearchParams({ email: text, at: String(Date.now()) }).toString();
  return html`<meta http-equiv="refresh" content="1; url=/?${query}#emails">`;
}

function renderEmail(email: StoredEmail): Html {
  const { id, to, subject, text, html: document, attachments = [], link, created } = email;
  return html`<li>
    <p><strong>${subject}</strong></p><p class="quiet">to ${to} · ${formatDateTime(
      new Date(created),
    )}</p>${document ? html`<p><a href="/emails/${id}">Open the message</a></p>` : ''}${attachments.map(
      ({ name }, index) => html`<p><a href="/emails/${id}/${index}">Open ${name}</a></p>`,
    )}<p class="text">${text}</p>${link === null ? '' : html`<p><a href="${link}">${link}</a></p>`}
  </li>`;
}
