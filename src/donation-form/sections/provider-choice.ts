import { html, nothing, type TemplateResult } from 'lit';
import type { PaymentOffer } from '@donation-form/core/schemas';
import { PROVIDER_CONTROL, isOfflinePayment, getSelectedOffer } from '../state/selected-offer.ts';
import { PaymentMethodType } from '@donation-form/core/donation';
import type { OptionalFieldTexts } from '@donation-form/core/i18n';
import type { View } from '../form/view-model.ts';
import { renderRadios } from './fields.ts';

/** Renders the choice of providers, and the instructions of an offline one. */
export function renderProviderChoice(
  { context: { definition }, state }: View,
  texts: OptionalFieldTexts,
): TemplateResult | typeof nothing {
  const { payments } = definition;
  const selected = getSelectedOffer(state, definition);
  const instructions = isOfflinePayment(selected) && selected.options.instructions;
  if (payments.length < 2 && !instructions) return nothing;
  return html`
    ${
      payments.length > 1
        ? html`
      <fieldset class="payment-methods">
        <legend class="visually-hidden">${texts.paymentMethod}</legend>
        ${renderRadios(
          PROVIDER_CONTROL,
          payments.map((payment) => ({
            value: payment.provider,
            label: payment.label ?? getDefaultLabel(payment, texts),
          })),
          selected.provider,
          { isRow: payments.length < 4 },
        )}
      </fieldset>`
        : nothing
    }
    ${instructions ? html`<p class="instructions aside">${instructions}</p>` : nothing}`;
}

function getDefaultLabel(
  { methods }: PaymentOffer,
  { paymentMethods }: OptionalFieldTexts,
): string {
  if (methods.includes(PaymentMethodType.CreditCard)) return paymentMethods.card;
  return methods.includes(PaymentMethodType.ACH) ? paymentMethods.bank : paymentMethods.other;
}
