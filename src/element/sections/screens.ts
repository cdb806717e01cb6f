import { html, nothing, type TemplateResult } from 'lit';
import type { FormDefinition } from '../../contract/form-definition.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { Texts } from '../../texts/en.ts';
import { problemSign } from './field-problem.ts';

/** Shown until the form's definition is there: blocks of the real sizes. */
export function loadingScreen(texts: Texts): TemplateResult {
  return html`
    <div class="skeleton" role="status">
      <span class="unseen">${texts.loading}</span>
      <div class="bone row"></div>
      <div class="bones">${[1, 2, 3, 4, 5, 6].map(() => html`<div class="bone tile"></div>`)}</div>
      <div class="bone row"></div><div class="bone row"></div><div class="bone row"></div><div class="bone tile"></div><div class="bone row"></div>
    </div>`;
}

/** Shown where the form cannot be: what the page put into the element, usually a link, stays in sight. */
export function unavailableScreen(texts: Texts, isInsecure: boolean, tryAgain: () => void): TemplateResult {
  return html`
    <div class="screen" role="alert">
      <p id="unavailable" tabindex="-1">${isInsecure ? texts.insecure : texts.unavailable}</p>
      <slot></slot>
      ${isInsecure ? nothing : html`<button class="quiet" type="button" @click=${tryAgain}>${texts.tryAgain}</button>`}
    </div>`;
}

export function checkingScreen(texts: Texts, { organization }: FormDefinition, { reference }: Outcome): TemplateResult {
  return html`
    <div class="screen" part="checking">
      <span class="spinner large" aria-hidden="true"></span>
      <h2 tabindex="-1">${texts.checkingTitle}</h2>
      <p>${texts.checking}</p>
      ${referenceLine(texts, organization.contact, reference)}
    </div>`;
}

export interface Thanks {
  /** An amount of the gift's currency, for reading. */
  readonly money: (minor: number) => string;
  /** The donor's first name, where this page still knows it. */
  readonly name: string | undefined;
  /** The gift is the one that was sent before the donor changed something. */
  readonly isEarlier: boolean;
}

export function thanksScreen(texts: Texts, { organization }: FormDefinition, { reference, gift, response }: Outcome, { money, name, isEarlier }: Thanks): TemplateResult {
  const project = response?.projectSplit.map(({ projectName }) => projectName).join(', ') ?? '';
  return html`
    <div class="screen" part="thanks">
      <svg class="tick" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="22"/><path d="m15 24.5 6.5 6.5L34 18"/></svg>
      <h2 tabindex="-1">${texts.thanksTitle(name)}</h2>
      <p class="sum">${money(gift.total)}${texts.rhythms[gift.frequency]}</p>
      <p>${texts.thanksFor}: <strong>${project}</strong></p>
      ${isEarlier ? html`<p class="notice">${problemSign}<span>${texts.earlierGift}</span></p>` : nothing}
      ${gift.costs > 0 ? html`<p class="hint">${texts.thanksCosts(money(gift.amount), money(gift.costs))}</p>` : nothing}
      ${referenceLine(texts, organization.contact, reference)}
      <slot name="thanks"></slot>
    </div>`;
}

function referenceLine(texts: Texts, contact: string, reference: string): TemplateResult {
  return html`<p class="reference hint">${texts.reference} <strong>${reference}</strong><br>${texts.questions(contact)}</p>`;
}
