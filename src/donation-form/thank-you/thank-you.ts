/** What a donor sees after the gift was sent; loaded while the form is filled in. */
import { css, html, nothing, type TemplateResult } from 'lit';
import type { Outcome } from '@donation-form/core/schemas';
import { type SendingTexts, fill } from '@donation-form/core/i18n';
import type { FormController, Phase } from '../form/form-controller.ts';
import { printReceipt, sharePage } from './print-and-share.ts';
import { problemSign } from '../sections/field-error.ts';

export const thankYouStyles = css`
[aria-invalid=true] { border-color: var(--danger) !important; box-shadow: inset 0 0 0 1px var(--danger) }
.money [aria-invalid=true] { box-shadow: 0 1px var(--danger) }
.problem { display: flex; gap: .4em; align-items: baseline; color: var(--danger); font-size: .9375em; line-height: 1.4 }
.tiles + .problem { margin-top: .625em }
.sign { flex: none; width: 1em; height: 1em; fill: currentColor; transform: translateY(.12em) }
.notice { display: flex; gap: .625em; padding: .875em 1em; border: 1px solid var(--danger); border-radius: var(--radius); background: var(--alarm); text-align: start }
.notice .sign { color: var(--danger); transform: translateY(.25em) }
.spinner { width: 1.125em; height: 1.125em; border: 2px solid currentColor; border-inline-end-color: transparent; border-radius: 50%; animation: turn .8s linear infinite }
@keyframes turn { to { transform: rotate(1turn) } }

@media (prefers-reduced-motion: reduce) { .spinner { animation: none; border-style: dotted; border-color: currentColor } }
.mention { display: block; margin-top: .375em; font-size: .8125em; overflow-wrap: anywhere }
.mention bdi { -webkit-user-select: all; user-select: all }
.notice ul { display: grid; margin: .375em 0 0; padding: 0; list-style: none }
.link { min-height: 2.75em; padding: 0; border: 0; background: none; color: inherit; text-align: start; text-decoration: underline; text-underline-offset: .15em }
.large { width: 2.5em; height: 2.5em; color: var(--mark) }
:is([type=email], [type=tel], [type=url]):dir(rtl) { direction: ltr; text-align: right }
.screen { text-wrap: balance }
#keepsake { padding: 0 }
.screen h2 { font-size: 1.625em; font-weight: 700; line-height: 1.2 }
.screen h2:focus { outline: none }
.sum { font-size: 2.25em; font-weight: 700; line-height: 1.2; font-variant-numeric: tabular-nums }
.tick { width: 4em; height: 4em; fill: none; stroke: var(--success); stroke-width: 3; stroke-linecap: round; stroke-linejoin: round }
.tick circle { opacity: .3 }
.reference strong { letter-spacing: .04em; font-variant-numeric: tabular-nums; user-select: all }
.parts { display: grid; gap: .25em; margin: 0; padding: 0; list-style: none }
.aside { padding: .875em 1em; border-radius: var(--radius); background: var(--soft) }
/* Each line in the direction of its own words, and all on one side. */
.instructions { white-space: pre-line; unicode-bidi: plaintext; text-align: left }
.instructions:dir(rtl) { text-align: right }
.screen .aside { display: grid; gap: .75em; width: 100%; text-align: start }
.hosted { display: flex; gap: .75em; align-items: start; padding: .875em 1em; border: 1px dashed var(--line); border-radius: var(--radius) }
.hosted svg { flex: none; width: 1.375em; height: 1.375em; fill: none; stroke: var(--mark); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round }
.hosted svg:dir(rtl) { transform: scaleX(-1) }
.waits { stroke: var(--mark) }
.steps { display: grid; gap: .75em; width: 100%; max-width: 20em }
.steps button { display: flex; align-items: center; justify-content: center; gap: .625em }
.screen a { display: inline-block; padding-block: .625em; color: inherit; text-underline-offset: .15em }
@media print { .keep { display: none } }
.keep { display: flex; flex-wrap: wrap; justify-content: center; gap: .75em }

@media (forced-colors: active) {
  [aria-invalid=true] { border: 2px dashed CanvasText !important }
  .notice .sign { color: CanvasText }
  .tick { stroke: CanvasText }
  .spinner { border-inline-end-color: Canvas }
}
`;

const tick = html`<svg class="tick" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="22"/><path d="m15 24.5 6.5 6.5L34 18"/></svg>`;

