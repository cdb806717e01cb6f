import { html } from 'hono/html';
import type { OrganizationSummary } from '../organizations.ts';
import type { OverviewItem, OverviewList, Overview, ReviewGroup } from '../overview.ts';
import {
  formatCount,
  formatDuration,
  renderCsrfField,
  renderDateTime,
  renderDocument,
  renderRelativeTime,
  renderStatus,
  type Html,
  type RequestContext,
} from './layout.ts';

/** Times are milliseconds since 1970. */
export interface OverviewData {
  readonly overview: Overview;
  readonly organizations: readonly OrganizationSummary[];
  /** Organizations whose platform asked us to back off. */
  readonly backoffs: readonly {
    readonly organization: string;
    readonly until: number;
    readonly timeZone: string;
  }[];
  /** Organizations whose own servers did not accept webhooks, even after all retries. */
  readonly failedWebhooks: readonly { readonly organization: string; readonly count: number }[];
  /** Returns the time zone of the organization with the given ID. */
  readonly getTimeZone: (organization: string) => string;
  readonly now: number;
}

export function renderOverviewPage(context: RequestContext, data: OverviewData): Html {
  const { overview, organizations, backoffs, failedWebhooks, getTimeZone, now } = data;
  const { needsReview, pendingEvents, paymentsInProgress, failedPayments, pledges, latest } =
    overview;
  const showsOrganization = organizations.length > 1;
  const reviewCount = needsReview.count + failedWebhooks.length;
  const title = formatTitle(reviewCount);
  const subtitle = showsOrganization
    ? formatCount(organizations.length, 'organization')
    : organizations[0]?.name;
  const renderItems = (list: OverviewList, emptyText: string): Html =>
    renderList(list, emptyText, showsOrganization, now);
  return renderDocument(
    `${title} · Donations`,
    context,
    html`<header>
<p class="organization">${subtitle}</p>
<h1>${title}</h1>
<p class="lede">${formatPlatformStatus(overview, now)}</p>
</header>
<main class="stack">
${organizations.map((organization) => renderPauseBanner(organization, getTimeZone(organization.id)))}
${backoffs.map((backoff) => renderBackoffBanner(backoff))}
<ul class="counts">
${renderCount('#needs-review', reviewCount, reviewCount === 1 ? 'needs review' : 'need review', reviewCount > 0)}
${renderCount('#pending', pendingEvents.count, 'waiting for the platform')}
${renderCount('#in-progress', paymentsInProgress.count, 'payments in progress')}
${renderCount('#failed', failedPayments.count, 'failed in the last 7 days')}
</ul>
<section id="needs-review"><h2>Needs review</h2>
${failedWebhooks.map((failure) => renderWebhookBanner(failure))}
${overview.reviewGroups.map((group) => renderReviewGroup(group))}
${renderItems(needsReview, 'Nothing needs review.')}</section>
<section id="pending"><h2>Waiting for the platform</h2>
${renderItems(pendingEvents, 'The platform is up to date.')}</section>
<section id="in-progress"><h2>Payments in progress</h2>
${renderItems(paymentsInProgress, 'No payments are in progress.')}</section>
<section id="pledges"><h2>Promised bank transfers and checks</h2>
${renderItems(pledges, 'No transfers are promised.')}</section>
<section id="failed"><h2>Payments that failed in the last 7 days</h2>
${renderItems(failedPayments, 'No payments failed.')}</section>
<section id="latest"><h2>Latest donations</h2>
${renderItems(latest, 'There are no donations yet.')}</section>
<section id="organizations"><h2>Organizations</h2>
<ul class="organizations">
${organizations.map((organization) => renderOrganization(organization, context.csrf))}
</ul></section>
</main>`,
  );
}

function formatTitle(reviewCount: number): string {
  if (reviewCount === 0) return 'Nothing needs review';
  return reviewCount === 1 ? '1 item needs review' : `${reviewCount} items need review`;
}

function formatPlatformStatus(
  { pendingEvents: { count }, needsReview, oldestPendingEventAt }: Overview,
  now: number,
): string {
  if (count === 0)
    return needsReview.count === 0
      ? 'The platform is up to date.'
      : 'The platform is up to date, except for the items that need review.';
  const wait = formatDuration(now - (oldestPendingEventAt ?? now));
  const subject = count === 1 ? '1 update is' : `${count} updates are`;
  return `${subject} waiting to be sent to the platform. The oldest has waited ${wait}.`;
}

