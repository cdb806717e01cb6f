import { html, type TemplateResult } from 'lit';
import type { SubmissionTexts } from '@donation-form/core/i18n';
import { renderCopyButton } from './copy-button.ts';

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
      ? renderText(line.text, `detail-${index}`, reference, texts)
      : renderDetail(line, `detail-${index}`, reference, texts),
  )}`;
}

function renderDetail(
  { label, value }: { readonly label: string; readonly value: string },
  id: string,
  reference: string,
  texts: SubmissionTexts,
): TemplateResult {
  return html`<div class="detail ${
    value === reference ? 'reference' : ''
  }"><span class="hint" id=${id}><bdi>${label}</bdi></span><strong><bdi>${value}</bdi></strong>${renderCopyButton(id, texts)}</div>`;
}

function renderText(
  text: string,
  id: string,
  reference: string,
  texts: SubmissionTexts,
): TemplateResult {
  const [before, ...others] = text.split(reference);
  return others.length > 0
    ? html`<p class="instructions reference"><span id=${id}>${before}</span>${others.map(
        (after) => html`<strong>${reference}</strong>${renderCopyButton(id, texts)}${after}`,
      )}</p>`
    : html`<p class="instructions">${text}</p>`;
}

/** A line of payment instructions: a detail that the donor copies, or other text. */
export type InstructionLine =
  { readonly label: string; readonly value: string } | { readonly text: string };

/** Maximum length of a label. Longer text before a colon is a sentence. */
const MAX_LABEL_LENGTH = 40;
const MAX_VALUE_LENGTH = 70;

const LABELED_LINE = /^([^:：]+)(?:: +|： *)(\S.*)$/;
const SENTENCE_END = /[.!?。！？]$/;
/** Matches an optional label and an IBAN or groups of digits at the end of a line. */
const ACCOUNT_LINE =
  /^(.{0,40}?)[:：]? {0,9}\b([A-Z]{2}\d{2}(?: ?[A-Z0-9]{2,4}){3,8}|\d[\d -]{5,68}\d)$/;

/** Finds lines such as `IBAN: GB00 …`, `Account GB00 …`, and those that end with the reference. */
export function parseInstructions(instructions: string, reference: string): InstructionLine[] {
  return instructions.split('\n').map((line) => parseLine(line.trim(), reference));
}

function parseLine(text: string, reference: string): InstructionLine {
  const referenceLine = text.endsWith(reference)
    ? [
        text,
        text
          .slice(0, -reference.length)
          .trimEnd()
          .replace(/[:：]$/, ''),
        reference,
      ]
    : undefined;
  const [, label = '', value = ''] =
    referenceLine ?? LABELED_LINE.exec(text) ?? ACCOUNT_LINE.exec(text) ?? [];
  const isDetail =
    label.trim() !== '' &&
    label.length <= MAX_LABEL_LENGTH &&
    value.length <= MAX_VALUE_LENGTH &&
    !SENTENCE_END.test(value);
  return isDetail ? { label: label.trim(), value } : { text };
}
