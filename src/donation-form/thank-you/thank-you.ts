/** Screens shown after submission. Loaded while the donor fills in the form. */
import { css, html, nothing, type TemplateResult } from 'lit';
import type { DonationOutcome } from '@donation-form/core/schemas';
import { type SubmissionTexts, fillPlaceholders } from '@donation-form/core/i18n';
import type { FormController, Phase } from '../form/form-controller.ts';
import { printReceipt, sharePage } from './print-and-share.ts';
import { errorIcon } from '../sections/field-error.ts';

export const thankYouStyles = css`
[aria-invalid=true] { border-color: var(--danger) !important; box-shadow: inset 0 0 0 1px var(--danger) }
.money [aria-invalid=true] { box-shadow: 0 1px var(--danger) }
.error { display: flex; gap: .4em; align-items: baseline; color: var(--danger); font-size: .9375em; line-height: 1.4 }
.tiles + .error { margin-top: .625em }
.icon { flex: none; width: 1em; height: 1em; fill: currentColor; transform: translateY(.12em) }
/* Not needed for the first paint. */
.sections[inert] { opacity: .6 }
:is(.choice, .native, .custom-amount .hint, .select select, .check label, button) { cursor: pointer }
button[aria-disabled=true] { cursor: progress !important }
.primary { transition: filter .14s ease-out }
.primary:hover { filter: brightness(1.08) }
.face { transition: background-color .14s ease-out, border-color .14s ease-out }
.choice:hover .face { border-color: var(--highlight) }
.notice { display: flex; gap: .625em; padding: .875em 1em; border: 1px solid var(--danger); border-radius: var(--radius); background: var(--danger-tint); text-align: start }
.notice br + .link { margin-block-start: .25em }
.notice .icon { color: var(--danger); transform: translateY(.25em) }
.spinner { width: 1.125em; height: 1.125em; border: 2px solid currentColor; border-inline-end-color: transparent; border-radius: 50%; animation: turn .8s linear infinite }
@keyframes turn { to { transform: rotate(1turn) } }

@media (prefers-reduced-motion: reduce) { * { transition: none !important } .spinner { animation: none; border-style: dotted; border-color: currentColor } }
.request-id { display: block; margin-top: .375em; font-size: .8125em; overflow-wrap: anywhere }
.request-id bdi { -webkit-user-select: all; user-select: all }
.notice ul { display: grid; margin: .375em 0 0; padding: 0; list-style: none }
.link { min-height: 2.75em; padding: 0; border: 0; background: none; color: inherit; text-align: start; text-decoration: underline; text-underline-offset: .15em }
.large { width: 2.5em; height: 2.5em; color: var(--highlight) }
:is([type=email], [type=tel], [type=url]):dir(rtl) { direction: ltr; text-align: right }
.root > .test-badge { width: fit-content; margin: 0 auto }
.screen { text-wrap: balance }
#receipt { padding: 0 }
.screen h2 { font-size: 1.625em; font-weight: 700; line-height: 1.2 }
.screen h2:focus { outline: none }
.total { font-size: 2.25em; font-weight: 700; line-height: 1.2; font-variant-numeric: tabular-nums }
.status-icon { width: 4em; height: 4em; fill: none; stroke: var(--success); stroke-width: 3; stroke-linecap: round; stroke-linejoin: round }
.status-icon circle { opacity: .3 }
.reference strong { letter-spacing: .04em; white-space: nowrap; font-variant-numeric: tabular-nums; user-select: all }
.parts { display: grid; gap: .25em; margin: 0; padding: 0; list-style: none }
.aside { padding: .875em 1em; border-radius: var(--radius); background: var(--accent-tint) }
/* Each line has its own text direction, but all are aligned to the same side. */
.instructions { white-space: pre-line; unicode-bidi: plaintext; text-align: left }
.instructions:dir(rtl) { text-align: right }
.screen .aside { display: grid; gap: .75em; width: 100%; text-align: start }
.hosted { display: flex; gap: .75em; align-items: start; padding: .875em 1em; border: 1px dashed var(--border); border-radius: var(--radius) }
.hosted svg { flex: none; width: 1.375em; height: 1.375em; fill: none; stroke: var(--highlight); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round }
.hosted svg:dir(rtl) { transform: scaleX(-1) }
.status-icon.waiting { stroke: var(--highlight) }
.steps { display: grid; gap: .75em; width: 100%; max-width: 20em }
.steps button { display: flex; align-items: center; justify-content: center; gap: .625em }
.screen a { display: inline-block; padding-block: .625em; color: inherit; text-underline-offset: .15em }
@media print { .receipt-actions { display: none } }
.receipt-actions { display: flex; flex-wrap: wrap; justify-content: center; gap: .75em }

@media (forced-colors: active) {
  .native:checked + .face { border: 3px solid Highlight }
  .native:focus-visible + .face { outline: 3px solid Highlight; outline-offset: 2px }
  .primary { border: 2px solid ButtonText }
  [aria-invalid=true] { border: 2px dashed CanvasText !important }
  .notice .icon { color: CanvasText }
  .status-icon { stroke: CanvasText }
  .spinner { border-inline-end-color: Canvas }
}
`;

