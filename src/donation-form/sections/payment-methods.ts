/** The ways to pay, where a form has several or one without a field. */
import { html, nothing, type TemplateResult } from 'lit';
import type { PaymentOffer } from '@donation-form/core/schemas';
import { PROVIDER, isOffline, paymentOf } from '../state/payment-options.ts';
import { PaymentMethodType } from '@donation-form/core/donation';
import type { MoreTexts } from '@donation-form/core/i18n';
import type { View } from '../form/view-model.ts';
import { radios } from './fields.ts';

/** The choice, and how to pay where nothing is paid here. */
export function waysSection(
  { context: { definition }, state }: View,
  texts: MoreTexts,
): TemplateResult | typeof nothing {
  const { payments } = definition;
  const chosen = paymentOf(state, definition);
  const instructions = isOffline(chosen) && chosen.options.instructions;
  if (payments.length < 2 && !instructions) return nothing;
  return html`
    ${
      payments.length > 1
        ? html`
      <fieldset class="ways">
        <legend class="unseen">${texts.howToPay}</legend>
        ${radios(
          PROVIDER,
          payments.map((payment) => ({
            value: payment.provider,
            label: payment.label ?? ownWord(payment, texts),
          })),
          chosen.provider,
          { isRow: payments.length < 4 },
        )}
      </fieldset>`
        : nothing
    }
    ${instructions ? html`<p class="instructions aside">${instructions}</p>` : nothing}`;
}

function ownWord({ methods }: PaymentOffer, { ways }: MoreTexts): string {
  if (methods.includes(PaymentMethodType.CreditCard)) return ways.card;
  return methods.includes(PaymentMethodType.ACH) ? ways.bank : ways.other;
}