/** The thank-you, also where the money comes later; or that the gift is being checked. */
export function thankYouScreen(
  { name, outcome, isEarlier }: Extract<Phase, { outcome: Outcome }>,
  live: FormController,
  texts: SendingTexts,
): TemplateResult {
  const { id, organization, receipts, payments } = live.context!.definition;
  const { reference, gift, response, provider, instructions } = outcome;
  if (name === 'checking') {
    return html`
      <div class="screen" part="checking">
        <span class="spinner large" aria-hidden="true"></span>
        <h2 tabindex="-1">${texts.checkingTitle}</h2>
        <p>${texts.checking}</p>
        ${referenceLine(reference, live, texts)}
      </div>`;
  }
  const { decimals } =
    live.context!.definition.currencies.find(({ code }) => code === gift.currency) ??
    live.context!.settings.currency;
  const formatMoney = (minor: number): string => live.formatMoney(minor, gift.currency);
  const isManaged =
    gift.frequency !== 'once' &&
    payments.some((payment) => payment.provider === provider && payment.hasCustomerPortal);
  const isPending = name === 'pending';
  const title = isPending ? texts.pendingTitle : thanksTitle(live.state.donor.firstName, texts);
  const pending = isPending ? html`<p>${texts.pending}</p>` : nothing;
  return html`
    <div class="screen" part="thanks">
      <div class="screen" id="keepsake">
        ${instructions ? nothing : tick}
        <h2 tabindex="-1">${instructions ? texts.instructionsTitle : title}</h2>
        <div class="sum">${fill(live.loader!.texts.gifts[gift.frequency], { total: formatMoney(gift.total) })}</div>
        ${purpose(response, texts, (amount) => formatMoney(Math.round(amount * 10 ** decimals)))}
        ${instructions ? html`<div class="aside"><p class="instructions">${instructions}</p><p class="reference">${texts.reference} <strong>${reference}</strong></p></div>` : pending}
        ${earlierNotice(isEarlier, texts)}
        ${gift.costs > 0 ? html`<p class="hint">${fill(texts.thanksCosts, { amount: formatMoney(gift.amount), costs: formatMoney(gift.costs) })}</p>` : nothing}
        ${instructions && receipts === 'processor' ? nothing : html`<p>${fill(texts.receipts[receipts], { organization: organization.name, contact: organization.contact })}</p>`}
        ${instructions ? html`<p class="hint">${questions(live, texts)}</p>` : referenceLine(reference, live, texts)}
      </div>
      ${isManaged ? html`<p><a href="${live.loader!.base}manage?${new URLSearchParams({ id, provider })}" target="_blank" rel="noopener">${texts.manage}</a></p>` : nothing}
      <slot name="thanks"></slot>
      <p class="keep">
        <button class="quiet" type="button" @click=${() => printReceipt(live.element, organization.name)}>${texts.print}</button>
        <button class="quiet" type="button" @click=${() => sharePage(live.element, fill(texts.shareText, { organization: organization.name }), texts.shared)}>${texts.share}</button>
      </p>
      <p class="hint" role="status" id="shared"></p>
    </div>`;
}

function thanksTitle(donor: string | undefined, texts: SendingTexts): string {
  return donor ? fill(texts.thanksTitleName, { name: donor }) : texts.thanksTitle;
}

/** The gift's short name, and whom to ask. */
export function referenceLine(
  reference: string,
  live: FormController,
  texts: SendingTexts,
): TemplateResult {
  return html`<p class="reference hint">${texts.reference} <strong>${reference}</strong><br>${questions(live, texts)}</p>`;
}

function questions({ context }: FormController, texts: SendingTexts): string {
  return fill(texts.questions, { contact: context!.definition.organization.contact });
}

/** By what the organisation finds in its server's log what the donor saw fail. */
export function mention(
  request: string | undefined,
  texts: SendingTexts,
): TemplateResult | typeof nothing {
  const [before, after] = texts.mention.split('{request}');
  return request === undefined
    ? nothing
    : html`<small class="mention">${before}<bdi>${request}</bdi>${after}</small>`;
}

/** That the gift is not the one that the donor sees in the form. */
export function earlierNotice(
  isEarlier: boolean,
  texts: SendingTexts,
): TemplateResult | typeof nothing {
  return isEarlier
    ? html`<p class="notice">${problemSign}<span>${texts.earlierGift}</span></p>`
    : nothing;
}

/**
 * What a gift is for; its parts with their amounts, where it was divided.
 * @param money writes major units.
 */
function purpose(
  response: Outcome['response'],
  texts: SendingTexts,
  formatMoney: (amount: number) => string,
): TemplateResult | typeof nothing {
  const [first, ...others] = response?.projectSplit ?? [];
  if (!first) return nothing;
  if (others.length === 0)
    return html`<p>${texts.thanksFor} <strong>${first.projectName}</strong></p>`;
  return html`<ul class="parts" aria-label=${texts.thanksFor}>${[first, ...others].map(({ projectName, amount }) => html`<li><strong>${projectName}</strong> ${formatMoney(Number(amount))}</li>`)}</ul>`;
}
