import { html, nothing, type TemplateResult } from 'lit';
import type { SubmissionTexts } from '@donation-form/core/i18n';

/** Helps the organization find the error in the server's log. */
export function renderRequestId(
  requestId: string | undefined,
  texts: SubmissionTexts,
): TemplateResult | typeof nothing {
  const [before, after] = texts.requestIdHint.split('{requestId}');
  return requestId === undefined
    ? nothing
    : html`<small class="request-id">${before}<bdi .textContent=${requestId}></bdi>${after}</small>`;
}
