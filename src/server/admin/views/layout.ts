import { html } from 'hono/html';
import { renderDocumentStart } from '../../http/render-document.ts';
import { formatStatus, type Status } from '../labels.ts';
import type { Session } from '../pages/sessions.ts';

export type Html = ReturnType<typeof html>;

/** Data about the request that every page needs. */
export interface RequestContext {
  readonly csrf: string;
  /** Undefined if no admin is signed in. */
  readonly session?: Session | undefined;
}

/** Renders a whole page. @param title plain text. */
export function renderDocument(title: string, { session, csrf }: RequestContext, body: Html): Html {
  return html`${renderDocumentStart('/', title)}
<link rel="stylesheet" href="/pages/admin.css">
<body class="admin">
${session ? renderNavigation(session.name, csrf) : ''}
${session?.notice ? renderNotice(session.notice) : ''}
${body}
</body>
</html>`;
}

function renderNavigation(name: string, csrf: string): Html {
  return html`<div class="bar" role="navigation" aria-label="Admin">
<a class="home" href="/">Donations</a> <a href="/builder">Form builder</a>
<form class="find" action="/find" role="search">
<input name="reference" aria-label="Donation reference" placeholder="Find a reference"
autocomplete="off" autocapitalize="characters" spellcheck="false" enterkeyhint="search" required
maxlength="20">
<button>Find</button>
</form>
<form class="sign-out" method="post" action="/sign-out">${renderCsrfField(csrf)}<span>${name}</span>
<button class="link">Sign out</button></form>
</div>`;
}

function renderNotice({ isError, text }: NonNullable<Session['notice']>): Html {
  const paragraphs = text.split('\n').map((line) => html`<p>${line}</p>`);
  return isError
    ? html`<div class="notice problem" role="alert">${paragraphs}</div>`
    : html`<div class="notice" role="status">${paragraphs}</div>`;
}

export function renderCsrfField(csrf: string): Html {
  return html`<input type="hidden" name="csrf" value="${csrf}">`;
}

/** CSS classes for donation and outbox statuses. All other statuses have the class `open`. */
const STATUS_CLASSES: Readonly<Partial<Record<Status, string>>> = {
  needs_review: 'needs-review',
  manual: 'needs-review',
  succeeded: 'done',
  delivered: 'done',
  failed: 'failed',
};

/** Renders a status as a badge. */
export function renderStatus(status: Status): Html {
  return html`<span class="badge ${STATUS_CLASSES[status] ?? 'open'}">${formatStatus(status)}</span>`;
}

/** Renders a time such as `3 hours ago`. @param at milliseconds since 1970. */
export function renderRelativeTime(at: number, now: number): Html {
  const iso = new Date(at).toISOString();
  const title = `${iso.slice(0, 19).replace('T', ' ')} UTC`;
  const text = at > now ? `in ${formatDuration(at - now)}` : `${formatDuration(now - at)} ago`;
  return html`<time datetime="${iso}" title="${title}">${text}</time>`;
}

/**
 * Renders a date and time with its time zone.
 * @param iso ISO 8601.
 * @param timeZone the organization's time zone, such as `Europe/Berlin`.
 */
export function renderDateTime(iso: string, timeZone: string): Html {
  const text = new Date(iso).toLocaleString('en-US', {
    timeZone,
    timeZoneName: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return html`<time datetime="${iso}">${text}</time>`;
}

/** Formats a duration in the largest unit that fits. @param milliseconds not negative. */
export function formatDuration(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (minutes < 1) return 'less than a minute';
  if (days > 0) return formatCount(days, 'day');
  return hours > 0 ? formatCount(hours, 'hour') : formatCount(minutes, 'minute');
}

export function formatCount(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
