import { html, nothing, type TemplateResult } from 'lit';
import type { PaymentOffer } from '@donation-form/core/schemas';
import {
  PROVIDER_CONTROL,
  isOfflinePayment,
  getSelectedOffer,
} from '@donation-form/core/form-state';
import { PaymentMethodType } from '@donation-form/core/donation';
import type { OptionalFieldTexts } from '@donation-form/core/i18n';
import type { View } from '../form/view-model.ts';
import { getProviderIcon } from './icons.ts';

/**
 * Renders the list of payment providers, with the payment field below the selected provider. If the
 * form has only one provider, renders only that provider's payment field.
 */
export function renderProviders(
  { context: { definition }, state }: View,
  texts: OptionalFieldTexts,
  field: TemplateResult,
): TemplateResult {
  const { payments } = definition;
  const selected = getSelectedOffer(state, definition);
  const instructions = isOfflinePayment(selected) && selected.options.instructions;
  const details = html`${
    instructions ? html`<p class="instructions" .textContent=${instructions}></p>` : nothing
  }${field}`;
  if (payments.length < 2) return details;
  return html`
    <fieldset class="providers">
      <legend class="visually-hidden">${texts.paymentMethod}</legend>
      ${payments.map(
        (payment) => html`
        <div class="check provider ${payment === selected ? 'selected' : ''}">
          <label><input
            type="radio"
            name=${PROVIDER_CONTROL}
            .value=${payment.provider}
            .checked=${payment === selected}
          ><bdi .textContent=${payment.label ?? getDefaultMethodLabel(payment, texts)}></bdi>${getProviderIcon(payment)}</label>
          ${payment === selected ? html`<div class="details">${details}</div>` : nothing}
        </div>`,
      )}
    </fieldset>`;
}

function getDefaultMethodLabel(
  { methods }: PaymentOffer,
  { paymentMethods }: OptionalFieldTexts,
): string {
  if (methods.includes(PaymentMethodType.CreditCard)) return paymentMethods.card;
  return methods.includes(PaymentMethodType.ACH) ? paymentMethods.bank : paymentMethods.other;
}