const checkMark = html`<svg
  class="status-icon"
  viewBox="0 0 48 48"
  aria-hidden="true"
><circle cx="24" cy="24" r="22"/><path d="m15 24.5 6.5 6.5L34 18"/></svg>`;

/** Renders the thank-you screen, or the screen of a donation with an unknown outcome. */
export function renderThankYou(
  { name, outcome, isEarlier }: Extract<Phase, { outcome: DonationOutcome }>,
  form: FormController,
  texts: SubmissionTexts,
): TemplateResult {
  const { id, organization, receiptSender, payments } = form.context!.definition;
  const { reference, gift, response, provider, instructions } = outcome;
  if (name === 'unconfirmed') {
    return html`
      <div class="screen" part="unconfirmed">
        <span class="spinner large" aria-hidden="true"></span>
        <h2 tabindex="-1">${texts.unconfirmedTitle}</h2>
        <p>${texts.unconfirmedDescription}</p>
        ${renderReference(reference, form, texts)}
      </div>`;
  }
  const { decimals } =
    form.context!.definition.currencies.find(({ code }) => code === gift.currency) ??
    form.context!.settings.currency;
  const formatMoney = (minor: number): string => form.formatMoney(minor, gift.currency);
  const isManaged =
    gift.frequency !== 'once' &&
    payments.some((payment) => payment.provider === provider && payment.hasCustomerPortal);
  const isPending = name === 'processing';
  const title = isPending
    ? texts.processingTitle
    : getThankYouTitle(form.state.donor.firstName, texts);
  const pending = isPending ? html`<p>${texts.processingDescription}</p>` : nothing;
  return html`
    <div class="screen" part="thank-you">
      <div class="screen" id="receipt">
        ${instructions ? nothing : checkMark}
        <h2 tabindex="-1">${instructions ? texts.instructionsTitle : title}</h2>
        <div class="total">${fillPlaceholders(
          form.loader!.texts.amountsByFrequency[gift.frequency],
          { amount: formatMoney(gift.total) },
        )}</div>
        ${renderProjects(response, texts, (amount) => formatMoney(Math.round(amount * 10 ** decimals)))}
        ${
          instructions
            ? html`<div class="aside">${renderInstructions(instructions, reference, texts)}</div>`
            : pending
        }
        ${renderEarlierNotice(isEarlier, texts)}
        ${
          gift.coveredFees > 0
            ? html`<p class="hint">${fillPlaceholders(texts.feeBreakdown, {
                amount: formatMoney(gift.amount),
                fee: formatMoney(gift.coveredFees),
              })}</p>`
            : nothing
        }
        ${
          instructions && receiptSender === 'processor'
            ? nothing
            : html`<p>${fillPlaceholders(texts.receipts[receiptSender], {
                organization: organization.name,
                contact: organization.contact,
              })}</p>`
        }
        ${
          instructions
            ? html`<p class="hint">${getContactText(form, texts)}</p>`
            : renderReference(reference, form, texts)
        }
      </div>
      ${
        isManaged
          ? html`<p><a
            href="${form.loader!.endpointUrl}manage?${new URLSearchParams({ id, provider })}"
            target="_blank"
            rel="noopener"
          >${texts.manageGift}</a></p>`
          : nothing
      }
      <slot name="thank-you"></slot>
      <p class="receipt-actions">
        <button
          class="secondary"
          type="button"
          @click=${() => printReceipt(form.element, organization.name)}
        >${texts.print}</button>
        <button
          class="secondary"
          type="button"
          @click=${() => sharePage(form.element, fillPlaceholders(texts.shareMessage, { organization: organization.name }), texts.linkCopied)}
        >${texts.share}</button>
      </p>
      <p class="hint" role="status" id="shared"></p>
    </div>`;
}

