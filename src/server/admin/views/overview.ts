import { html } from 'hono/html';
import { capitalize, formatCount, formatList } from '@donation-form/core/i18n';
import type { Html } from '../../http/render-document.ts';
import { hasPermission } from '../../staff/actor.ts';
import type { OrganizationSummary } from '../actions/organizations.ts';
import { buildListUrl } from '../read-models/list-query.ts';
import { type OverviewData, type OverviewItem, PAYMENT_LABEL } from '../read-models/overview.ts';
import { renderDonationTable } from './donation-table.ts';
import { renderIncomeSection } from './income.ts';
import {
  formatDuration,
  renderAdminPage,
  renderCsrfField,
  renderDateTime,
  renderRelativeTime,
  renderStatusBadge,
  renderTimeUntil,
  type ViewContext,
} from './layout.ts';

/** Lists of donations that the person may read. */
type OverviewDonations = NonNullable<OverviewData['donations']>;

export function renderOverviewPage(context: ViewContext, data: OverviewData): Html {
  const { donations, organizations, backoffs, income, latest } = data;
  const showsOrganization = organizations.length > 1;
  const title = donations ? formatTitle(countReviewItems(donations)) : 'Overview';
  const subtitle = showsOrganization
    ? formatCount(organizations.length, 'organization')
    : organizations[0]?.name;
  return renderAdminPage(
    `${title} · Donations`,
    context,
    html`<header>
<p class="organization">${subtitle}</p>
<h1>${title}</h1>
${donations ? html`<p class="lede">${formatPlatformStatus(donations, data)}</p>` : ''}
</header>
<main class="stack">
${organizations.map((organization) => renderPauseBanner(organization, data))}
${organizations.map((organization) => renderMailPauseBanner(organization, data))}
${backoffs.map((backoff) => renderBackoffBanner(backoff))}
${donations && countReviewItems(donations) > 0 ? renderNeedsReview(donations, data) : ''}
${renderIncomeSection(income)}
${latest ? renderLatestDonations(latest, income.organization) : ''}
${donations ? renderWorkSections(donations, data) : ''}
${renderOrganizations(data, context.csrf)}
</main>`,
  );
}

function countReviewItems({ needsReview, failedWebhooks }: OverviewDonations): number {
  return needsReview.count + failedWebhooks.length;
}

function renderLatestDonations(
  latest: NonNullable<OverviewData['latest']>,
  organization: string,
): Html {
  return html`<section id="latest"><div class="results"><h2>Latest donations</h2>
<a href="${buildListUrl('/donations', { organization })}">All donations</a></div>
${
  latest.rows.length === 0
    ? html`<p class="empty">There are no donations yet.</p>`
    : renderDonationTable(latest.rows, latest)
}</section>`;
}

function renderNeedsReview(donations: OverviewDonations, data: OverviewData): Html {
  const { failedWebhooks, reviewGroups, needsReview } = donations;
  const { items, count } = needsReview;
  const resolvable = reviewGroups.filter(({ organization }) =>
    hasPermission(data.actor, 'donations:change', organization),
  );
  return html`<section id="needs-review"><h2>Needs review</h2>
${failedWebhooks.map((failure) => renderWebhookBanner(failure))}
${resolvable.map((group) => renderReviewGroup(group))}
${renderItems(items, data)}
${
  count > items.length
    ? html`<p class="empty">Showing ${items.length} of ${count}. To list all, run
<code>donation-form donations review</code>.</p>`
    : ''
}</section>`;
}

const MAX_WORK_ITEMS = 5;

/** Lists of unfinished work, with phrases for empty lists and filters for the full lists. */
const WORK_SECTIONS = [
  {
    id: 'pending',
    list: 'pendingEvents',
    title: 'Waiting for the platform',
    emptyText: 'nothing is waiting for the platform',
    filter: { platform: 'no' },
  },
  {
    id: 'in-progress',
    list: 'paymentsInProgress',
    title: 'Payments in progress',
    emptyText: 'no payment is in progress',
    filter: { status: 'unfinished' },
  },
  {
    id: 'pledges',
    list: 'pledges',
    title: 'Promised bank transfers and checks',
    emptyText: 'no bank transfer or check is promised',
    filter: { status: 'promised' },
  },
  {
    id: 'failed',
    list: 'failedPayments',
    title: 'Payments that failed in the last 7 days',
    emptyText: 'no payment failed in the last 7 days',
    filter: { status: 'failed' },
  },
] as const;

