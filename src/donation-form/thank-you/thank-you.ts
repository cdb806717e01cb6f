import { html, nothing, type TemplateResult } from 'lit';
import { fillPlaceholders, type SubmissionTexts } from '@donation-form/core/i18n';
import type { DonationOutcome } from '@donation-form/core/schemas';
import { getSuggestedAmounts } from '@donation-form/core/settings';
import type { FormStore, OutcomePhase } from '../form/form-store.ts';
import { errorIcon } from '../sections/field-error.ts';
import { formatDate } from '../sections/format-date.ts';
import { getManageUrl } from '../submission/manage-url.ts';
import { copyStatus, renderCopyButton } from './copy-button.ts';
import { renderInstructions } from './instructions.ts';
import { getNextCharge } from './next-charge.ts';

const checkMark = html`<svg
  class="status-icon"
  viewBox="0 0 48 48"
  aria-hidden="true"
><circle cx="24" cy="24" r="24"/><path pathLength="1" d="m15 24.5 6.5 6.5L34 18"/></svg>`;

/** Renders the thank-you screen, or the screen for a donation with an unknown outcome. */
export function renderThankYou(
  { name, outcome, isEarlier }: OutcomePhase,
  form: FormStore,
  texts: SubmissionTexts,
): TemplateResult {
  const { organization, receiptSender, payments } = form.context!.definition;
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
    <div class="screen" part="thank-you" id="receipt">
      ${
        instructions
          ? form.illustrations?.letterDrawing
          : html`<div class="moment">${form.illustrations?.thankYouDrawing}${checkMark}</div>`
      }
      <h2 tabindex="-1"><span .textContent=${instructions ? texts.instructionsTitle : title}></span></h2>
      ${renderTotal(gift, form)}
      ${
        instructions
          ? html`<div class="aside">${renderInstructions(instructions, reference, texts)}</div>`
          : html`${renderThanks(outcome, form, texts)}${pending}`
      }
      ${renderEarlierDonationNotice(isEarlier, texts)}
      <div class="details">
        ${renderProjects(response, form, (amount) =>
          formatMoney(Math.round(amount * 10 ** form.getDecimals(gift.currency))),
        )}
        ${
          gift.coveredFees > 0
            ? html`<p class="hint">${fillPlaceholders(texts.feeBreakdown, {
                amount: formatMoney(gift.amount),
                fee: formatMoney(gift.coveredFees),
              })}</p>`
            : nothing
        }
        ${isEarlier ? nothing : form.session!.optionalSections?.renderGiftAidThanks(form, gift)}
        ${instructions ? nothing : renderNextCharge(gift, form, texts)}
        ${
          instructions && receiptSender === 'processor'
            ? nothing
            : html`<p>${fillPlaceholders(
                texts.receipts[canReceiveEmail(form) ? receiptSender : 'none'],
                {
                  organization: organization.name,
                  contact: organization.contact,
                },
              )}</p>`
        }
      </div>
      ${
        isManaged
          ? html`<a
            href=${getManageUrl(form, provider)}
            target="_blank"
            rel="noopener"
          >${texts.manageGift}</a>`
          : nothing
      }
      <slot name="thank-you"></slot>
      <button
        class="${instructions ? 'secondary' : 'primary'} share"
        type="button"
        @click=${() =>
          sharePage(
            form.element,
            fillPlaceholders(texts.shareMessage, { organization: organization.name }),
            texts.linkCopied,
          )}
      >${texts.share}</button>
      <p class="hint" role="status" id="shared"></p>
      <div class="foot">
        ${
          instructions
            ? html`<p class="hint">${getContactText(form, texts)}</p>`
            : renderReference(reference, form, texts, renderCopyButton('reference', texts))
        }
        ${copyStatus}
        ${
          // Browsers in other apps lack it.
          'print' in window
            ? html`<button
                class="link"
                type="button"
                @click=${() => printReceipt(form.element, organization.name)}
              >${texts.print}</button>`
            : nothing
        }
      </div>
    </div>`;
}

/** Returns false if the donor could leave the email blank and did. */
function canReceiveEmail({ context, state }: FormStore): boolean {
  return (
    Boolean(state.donor.email) ||
    context!.definition.donorFields.some(({ name, required }) => name === 'email' && required)
  );
}

/** Thanks the donor with the impact of the suggested amount, if it has a description. */
function renderThanks(
  { gift: { amount, currency, frequency }, response }: DonationOutcome,
  { context }: FormStore,
  texts: SubmissionTexts,
): TemplateResult | typeof nothing {
  const { settings, definition } = context!;
  const impact =
    currency === settings.currency.code
      ? getSuggestedAmounts(settings, frequency).giftArray.find(({ value }) => value === amount)
          ?.description
      : undefined;
  // The default would only repeat that the donation supports the project.
  if (impact === undefined && response?.projectSplit[0] && !definition.texts.thanksMessage)
    return nothing;
  const text = fillPlaceholders(
    impact === undefined ? texts.thanksMessage : texts.thanksForImpact,
    {
      organization: definition.organization.name,
      impact,
    },
  );
  return html`<p class="thanks" .textContent=${text}></p>`;
}

function renderNextCharge(
  { frequency, total, currency }: DonationOutcome['gift'],
  { session, formatMoney }: FormStore,
  texts: SubmissionTexts,
): TemplateResult | typeof nothing {
  const date = getNextCharge(frequency, new Date());
  return date
    ? html`<p>${fillPlaceholders(texts.nextCharge, {
        amount: formatMoney(total, currency),
        date: formatDate(date, session!.language, { dateStyle: 'long' }),
      })}</p>`
    : nothing;
}

function renderTotal(
  { amount, currency, frequency }: DonationOutcome['gift'],
  { session, formatMoney }: FormStore,
): TemplateResult {
  const [before, after] = session!.texts.amountsByFrequency[frequency].split('{amount}');
  return html`
    <div class="total" translate="no">${before}<strong>${formatMoney(amount, currency)}</strong>${after}</div>`;
}

function getThankYouTitle(firstName: string | undefined, texts: SubmissionTexts): string {
  return firstName
    ? fillPlaceholders(texts.thanksTitleWithName, { name: firstName })
    : texts.thanksTitle;
}

export function renderReference(
  reference: string,
  form: FormStore,
  texts: SubmissionTexts,
  copyButton: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  return html`<p class="reference hint"><span id="reference">${texts.reference}</span> <strong>${reference}</strong>${copyButton}<br>${getContactText(form, texts)}</p>`;
}

function getContactText({ context }: FormStore, texts: SubmissionTexts): string {
  return fillPlaceholders(texts.questions, { contact: context!.definition.organization.contact });
}

/** Renders a notice that the result belongs to an earlier donation with different values. */
export function renderEarlierDonationNotice(
  isEarlier: boolean,
  texts: SubmissionTexts,
): TemplateResult | typeof nothing {
  return isEarlier
    ? html`<p class="notice">${errorIcon}<span>${texts.earlierGift}</span></p>`
    : nothing;
}

/** @param formatMoney formats an amount in major units. */
function renderProjects(
  response: DonationOutcome['response'],
  { texts }: FormStore,
  formatMoney: (amount: number) => string,
): TemplateResult | typeof nothing {
  const [first, ...others] = response?.projectSplit ?? [];
  if (!first) return nothing;
  if (others.length === 0)
    return html`<p>${texts.purpose} <strong><bdi>${first.projectName}</bdi></strong></p>`;
  return html`<ul class="parts" aria-label=${texts.purpose}>${[first, ...others].map(
    ({ projectName, amount }) =>
      html`<li><strong><bdi>${projectName}</bdi></strong> ${formatMoney(Number(amount))}</li>`,
  )}</ul>`;
}

const PRINT_STYLES =
  'body { font: 1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 2rem auto; ' +
  'text-align: center } h2, .total { font-size: 1.75rem; font-weight: 700; margin: 0 } p { ' +
  'margin: .75rem 0 } svg, button, a { display: none }';

function printReceipt(form: HTMLElement, title: string): void {
  const receipt = form.shadowRoot!.getElementById('receipt')!;
  const { lang, dir } = form.shadowRoot!.querySelector<HTMLElement>('.root')!;
  const frame = document.createElement('iframe');
  frame.setAttribute('aria-hidden', 'true');
  frame.style.cssText =
    'position: fixed; inset-block-start: -200vh; width: 40rem; height: 60rem; border: 0';
  document.body.append(frame);
  const view = frame.contentWindow as Window & typeof globalThis;
  const sheet = new view.CSSStyleSheet();
  const heading = view.document.createElement('p');
  const date = view.document.createElement('p');
  sheet.replaceSync(PRINT_STYLES);
  view.document.adoptedStyleSheets = [sheet];
  Object.assign(view.document.documentElement, { lang, dir });
  view.document.title = title;
  heading.textContent = title;
  date.textContent = new Date().toLocaleDateString(lang, { dateStyle: 'long' });
  view.document.body.append(heading, view.document.importNode(receipt, true), date);
  view.addEventListener('afterprint', () => frame.remove());
  view.focus();
  view.print();
}

/** Shares or, if the browser cannot, copies the page's URL without the query string. */
async function sharePage(form: HTMLElement, text: string, copiedMessage: string): Promise<void> {
  const url = location.origin + location.pathname;
  try {
    if ('share' in navigator) return await navigator.share({ text, url });
    await (navigator as Navigator).clipboard.writeText(`${text} ${url}`);
    form.shadowRoot!.getElementById('shared')!.textContent = copiedMessage;
  } catch {
    // The donor closed the share dialog, or the page may not write to the clipboard.
  }
}
