import { html } from 'hono/html';
import { formatCount } from '@donation-form/core/i18n';
import type { Html } from '../../http/render-document.ts';
import { formatReceiptNumber } from '../../receipts/receipt-number.ts';
import type { ReceiptList, ReceiptSummary } from '../read-models/receipt-list.ts';
import { isPermitted, renderAdminPage, renderBadge, type ViewContext } from './layout.ts';
import { type Choice, renderOrganizationSelect, renderSelect } from './select.ts';

export interface ReceiptsPage {
  readonly list: ReceiptList;
  readonly organizationName: string;
  readonly organizations: readonly { readonly id: string; readonly name: string }[];
}

export function renderReceiptsPage(context: ViewContext, page: ReceiptsPage): Html {
  const { list, organizationName } = page;
  const { items, year, search } = list;
  const canExport = isPermitted(context, 'records:export');
  const title = search === '' ? `Receipts issued in ${year}` : `Receipt ${search}`;
  return renderAdminPage(
    'Receipts · Donations',
    context,
    html`<header>
<p class="organization">${organizationName}</p>
<h1>Receipts</h1>
</header>
<main class="stack">
${renderFilterForm(page)}
<section aria-labelledby="results">
<div class="results"><h2 id="results">${title}</h2>${canExport && items.length > 0 ? renderDownloads(list) : ''}</div>
${search === '' ? renderFacts(list) : ''}
${
  items.length === 0
    ? html`<p class="empty">${search === '' ? `No receipts were issued in ${year}.` : 'No receipt has this number.'}</p>`
    : renderTable(items)
}
${renderPageLinks(list)}
</section>
${canExport ? renderStatements(page) : ''}
</main>`,
  );
}

function renderFilterForm({ list, organizations }: ReceiptsPage): Html {
  const { organization, years, year, search } = list;
  return html`<form class="filters" method="get" action="/receipts" role="search" aria-label="Receipts">
${
  organizations.length < 2
    ? html`<input type="hidden" name="organization" value="${organization}">`
    : renderOrganizationSelect(organizations, organization)
}
${renderSelect('year', 'Year of issue', years.map(toYearChoice), String(year))}
<div><label for="search">Number</label><input id="search" name="search" type="search" value="${search}"
maxlength="40" autocomplete="off" spellcheck="false" enterkeyhint="search"></div>
<div class="actions"><button class="primary">Show</button></div>
</form>`;
}

const toYearChoice = (year: number): Choice => [String(year), String(year)];

function renderDownloads({ organization, year }: ReceiptList): Html {
  const query = new URLSearchParams({ organization, year: String(year) }).toString();
  return html`<div><a class="button" href="/receipts/export?${query}" download>Export as CSV</a>
<a class="button" href="/receipts/archive?${query}" download>Download all as zip</a></div>`;
}

/** Says whether the numbers are complete, and how many receipts are waiting. */
function renderFacts({ series, year, due }: ReceiptList): Html {
  const facts = series.map(({ series: name, lastNumber, missing, ...counts }) => {
    const format = (number: number): string => formatReceiptNumber({ series: name, year, number });
    const count = `${formatCount(counts.valid, 'valid receipt')}, ${counts.void} void.`;
    return missing.length === 0
      ? html`<p class="totals">${count} Numbers ${format(1)} to ${format(lastNumber)} are complete.</p>`
      : html`<p class="banner" role="alert"><strong>Missing numbers.</strong> Of ${format(1)} to
${format(lastNumber)}, these are missing: ${missing.map(format).join(', ')}. Restore them from a backup.</p>`;
  });
  const waiting =
    due.count === 0
      ? ''
      : html`<p class="hint">${formatCount(due.count, 'receipt')} will be issued soon.${
          due.lastError === null ? '' : ` Latest error: ${due.lastError}`
        }</p>`;
  return html`${facts}${waiting}`;
}

function renderTable(items: readonly ReceiptSummary[]): Html {
  return html`<table class="donations" role="table">
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Number</th>
<th role="columnheader" scope="col">Donor</th>
<th role="columnheader" scope="col" class="number">Amount</th>
<th role="columnheader" scope="col">Status</th>
<th role="columnheader" scope="col">Donated on</th>
<th role="columnheader" scope="col">File</th></tr></thead>
<tbody role="rowgroup">${items.map(renderRow)}</tbody></table>`;
}

function renderRow(receipt: ReceiptSummary): Html {
  const { number, donor, isDonorErased, amount, reference, day, isTest, voidReason } = receipt;
  return html`<tr role="row">
<th role="rowheader" scope="row"><a href="/donations/${reference}#receipts">${number}</a></th>
<td role="cell" class="name">${donor || (isDonorErased ? 'Deleted donor' : 'No name')}</td>
<td role="cell" class="number"><strong>${amount}</strong>${isTest ? html` <span class="hint">test</span>` : ''}</td>
<td role="cell">${renderReceiptBadge(receipt)}${voidReason === null ? '' : html` <span class="hint why">${voidReason}</span>`}</td>
<td role="cell">${day}</td>
<td role="cell"><a href="${buildReceiptUrl(receipt)}" aria-label="Download ${number}" download>Download</a></td>
</tr>`;
}

export function renderReceiptBadge({ status }: Pick<ReceiptSummary, 'status'>): Html {
  return status === 'issued' ? renderBadge('done', 'Valid') : renderBadge('failed', 'Void');
}

export function buildReceiptUrl({
  reference,
  number,
}: Pick<ReceiptSummary, 'reference' | 'number'>): string {
  return `/donations/${reference}/receipts/${number}`;
}

function renderPageLinks({ organization, year, next }: ReceiptList): Html | '' {
  if (next === undefined) return '';
  const query = new URLSearchParams({ organization, year: String(year), before: next }).toString();
  return html`<div class="pages"><a class="button" href="/receipts?${query}" rel="next">Older receipts</a></div>`;
}

const MONTHS = Array.from({ length: 12 }, (_, index): Choice => [
  String(index + 1),
  new Date(Date.UTC(2000, index)).toLocaleString('en-US', { month: 'long', timeZone: 'UTC' }),
]);

function renderStatements({ list }: ReceiptsPage): Html {
  const { organization, years, year } = list;
  return html`<section aria-labelledby="statements"><h2 id="statements">Statements of a year</h2>
<p>A statement lists the donations of one donor in twelve months, as the valid receipts confirm them.</p>
<form class="filters" method="get" action="/statements/archive">
<input type="hidden" name="organization" value="${organization}">
${renderSelect('year', 'Year', years.map(toYearChoice), String(year), 'statement-year')}
${renderSelect('startMonth', 'First month', MONTHS, '1', 'start-month')}
<div class="actions"><button>Download all as zip</button></div>
</form></section>`;
}