function renderPauseBanner({ name, paused }: OrganizationSummary, timeZone: string): Html | '' {
  if (!paused) return '';
  const note = paused.note === '' ? '' : `: ${paused.note}`;
  return html`<p class="banner"><strong>${name} does not accept donations.</strong>
${paused.by} paused it on ${renderDateTime(paused.at, timeZone)}${note}. <a href="#organizations">Resume below</a></p>`;
}

function renderBackoffBanner({
  organization,
  until,
  timeZone,
}: OverviewData['backoffs'][number]): Html {
  return html`<p class="banner">The platform of <strong>${organization}</strong> is not responding, or
asked us to back off. Updates resume after ${renderDateTime(new Date(until).toISOString(), timeZone)}. The form
still accepts donations.</p>`;
}

function renderWebhookBanner({
  organization,
  count,
}: OverviewData['failedWebhooks'][number]): Html {
  return html`<p class="banner">The server of <strong>${organization}</strong> did not accept
${formatCount(count, 'webhook')}, and there are no more retries. To list them by URL, run
<code>donation-form webhooks failed</code>; to send them again, run
<code>donation-form webhooks retry</code>.</p>`;
}

function renderReviewGroup({ organization, reason, count }: ReviewGroup): Html {
  const query = new URLSearchParams({ organization, reason }).toString();
  return html`<p class="banner"><strong>${count}</strong> have the same reason: ${reason}.
<a href="/review?${query}">Resolve them together</a></p>`;
}

function renderCount(href: string, count: number, label: string, isUrgent = false): Html {
  return html`<li>
<a href="${href}"${isUrgent ? html` class="urgent"` : ''}><strong>${count}</strong> ${label}</a>
</li>`;
}

function renderList(
  { items, count }: OverviewList,
  emptyText: string,
  showsOrganization: boolean,
  now: number,
): Html {
  if (count === 0) return html`<p class="empty">${emptyText}</p>`;
  const more =
    count > items.length
      ? html`<p class="empty">Showing ${items.length} of ${count}. To list more, run
<code>donation-form donations list</code>.</p>`
      : '';
  return html`<ul class="items">${items.map((item) => renderOverviewItem(item, showsOrganization, now))}</ul>
${more}`;
}

function renderOverviewItem(item: OverviewItem, showsOrganization: boolean, now: number): Html {
  const { reference, organization, label, donorName, amount, status, since, reason, nextRetryAt } =
    item;
  return html`<li>
<div class="subject"><a href="/donations/${reference}">${reference}</a> ${renderStatus(status)}
<span>${donorName || 'No name'}${showsOrganization ? ` · ${organization}` : ''}</span></div>
<div class="total"><span>${label}</span>${amount === null ? '' : html`<strong>${amount}</strong>`}</div>
<div class="reason">${reason === '' ? '' : html`<span>${reason}</span>`}
<span class="time">${renderRelativeTime(since, now)}${renderNextRetry(nextRetryAt, now)}</span></div>
</li>`;
}

function renderNextRetry(nextRetryAt: number | null, now: number): Html | '' {
  if (nextRetryAt === null) return '';
  return html`, next retry ${nextRetryAt <= now ? 'now' : renderRelativeTime(nextRetryAt, now)}`;
}

function renderOrganization({ id, name, paused }: OrganizationSummary, csrf: string): Html {
  const form = paused
    ? {
        action: 'resume',
        button: html`<button class="primary">Resume ${name}</button>`,
        badge: html`<span class="badge needs-review">paused</span>`,
        hint: 'Resume: its forms are shown again and accept donations.',
      }
    : {
        action: 'pause',
        button: html`<button>Pause ${name} now</button>`,
        badge: html`<span class="badge done">accepts donations</span>`,
        hint:
          'Pause: its forms are hidden and accept no new donations. Donations already made are ' +
          'still processed.',
      };
  const controls = html`<form method="post" action="/organizations/${id}/${form.action}">${renderCsrfField(csrf)}
<label>Note <input name="note" maxlength="1000" autocomplete="off" enterkeyhint="go"></label>${form.button}</form>`;
  const question = `Hide all forms of ${name} and reject new donations?`;
  return html`<li>
<div><strong>${name}</strong> ${form.badge}
<p class="hint">${form.hint}</p></div>
${
  paused
    ? controls
    : html`<details><summary>Pause ${name}…</summary><p>${question}</p>${controls}</details>`
}
</li>`;
}
