import { html } from 'hono/html';
import { capitalize, formatCount } from '@donation-form/core/i18n';
import type { Html } from '../../http/render-document.ts';
import {
  FILTER_METHODS,
  FILTER_STATUSES,
  type FilterStatus,
} from '../../reporting/donation-filter.ts';
import { formatAmount, METHOD_LABELS } from '../read-models/labels.ts';
import { type ListField, MAX_SEARCH_LENGTH } from '../read-models/list-query.ts';
import type { DonationListData } from '../read-models/load-donation-list.ts';
import { renderDonationTable } from './donation-table.ts';
import {
  isPermitted,
  renderAdminPage,
  renderCsrfField,
  renderDateTime,
  type ViewContext,
} from './layout.ts';
import { type Choice, renderOrganizationSelect, renderSelect } from './select.ts';

const STATUS_CHOICES: Readonly<Record<FilterStatus, string>> = {
  received: 'Received',
  outstanding: 'Not received yet',
  promised: 'Promised',
  settling: 'Waiting for bank',
  unfinished: 'Unfinished',
  failed: 'Failed',
  'needs-review': 'Payment needs review',
  refunded: 'Fully or partly refunded',
  disputed: 'Disputed',
  retrying: 'Renewal failed, retrying',
  suspended: 'Renewals suspended',
};

export function renderDonationListPage(context: ViewContext, data: DonationListData): Html {
  const { organization, rows, found, urls, problem } = data;
  return renderAdminPage(
    'Donations',
    context,
    html`<header>
<p class="organization">${organization.name}</p>
<h1>Donations</h1>
</header>
<main class="stack">
${renderFilterForm(context, data)}
${problem === undefined ? '' : html`<p class="banner" role="alert">${problem}</p>`}
<section aria-labelledby="results">
<div class="results"><h2 id="results">${formatSummary(data)}</h2>
${rows.length > 0 && isPermitted(context, 'records:export') ? html`<a class="button" href="${urls.export}" download>Export as CSV</a>` : ''}</div>
${renderTotals(data)}
${rows.length === 0 ? renderNothingFound(found) : renderDonationTable(rows, data)}
${renderSearchLimit(data)}${rows.length === 0 ? '' : html`<p class="hint zone">Times are in ${data.timeZone}.</p>`}
${renderPageLinks(data)}
</section>
</main>`,
  );
}

function renderPageLinks({ found, isFirstPage, urls }: DonationListData): Html | '' {
  if (isFirstPage && urls.next === undefined) return '';
  const nextLabel =
    found.searchedUntil === undefined ? 'Older donations' : 'Search older donations';
  const next =
    urls.next === undefined
      ? ''
      : html`<a class="button" href="${urls.next}" rel="next">${nextLabel}</a>`;
  return html`<div class="pages">${
    isFirstPage ? '' : html`<a class="button" href="${urls.first}">Newest</a>`
  }${next}</div>`;
}

function renderFilterForm({ csrf }: ViewContext, data: DonationListData): Html {
  const { fields, forms, periods, organizations, organization } = data;
  const select = (name: ListField, label: string, choices: readonly Choice[]): Html =>
    renderSelect(name, label, choices, fields[name]);
  return html`<form class="filters" method="post" action="/donations/search" role="search" aria-label="Donations">${renderCsrfField(csrf)}
<div class="search"><label for="search">Name, email, reference, or exact amount</label>
<input id="search" name="search" type="search" value="${fields.search ?? ''}" maxlength="${MAX_SEARCH_LENGTH}"
autocomplete="off" spellcheck="false" enterkeyhint="search"></div>
${organizations.length < 2 ? '' : renderOrganizationSelect(organizations, organization.id)}
${select('period', 'Period', periods)}
<fieldset class="days"><legend class="visually-hidden">Custom dates</legend>
<div><label for="from">First day</label><input id="from" name="from" type="date" value="${fields.from ?? ''}"></div>
<div><label for="to">Last day</label><input id="to" name="to" type="date" value="${fields.to ?? ''}"></div></fieldset>
${select('status', 'Status', [
  ['', 'Any status'],
  ...FILTER_STATUSES.map((status) => [status, STATUS_CHOICES[status]] as const),
])}
${select('frequency', 'Frequency', [
  ['', 'Any frequency'],
  ['once', 'One-time'],
  ['recurring', 'Recurring'],
])}
${select('method', 'Payment method', [
  ['', 'Any method'],
  ...FILTER_METHODS.map((method) => [method, capitalize(METHOD_LABELS[method])] as const),
])}
${select('platform', 'Platform', [
  ['', 'Any'],
  ['yes', 'On the platform'],
  ['no', 'Not on the platform'],
])}
${forms.length < 2 ? '' : select('form', 'Form', [['', 'Any form'], ...forms.map((form) => [form, form] as const)])}
<div class="actions"><button class="primary">Show</button> <a href="/donations?organization=${encodeURIComponent(
    organization.id,
  )}">Clear</a></div>
</form>`;
}

function formatSummary({ found, rows, isFirstPage }: DonationListData): string {
  if (found.summary) return formatCount(found.summary.count, 'donation');
  if (rows.length === 0) return 'No donations yet';
  return isFirstPage
    ? `The newest ${rows.length} donations`
    : formatCount(rows.length, 'older donation');
}

const TOTAL_LABELS = [
  ['received', 'received'],
  ['outstanding', 'not received yet'],
  ['needsReview', 'to review'],
  ['refunded', 'refunded'],
] as const;

function renderTotals({ found, isFirstPage }: DonationListData): Html | '' {
  const { summary, next, searchedUntil } = found;
  if (!summary)
    return isFirstPage && next && searchedUntil === undefined
      ? html`<p class="hint">There are too many donations to total here. Choose a shorter period to see
the total.</p>`
      : '';
  if (summary.totals.length === 0) return '';
  const amounts = summary.totals.flatMap((totals) =>
    TOTAL_LABELS.flatMap(([kind, label]) => {
      const { count, total } = totals[kind];
      return count === 0
        ? []
        : [`${formatAmount(total, totals.currency, totals.decimals)} ${label} (${count})`];
    }),
  );
  return html`<p class="totals">${amounts.map((amount) => html`<span>${amount}</span> `)}</p>`;
}

function renderNothingFound({ searchedUntil }: DonationListData['found']): Html {
  return searchedUntil === undefined
    ? html`<p class="empty">No donations match. Check the spelling, or choose a longer period.</p>`
    : html`<p class="empty">No match yet.</p>`;
}

function renderSearchLimit({ found: { searchedUntil }, timeZone }: DonationListData): Html | '' {
  if (searchedUntil === undefined) return '';
  const date = renderDateTime(new Date(searchedUntil).toISOString(), timeZone);
  return html`<p class="hint">The search stopped at ${date}, because each page reads a limited
number of donations. Continue below, or choose a period.</p>`;
}
