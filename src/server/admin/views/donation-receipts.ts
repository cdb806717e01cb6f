import { html } from 'hono/html';
import type { Html } from '../../http/render-document.ts';
import type { DonationReceipt } from '../read-models/donation-receipts.ts';
import { endSentence } from '../read-models/labels.ts';
import type { DonationStory } from '../read-models/load-donation-story.ts';
import { isPermitted, renderCsrfField, type ViewContext } from './layout.ts';
import { buildReceiptUrl, renderReceiptBadge } from './receipts.ts';

export function renderReceiptsSection(context: ViewContext, data: DonationStory): Html | '' {
  const { receipts, donation, donorEmail } = data;
  const { items, due, statementYears } = receipts;
  if (items.length + due.length === 0 || !isPermitted(context, 'receipts:read')) return '';
  const csrf = isPermitted(context, 'receipts:change') ? context.csrf : undefined;
  const statements =
    donorEmail === undefined
      ? ''
      : statementYears.map(
          (year) =>
            html`<a href="/donations/${donation.reference}/statement?year=${year}" download>Statement for ${year}</a> `,
        );
  return html`<section id="receipts"><h2>Receipts</h2>
${due.map(renderDueReceipt)}
<ul class="receipts">${items.map((receipt) => renderReceipt(receipt, donation.reference, csrf))}</ul>
${statements === '' ? '' : html`<p>${statements}</p>`}</section>`;
}

function renderDueReceipt({ lastError }: DonationStory['receipts']['due'][number]): Html {
  const error = lastError === null ? '' : ` Latest error: ${endSentence(lastError)}`;
  return html`<p class="hint">The server will check soon which receipt is due.${error}</p>`;
}

function renderReceipt(receipt: DonationReceipt, donation: string, csrf: string | undefined): Html {
  const { number, amount, day, reference, donor, isTest } = receipt;
  return html`<li id="${number}"><p><a href="${buildReceiptUrl(receipt)}" download>${number}</a>
${renderReceiptBadge(receipt)} <strong>${amount}</strong></p>
<p class="hint">${isTest ? 'Test. ' : ''}${reference === donation ? 'Donation' : `Renewal ${reference}`} on ${day}, issued ${receipt.issuedAt.slice(0, 10)}${donor === '' ? '' : ` to ${donor}`}.</p>
${describeReceipt(receipt).map((text) => html`<p class="hint">${text}</p>`)}
${receipt.isLatest && csrf !== undefined ? renderReceiptForms(receipt, csrf) : ''}</li>`;
}

function describeReceipt(receipt: DonationReceipt): readonly string[] {
  const { replaces, replacedBy, voidReason, correction } = receipt;
  return [
    ...(replaces === undefined ? [] : [`Replaces ${replaces}.`]),
    ...(correction
      ? [
          `Corrected by ${correction.by}${correction.note === '' ? '.' : `: ${endSentence(correction.note)}`}`,
        ]
      : []),
    ...(voidReason === null ? [] : [endSentence(voidReason)]),
    ...(replacedBy === undefined ? [] : [`Replaced by ${replacedBy}.`]),
  ];
}

/** Renders the forms that replace the latest receipt or make it void. */
function renderReceiptForms(receipt: DonationReceipt, csrf: string): Html | '' {
  if (receipt.isDonorErased) return '';
  const isValid = receipt.status === 'issued';
  return html`<details><summary>${isValid ? 'Correct or void' : 'Issue again'}</summary>
<div class="options">${renderCorrectionForm(receipt, csrf)}${isValid ? renderVoidForm(receipt, csrf) : ''}</div></details>`;
}

function renderCorrectionForm(receipt: DonationReceipt, csrf: string): Html {
  const { number, reference, donor, addressLines, status } = receipt;
  const [title, effect] =
    status === 'issued'
      ? ['Correct receipt', 'The server makes this receipt void and sends the donor a new one.']
      : ['Issue again', 'This receipt stays void. The server sends the donor a new one.'];
  return html`<form class="option" method="post" action="/donations/${reference}/correct-receipt">${renderCsrfField(csrf)}
<h3>${title}</h3>
<p id="effect-correct-${number}">${effect}</p>
<label for="name-${number}">Name</label>
<input id="name-${number}" name="name" value="${donor}" required maxlength="200" autocomplete="off">
<label for="address-${number}">Address</label>
<textarea id="address-${number}" name="address" rows="4" maxlength="1200" autocomplete="off">${addressLines.join('\n')}</textarea>
<label for="correction-note-${number}">Note for colleagues (optional)</label>
<input id="correction-note-${number}" name="note" maxlength="1000" autocomplete="off">
<button aria-describedby="effect-correct-${number}">${title}</button></form>`;
}

function renderVoidForm({ number, reference }: DonationReceipt, csrf: string): Html {
  return html`<form class="option" method="post" action="/donations/${reference}/void-receipt">${renderCsrfField(csrf)}
<h3>Void receipt</h3>
<p id="effect-void-${number}">The donor gets no new receipt, unless the amount paid changes or you issue one
here.</p>
<label for="reason-${number}">Reason</label>
<input id="reason-${number}" name="reason" required maxlength="1000" autocomplete="off">
<button aria-describedby="effect-void-${number}">Void receipt</button></form>`;
}
