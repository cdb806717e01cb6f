/** What a donor sees after the gift was sent; loaded while the form is filled in. */
import { css, html, nothing, type TemplateResult } from 'lit';
import type { FormDefinition } from '../../contract/form-definition.ts';
import type { Outcome } from '../../contract/outcome.ts';
import type { SendingTexts } from '../../texts/en-sending.ts';
import { problemSign } from './field-problem.ts';

export const endingStyles = css`
.large { width: 2.5em; height: 2.5em; color: var(--accent) }
.screen h2 { font-size: 1.625em; font-weight: 700; line-height: 1.2 }
.screen h2:focus { outline: none }
.sum { font-size: 2.25em; font-weight: 700; line-height: 1.2; font-variant-numeric: tabular-nums }
.tick { width: 4em; height: 4em; fill: none; stroke: var(--accent); stroke-width: 3; stroke-linecap: round; stroke-linejoin: round }
.tick circle { opacity: .3 }
.reference strong { letter-spacing: .04em; font-variant-numeric: tabular-nums; user-select: all }
`;

export function checkingScreen(texts: SendingTexts, { organization }: FormDefinition, { reference }: Outcome): TemplateResult {
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
  /** How often it is given, to follow the sum. */
  readonly rhythm: string;
  /** The donor's first name, where this page still knows it. */
  readonly name: string | undefined;
  /** The gift is the one that was sent before the donor changed something. */
  readonly isEarlier: boolean;
}

export function thanksScreen(texts: SendingTexts, { organization }: FormDefinition, { reference, gift, response }: Outcome, { money, rhythm, name, isEarlier }: Thanks): TemplateResult {
  const project = response?.projectSplit.map(({ projectName }) => projectName).join(', ') ?? '';
  return html`
    <div class="screen" part="thanks">
      <svg class="tick" viewBox="0 0 48 48" aria-hidden="true"><circle cx="24" cy="24" r="22"/><path d="m15 24.5 6.5 6.5L34 18"/></svg>
      <h2 tabindex="-1">${texts.thanksTitle(name)}</h2>
      <p class="sum">${money(gift.total)}${rhythm}</p>
      <p>${texts.thanksFor}: <strong>${project}</strong></p>
      ${isEarlier ? html`<p class="notice">${problemSign}<span>${texts.earlierGift}</span></p>` : nothing}
      ${gift.costs > 0 ? html`<p class="hint">${texts.thanksCosts(money(gift.amount), money(gift.costs))}</p>` : nothing}
      ${referenceLine(texts, organization.contact, reference)}
      <slot name="thanks"></slot>
    </div>`;
}

function referenceLine(texts: SendingTexts, contact: string, reference: string): TemplateResult {
  return html`<p class="reference hint">${texts.reference} <strong>${reference}</strong><br>${texts.questions(contact)}</p>`;
}
