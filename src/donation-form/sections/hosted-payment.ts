import { html, type TemplateResult } from 'lit';
import type { SubmissionTexts } from '@donation-form/core/i18n';

/** Replaces the payment field if the donor pays on the provider's page. */
export function renderHostedPaymentHint({ hostedPayment }: SubmissionTexts): TemplateResult {
  return html`<p class="hosted"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M14 4h6v6M20 4l-9 9M18 14v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h5"/></svg><span>${hostedPayment}</span></p>`;
}
