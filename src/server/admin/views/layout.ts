import { html } from 'hono/html';
import type { Awaiting } from '@donation-form/core/donation';
import { formatCount } from '@donation-form/core/i18n';
import { type Html, renderDocumentStart } from '../../http/render-document.ts';
import { type Actor, hasPermission } from '../../staff/actor.ts';
import type { Permission } from '../../staff/roles.ts';
import type { Session } from '../access/sessions.ts';
import { getStatusLabel, type Status } from '../read-models/labels.ts';
import { MAX_SEARCH_LENGTH } from '../read-models/list-query.ts';
import type { PaymentOutcome } from '../read-models/payment-outcomes.ts';

/** Request data that every page needs. */
export interface ViewContext {
  readonly csrf: string;
  readonly session?: Session | undefined;
  /** The signed-in person, whose permissions determine the links and forms of the page. */
  readonly actor?: Actor | undefined;
  /** Path of the page, if the page is in the navigation. */
  readonly page?: (typeof PAGES)[number][0] | '/account' | undefined;
  /** ID of the organization that the page, its search field, and its forms cover. */
  readonly organization?: string | undefined;
}

/** Returns true if the person may see or submit what the permission covers on this page. */
export function isPermitted({ actor, organization }: ViewContext, permission: Permission): boolean {
  return actor !== undefined && hasPermission(actor, permission, organization);
}

/** Renders an admin page. @param title page title, in plain text. */
export function renderAdminPage(title: string, context: ViewContext, body: Html): Html {
  const { session } = context;
  return html`${renderDocumentStart('/', title, { styleSheets: ['page.css', 'admin.css'] })}
<body class="admin">
${session ? renderNavigation(session.name, context) : ''}
${session?.notice ? renderNotice(session.notice) : ''}
${body}
</body>
</html>`;
}

/** Pages in the navigation, with the permissions that they require. */
const PAGES = [
  ['/', 'Overview', 'totals:read'],
  ['/donations', 'Donations', 'donations:read'],
  ['/receipts', 'Receipts', 'receipts:read'],
  ['/mail', 'Mail', 'totals:read'],
  ['/staff', 'Staff', 'staff:manage'],
  ['/audit-log', 'Audit log', 'staff:manage'],
  ['/builder', 'Form builder', 'forms:edit'],
] as const satisfies readonly (readonly [path: string, label: string, permission: Permission])[];

function renderNavigation(name: string, context: ViewContext): Html {
  const { csrf, page, actor } = context;
  const pages = PAGES.filter(([, , permission]) => actor && hasPermission(actor, permission));
  const canSearch = page !== '/donations' && isPermitted(context, 'donations:read');
  return html`<div class="bar" role="navigation" aria-label="Admin">
<div class="links">${pages.map(([path, label]) => html`<a href="${path}"${path === page ? html` aria-current="page"` : ''}>${label}</a> `)}<a class="narrow" href="/account"${page === '/account' ? html` aria-current="page"` : ''}>Account</a></div>
${canSearch ? renderSearch(context) : ''}
<form class="sign-out" method="post" action="/sign-out">${renderCsrfField(csrf)}<a href="/account"${page === '/account' ? html` aria-current="page"` : ''}>${name}</a>
<button class="link">Sign out</button></form>
</div>`;
}

function renderSearch({ csrf, organization }: ViewContext): Html {
  return html`<form class="find" method="post" action="/donations/search" role="search" aria-label="All donations">${renderCsrfField(csrf)}
${organization === undefined ? '' : html`<input type="hidden" name="organization" value="${organization}">`}
<input name="search" type="search" aria-label="Name, email, reference, or exact amount"
placeholder="Name, email, reference…" autocomplete="off" spellcheck="false" enterkeyhint="search"
required maxlength="${MAX_SEARCH_LENGTH}">
<button>Find</button>
</form>`;
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

type BadgeClass = 'open' | 'done' | 'needs-review' | 'failed';

/** CSS classes for donation and outbox statuses. All other statuses have the `open` class. */
const STATUS_CLASSES: Readonly<Partial<Record<Status, BadgeClass>>> = {
  needs_review: 'needs-review',
  manual: 'needs-review',
  succeeded: 'done',
  delivered: 'done',
  failed: 'failed',
};

/** Renders the time until a scheduled run, such as "in 4 hours", or "now" if the run is due. */
export function renderTimeUntil(at: number, now: number): Html | string {
  return at <= now ? 'now' : renderRelativeTime(at, now);
}

export function renderStatusBadge(status: Status, awaiting?: Awaiting | null): Html {
  return renderBadge(STATUS_CLASSES[status] ?? 'open', getStatusLabel(status, awaiting));
}

const OUTCOME_CLASSES: Readonly<Record<PaymentOutcome['kind'], BadgeClass>> = {
  refund: 'open',
  'dispute-open': 'needs-review',
  'dispute-won': 'done',
  'dispute-lost': 'failed',
};

export function renderActionOutcome({ label, kind, note }: PaymentOutcome): Html {
  const badge = renderBadge(OUTCOME_CLASSES[kind], label);
  return note === '' ? badge : html`${badge} <span class="hint">${note}</span>`;
}

export function renderBadge(name: BadgeClass, label: string): Html {
  return html`<span class="badge ${name}">${label}</span>`;
}

/** Renders a time such as `3 hours ago`. @param at time, in milliseconds since 1970. */
export function renderRelativeTime(at: number, now: number): Html {
  const iso = new Date(at).toISOString();
  const title = `${iso.slice(0, 19).replace('T', ' ')} UTC`;
  const text = at > now ? `in ${formatDuration(at - now)}` : `${formatDuration(now - at)} ago`;
  return html`<time datetime="${iso}" title="${title}">${text}</time>`;
}

/** Renders a date and time. `hasZone` is false if the page shows the time zone elsewhere. */
export function renderDateTime(
  iso: string,
  timeZone: string,
  { hasZone = true, hasSeconds = false } = {},
): Html {
  const text = new Date(iso).toLocaleString('en-US', {
    timeZone,
    ...(hasZone && { timeZoneName: 'short' }),
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    ...(hasSeconds && { second: '2-digit' }),
    hourCycle: 'h23',
  });
  return html`<time datetime="${iso}">${text}</time>`;
}

/** Formats the time of day in a time zone, such as `14:05`. */
export function formatTimeOfDay(at: number, timeZone: string): string {
  return new Date(at).toLocaleTimeString('en-US', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
}

/** Formats a duration in days, hours, or minutes, rounded down. */
export function formatDuration(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (minutes < 1) return 'less than a minute';
  if (days > 0) return formatCount(days, 'day');
  return hours > 0 ? formatCount(hours, 'hour') : formatCount(minutes, 'minute');
}