/** Renders the lists of unfinished work. Combines the phrases for empty lists into one sentence. */
function renderWorkSections(donations: OverviewDonations, data: OverviewData): Html {
  const empty = WORK_SECTIONS.filter(({ list }) => donations[list].count === 0);
  const sentence = formatList(empty.map(({ emptyText }) => emptyText));
  return html`${WORK_SECTIONS.filter(({ list }) => donations[list].count > 0).map((section) =>
    renderWorkSection(section, donations, data),
  )}
${empty.length === 0 ? '' : html`<p class="nothing">${capitalize(sentence)}.</p>`}`;
}

function renderWorkSection(
  { id, title, list, filter }: (typeof WORK_SECTIONS)[number],
  donations: OverviewDonations,
  data: OverviewData,
): Html {
  const { count, items } = donations[list];
  const url = buildListUrl('/donations', { ...filter, organization: data.income.organization });
  return html`<section id="${id}"><div class="results"><h2>${title} <span class="count">${count}</span></h2>
${count > MAX_WORK_ITEMS ? html`<a href="${url}">Show all</a>` : ''}</div>
${renderItems(items.slice(0, MAX_WORK_ITEMS), data)}</section>`;
}

function formatTitle(reviewCount: number): string {
  if (reviewCount === 0) return 'Nothing needs review';
  return reviewCount === 1 ? '1 item needs review' : `${reviewCount} items need review`;
}

function formatPlatformStatus(
  { pendingEvents, needsReview }: OverviewDonations,
  { usesPlatform, now }: OverviewData,
): string {
  if (!usesPlatform) return 'No platform is configured.';
  const { count, items } = pendingEvents;
  if (count === 0)
    return needsReview.count === 0
      ? 'The platform is up to date.'
      : 'The platform is up to date, except for the items that need review.';
  const wait = formatDuration(now - (items[0]?.since ?? now));
  return count === 1
    ? `1 update has been waiting for ${wait} to be sent to the platform.`
    : `${count} updates are waiting to be sent to the platform. The oldest has been waiting for ${wait}.`;
}

function renderPauseBanner(
  { id, name, paused }: OrganizationSummary,
  data: OverviewData,
): Html | '' {
  if (!paused) return '';
  const note = paused.note === '' ? '' : `: ${paused.note}`;
  return html`<p class="banner"><strong>${name} is not accepting donations.</strong>
${paused.by} paused it on ${renderDateTime(paused.at, data.getTimeZone(id))}${note}. ${renderResumeLink(id, data)}</p>`;
}

function renderResumeLink(organization: string, { actor }: OverviewData): Html | '' {
  return hasPermission(actor, 'organizations:pause', organization)
    ? html`<a href="#organizations">Resume below</a>`
    : '';
}

function renderBackoffBanner(backoff: OverviewData['backoffs'][number]): Html {
  const { organization, until, timeZone } = backoff;
  return html`<p class="banner">The platform for <strong>${organization}</strong> is not responding
or has asked the server to back off. Updates will resume after
${renderDateTime(new Date(until).toISOString(), timeZone)}. The form still accepts donations.</p>`;
}

function renderWebhookBanner(failure: OverviewDonations['failedWebhooks'][number]): Html {
  const { organization, count } = failure;
  return html`<p class="banner">The receiving server for <strong>${organization}</strong> did not accept
${formatCount(count, 'webhook message')}, and this server will not retry. To list them by URL, run
<code>donation-form webhooks failed</code>; to send them again, run
<code>donation-form webhooks retry</code>.</p>`;
}

function renderReviewGroup(group: OverviewDonations['reviewGroups'][number]): Html {
  const { organization, reason, count } = group;
  const query = new URLSearchParams({ organization, reason }).toString();
  return html`<p class="banner"><strong>${count} items</strong> have the same reason: ${reason}.
<a href="/review?${query}">Resolve them together</a></p>`;
}

