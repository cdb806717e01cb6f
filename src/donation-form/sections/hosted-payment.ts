import { html, type TemplateResult } from 'lit';
import { fillPlaceholders, type SubmissionTexts } from '@donation-form/core/i18n';
import type { PaymentOffer } from '@donation-form/core/schemas';

export function renderHostedPaymentHint(
  payment: PaymentOffer,
  { hostedPayment, hostedPaymentAt }: SubmissionTexts,
): TemplateResult {
  const method = getHostedMethodName(payment);
  const hint = method === undefined ? hostedPayment : fillPlaceholders(hostedPaymentAt, { method });
  return html`<p class="hosted"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M14 4h6v6M20 4l-9 9M18 14v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h5"/></svg><span .textContent=${hint}></span></p>`;
}

/** Returns the name of a payment method without a field, such as PayPal. */
export function getHostedMethodName({ hasField, label }: PaymentOffer): string | undefined {
  return hasField ? undefined : label;
}
