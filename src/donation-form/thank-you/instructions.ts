import { html, type TemplateResult } from 'lit';
import type { SubmissionTexts } from '@donation-form/core/i18n';
import { renderCopyButton } from './copy-button.ts';
import { parseInstructions } from './parse-instructions.ts';

/** Account numbers and the reference do not wrap, and each has a copy button. */
export function renderInstructions(
  instructions: string,
  reference: string,
  texts: SubmissionTexts,
): TemplateResult {
  const lines = parseInstructions(instructions, reference);
  const hasReference = instructions.includes(reference);
  const details = hasReference ? lines : [...lines, { label: texts.reference, value: reference }];
  return html`${details.map((line, index) =>
    'text' in line
      ? renderText(line.text, index, reference, texts)
      : renderDetail(line, index, reference, texts),
  )}`;
}

function renderDetail(
  { label, value }: { readonly label: string; readonly value: string },
  index: number,
  reference: string,
  texts: SubmissionTexts,
): TemplateResult {
  const id = `detail-${index}`;
  return html`<div class="detail ${
    value === reference ? 'reference' : ''
  }"><span class="hint" id=${id}><bdi>${label}</bdi></span><strong><bdi>${value}</bdi></strong>${renderCopyButton(id, texts)}</div>`;
}

function renderText(
  text: string,
  index: number,
  reference: string,
  texts: SubmissionTexts,
): TemplateResult {
  const id = `detail-${index}`;
  const [before, ...others] = text.split(reference);
  return others.length > 0
    ? html`<p class="instructions reference"><span id=${id}>${before}</span>${others.map(
        (after) => html`<strong>${reference}</strong>${renderCopyButton(id, texts)}${after}`,
      )}</p>`
    : html`<p class="instructions">${text}</p>`;
}