function renderItems(
  items: readonly OverviewItem[],
  { organizations, now }: Pick<OverviewData, 'organizations' | 'now'>,
): Html {
  const showsOrganization = organizations.length > 1;
  return html`<ul class="items">${items.map((item) => renderOverviewItem(item, showsOrganization, now))}</ul>`;
}

function renderOverviewItem(item: OverviewItem, showsOrganization: boolean, now: number): Html {
  const { reference, organization, label, donorName, amount, status, awaiting } = item;
  const { since, reason, nextRetryAt } = item;
  return html`<li>
<div class="subject"><a href="/donations/${reference}">${reference}</a> ${renderStatusBadge(status, awaiting)}
<span>${donorName || 'No name'}${showsOrganization ? ` · ${organization}` : ''}</span></div>
<div class="total">${
    label === PAYMENT_LABEL ? '' : html`<span>${label}</span>`
  }${amount === null ? '' : html`<strong>${amount}</strong>`}</div>
<div class="reason">${reason === '' ? '' : html`<span>${reason}</span>`}
<span class="time">${renderRelativeTime(since, now)}${renderNextRun(label, nextRetryAt, now)}</span></div>
</li>`;
}

function renderNextRun(label: string, at: number | null, now: number): Html | '' {
  if (at === null) return '';
  const what = label === PAYMENT_LABEL ? 'check' : 'retry';
  return html`, next ${what} ${renderTimeUntil(at, now)}`;
}

function renderMailPauseBanner(
  { id, name, mailPaused }: OrganizationSummary,
  data: OverviewData,
): Html | '' {
  if (!mailPaused) return '';
  return html`<p class="banner"><strong>${name} is sending no mail.</strong>
${mailPaused.by} paused it on ${renderDateTime(mailPaused.at, data.getTimeZone(id))}. ${renderResumeLink(id, data)}</p>`;
}

function renderMailForm(
  { id, sendsMail, mailPaused }: OrganizationSummary,
  csrf: string,
): Html | '' {
  if (!sendsMail && !mailPaused) return '';
  const [action, label] = mailPaused ? ['resume', 'Resume mail'] : ['pause', 'Pause mail'];
  return html`<form method="post" action="/mail/${action}">${renderCsrfField(csrf)}
<input type="hidden" name="organization" value="${id}"><button class="link">${label}</button></form>`;
}

/** Renders the forms that pause organizations, if the person may. */
function renderOrganizations({ organizations, actor }: OverviewData, csrf: string): Html | '' {
  const pausable = organizations.filter(({ id }) =>
    hasPermission(actor, 'organizations:pause', id),
  );
  if (pausable.length === 0) return '';
  return html`<section id="organizations"><h2>Organizations</h2>
<ul class="organizations">
${pausable.map((organization) => renderOrganization(organization, csrf))}
</ul></section>`;
}

function renderOrganization(organization: OrganizationSummary, csrf: string): Html {
  const { id, name, paused } = organization;
  const form = paused
    ? {
        action: 'resume',
        button: html`<button class="primary">Resume ${name}</button>`,
        badge: html`<span class="badge needs-review">paused</span>`,
        hint: 'If you resume, the forms appear and accept donations again.',
      }
    : {
        action: 'pause',
        button: html`<button>Pause ${name} now</button>`,
        badge: html`<span class="badge done">accepts donations</span>`,
        hint:
          'If you pause, the forms disappear and the server rejects new donations. It still ' +
          'processes existing donations.',
      };
  const controls = html`<form method="post" action="/organizations/${id}/${form.action}">${renderCsrfField(csrf)}
<label>Note <input name="note" maxlength="1000" autocomplete="off" enterkeyhint="go"></label>${form.button}</form>`;
  const question = `Hide all forms of ${name} and reject new donations?`;
  return html`<li>
<div><strong>${name}</strong> ${form.badge}
<p class="hint">${form.hint}</p>${renderMailForm(organization, csrf)}</div>
${
  paused
    ? controls
    : html`<details><summary>Pause ${name}…</summary><p>${question}</p>${controls}</details>`
}
</li>`;
}
