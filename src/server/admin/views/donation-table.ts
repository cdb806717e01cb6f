import { html } from 'hono/html';
import type { Html } from '../../http/render-document.ts';
import { buildDonationUrl } from '../read-models/donation-links.ts';
import type { DonationTableOptions, DonationTableRow } from '../read-models/donation-rows.ts';
import { getStatusLabel } from '../read-models/labels.ts';
import { renderActionOutcome, renderDateTime, renderStatusBadge } from './layout.ts';

/** Renders donations as a table. On phones, the table looks like a list. */
export function renderDonationTable(
  rows: readonly DonationTableRow[],
  options: DonationTableOptions,
): Html {
  return html`<table class="donations" role="table">
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Donor</th>
<th role="columnheader" scope="col">When</th>
<th role="columnheader" scope="col" class="number">Amount</th><th role="columnheader" scope="col">Status</th>
<th role="columnheader" scope="col">Platform</th><th role="columnheader" scope="col">Reference</th></tr></thead>
<tbody role="rowgroup">${rows.map((row) => renderRow(row, options))}</tbody></table>`;
}

function renderRow(row: DonationTableRow, options: DonationTableOptions): Html {
  const { reference, at, total, kind, isRenewal, status, awaiting, outcomes } = row;
  const isUnusualTest = row.isTest && !options.isTest;
  return html`<tr role="row">
<th role="rowheader" scope="row"><a href="${buildDonationUrl(reference, isRenewal)}">${formatDonor(row)}</a>
${row.donorName !== '' && row.email !== '' ? html`<span class="hint">${row.email}</span>` : ''}</th>
<td role="cell" class="when">${renderDateTime(new Date(at).toISOString(), options.timeZone, { hasZone: false })}</td>
<td role="cell" class="number"><strong>${total}</strong> <span class="hint">${kind}${isRenewal ? ', renewal' : ''}${isUnusualTest ? ', test' : ''}</span></td>
<td role="cell">${renderStatusBadge(status, awaiting)}${outcomes.map(
    (outcome) => html` ${renderActionOutcome(outcome)}`,
  )}</td>
<td role="cell">${renderPlatform(row, options)}</td>
<td role="cell" class="reference">${reference}</td>
</tr>`;
}

function formatDonor({ donorName, email, isDeleted }: DonationTableRow): string {
  return donorName || email || (isDeleted ? 'Deleted donor' : 'No name');
}

function renderPlatform(
  { platformGiftId: id, platformStatus: status, platformReason: reason }: DonationTableRow,
  { usesPlatform, getGiftUrl }: DonationTableOptions,
): Html {
  if (id !== null) {
    const url = getGiftUrl(id);
    const text = html`<span class="label">Gift</span> ${id}`;
    return url === undefined ? text : html`<a href="${url}">${text}</a>`;
  }
  const reasonText = reason === '' ? '' : html` <span class="hint why">${reason}</span>`;
  if (status !== null && status !== 'delivered')
    return html`<span class="hint">${getStatusLabel(status)}</span>${reasonText}`;
  if (reasonText !== '') return reasonText;
  return usesPlatform
    ? html`<span class="hint">–<span class="visually-hidden"> not on the platform</span></span>`
    : html`<span class="hint">Not needed</span>`;
}
