import { html } from 'hono/html';
import { beginningOf } from '../../http/routes/pages.ts';
import type { Session } from '../pages/sessions.ts';

export type Html = ReturnType<typeof html>;

/** Whose page it is, and what its forms carry. */
export interface Visit {
  readonly csrf: string;
  /** absent: nobody is logged in. */
  readonly session?: Session | undefined;
}

/** A document of the operator's. @param title without markup. */
export function documentOf(title: string, { session, csrf }: Visit, body: Html): Html {
  return html`${beginningOf('/', title)}
<link rel="stylesheet" href="/pages/operator.css">
<body class="operator">
${
  session
    ? html`<div class="bar" role="navigation" aria-label="Operator"><a class="home" href="/">Donations</a> <a href="/builder">Form builder</a>
<form class="find" action="/find" role="search"><input name="reference" aria-label="Reference of a gift" placeholder="Find a reference" autocomplete="off" required maxlength="20"><button>Find</button></form>
<form class="leave" method="post" action="/log-out">${csrfField(csrf)}<span>${session.name}</span><button class="link">Log out</button></form></div>`
    : ''
}
${session?.notice ? html`<div class="notice${session.notice.isProblem ? ' problem' : ''}" role="${session.notice.isProblem ? 'alert' : 'status'}">${session.notice.text.split('\n').map((line) => html`<p>${line}</p>`)}</div>` : ''}
${body}
</body>
</html>`;
}

export function csrfField(csrf: string): Html {
  return html`<input type="hidden" name="csrf" value="${csrf}">`;
}

/** How the states look that are not open. */
const PILLS: Readonly<Record<string, string>> = {
  held: 'person',
  'by-hand': 'person',
  charged: 'done',
  recorded: 'done',
  declined: 'failed',
};

/** A state as a small sign. */
export function pill(state: string): Html {
  return html`<span class="pill ${PILLS[state] ?? 'open'}">${state.replaceAll('-', ' ')}</span>`;
}

/** A time as people say it, with how long ago it was. @param at milliseconds since 1970. */
export function moment(at: number, now: number): Html {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}" title="${iso.slice(0, 19).replace('T', ' ')} UTC">${at > now ? `in ${span(at - now)}` : `${span(now - at)} ago`}</time>`;
}

/** A day and time in full, UTC. @param iso ISO 8601. */
export function dayAndTime(iso: string): Html {
  const text = new Date(iso).toLocaleString('en-GB', {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  return html`<time datetime="${iso}">${text} UTC</time>`;
}

/** A length of time in its largest unit. @param milliseconds not negative. */
export function span(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (minutes < 1) return 'a moment';
  if (days > 0) return countOf(days, 'day');
  return hours > 0 ? countOf(hours, 'hour') : countOf(minutes, 'minute');
}

function countOf(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