/** Renders payment instructions and highlights the reference in them. */
function renderInstructions(
  instructions: string,
  reference: string,
  texts: SubmissionTexts,
): TemplateResult {
  const [first, ...others] = instructions.split(reference);
  return others.length > 0
    ? html`<p class="instructions reference">${first}${others.map((text) => html`<strong>${reference}</strong>${text}`)}</p>`
    : html`<p class="instructions">${instructions}</p><p class="reference">${texts.reference} <strong>${reference}</strong></p>`;
}

function getThankYouTitle(firstName: string | undefined, texts: SubmissionTexts): string {
  return firstName
    ? fillPlaceholders(texts.thanksTitleWithName, { name: firstName })
    : texts.thanksTitle;
}

/** Renders the reference and the contact. */
export function renderReference(
  reference: string,
  form: FormController,
  texts: SubmissionTexts,
): TemplateResult {
  return html`<p class="reference hint">${texts.reference} <strong>${reference}</strong><br>${getContactText(form, texts)}</p>`;
}

function getContactText({ context }: FormController, texts: SubmissionTexts): string {
  return fillPlaceholders(texts.questions, { contact: context!.definition.organization.contact });
}

/** Renders the request ID, which helps the organization find the error in its log. */
export function renderRequestId(
  requestId: string | undefined,
  texts: SubmissionTexts,
): TemplateResult | typeof nothing {
  const [before, after] = texts.requestIdHint.split('{requestId}');
  return requestId === undefined
    ? nothing
    : html`<small class="request-id">${before}<bdi>${requestId}</bdi>${after}</small>`;
}

/** Renders a notice that the result belongs to an earlier donation with different values. */
export function renderEarlierNotice(
  isEarlier: boolean,
  texts: SubmissionTexts,
): TemplateResult | typeof nothing {
  return isEarlier
    ? html`<p class="notice">${errorIcon}<span>${texts.earlierGift}</span></p>`
    : nothing;
}

/**
 * Renders the projects of a donation, with their amounts if it was split.
 * @param formatMoney takes major units.
 */
function renderProjects(
  response: DonationOutcome['response'],
  texts: SubmissionTexts,
  formatMoney: (amount: number) => string,
): TemplateResult | typeof nothing {
  const [first, ...others] = response?.projectSplit ?? [];
  if (!first) return nothing;
  if (others.length === 0)
    return html`<p>${texts.thanksPurpose} <strong>${first.projectName}</strong></p>`;
  return html`<ul class="parts" aria-label=${texts.thanksPurpose}>${[first, ...others].map(
    ({ projectName, amount }) =>
      html`<li><strong>${projectName}</strong> ${formatMoney(Number(amount))}</li>`,
  )}</ul>`;
}
