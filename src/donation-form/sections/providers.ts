import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import type { PaymentOffer } from '@donation-form/core/schemas';
import {
  PROVIDER_CONTROL,
  isOfflinePayment,
  getSelectedOffer,
} from '@donation-form/core/form-state';
import { PaymentMethodType } from '@donation-form/core/donation';
import type { OptionalFieldTexts } from '@donation-form/core/i18n';
import type { View } from '../form/view-model.ts';

const CARD = svg`<path d="M3 7.5A1.5 1.5 0 0 1 4.5 6h15A1.5 1.5 0 0 1 21 7.5v9a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 16.5zM3 10h18M6.5 14.5h3"/>`;
const BANK = svg`<path d="M3.5 9.5 12 4.5l8.5 5zM6 12.5v4M10 12.5v4M14 12.5v4M18 12.5v4M3.5 19.5h17"/>`;
const WALLET = svg`<path d="M19.5 8V6.5A1.5 1.5 0 0 0 18 5H5.5A2.5 2.5 0 0 0 3 7.5v9A2.5 2.5 0 0 0 5.5 19h13a2 2 0 0 0 2-2V9.5a1.5 1.5 0 0 0-1.5-1.5H5.5A2.5 2.5 0 0 1 3 7.5M16.5 13.5h.01"/>`;
const LETTER = svg`<path d="M3 7.5A1.5 1.5 0 0 1 4.5 6h15A1.5 1.5 0 0 1 21 7.5v9a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 16.5zM3.5 7.5l8.5 6 8.5-6"/>`;

/** Renders the providers with the payment field below the selected one, or only the field. */
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

function getProviderIcon({ methods }: PaymentOffer): TemplateResult {
  return html`<svg class="line-icon" viewBox="0 0 24 24" aria-hidden="true">${selectIconDrawing(methods)}</svg>`;
}

function selectIconDrawing(methods: PaymentOffer['methods']): SVGTemplateResult {
  if (methods.length === 0) return LETTER;
  if (methods.includes(PaymentMethodType.CreditCard)) return CARD;
  return methods.includes(PaymentMethodType.ACH) ? BANK : WALLET;
}
