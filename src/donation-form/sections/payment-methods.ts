/** The list of payment methods: a row for each provider, or for each of Stripe's methods. */
import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import {
  getStripeMethodFacts,
  PaymentMethodType,
  toPaymentMethodType,
} from '@donation-form/core/donation';
import {
  type FormContext,
  type FormState,
  getFirstControlValue,
  getSelectedOffer,
  isOfflinePayment,
  PROVIDER_CONTROL,
  toRowId,
} from '@donation-form/core/form-state';
import type { OptionalFieldTexts } from '@donation-form/core/i18n';
import type { PaymentOffer } from '@donation-form/core/schemas';
import type { View } from '../form/view-model.ts';
import type { PaymentRow } from '../payment-fields/payment-slot.ts';
import { parseMethodTypes, sortMethods } from '../payment-fields/stripe-options.ts';
import { getOptionalTexts } from './optional-texts.ts';

interface PaymentForm {
  readonly context: FormContext | undefined;
  readonly element: HTMLElement;
  readonly expressMethods: readonly string[] | undefined;
  readonly state: FormState;
}

/** Stripe's methods that have the same name in every language. */
const METHOD_NAMES: Readonly<Record<string, string>> = {
  link: 'Link',
  paypal: 'PayPal',
  amazon_pay: 'Amazon Pay',
  cashapp: 'Cash App Pay',
  revolut_pay: 'Revolut Pay',
  twint: 'TWINT',
  satispay: 'Satispay',
  mobilepay: 'MobilePay',
  swish: 'Swish',
  mb_way: 'MB WAY',
  ideal: 'iDEAL',
  bancontact: 'Bancontact',
  eps: 'EPS',
  p24: 'Przelewy24',
  pay_by_bank: 'Pay by Bank',
};

export function getPaymentRows(form: PaymentForm): PaymentRow[] {
  return form.context!.definition.payments.flatMap((payment) => {
    const rows = getStripeRows(payment, form);
    return rows.length > 0 ? rows : [{ ...payment, id: payment.provider }];
  });
}

/** Returns no rows if Stripe has one method, or asks for the method on its own page. */
function getStripeRows(
  payment: PaymentOffer,
  { context, element, expressMethods, state }: PaymentForm,
): PaymentRow[] {
  const { provider, options, hasWallets } = payment;
  const types = parseMethodTypes(options.methods);
  if (provider !== 'stripe' || types.length < 2 || element.getRootNode() !== document) return [];
  const selected = getFirstControlValue(state.optionalFields, PROVIDER_CONTROL);
  const canHaveButton = (type: string): boolean =>
    hasWallets === true && type !== 'card' && getStripeMethodFacts(type)?.hasWalletButton === true;
  const hasButton = (type: string): boolean =>
    canHaveButton(type) &&
    (expressMethods?.includes(type) ?? true) &&
    selected !== toRowId(provider, type);
  const charge = { currency: context!.settings.currency.code, frequency: state.frequency };
  // Rows that appear after the wallet buttons have loaded move no other row of Stripe.
  const sorted = sortMethods(types, options.methodOrder, charge).filter((type) => !hasButton(type));
  const listed = [
    ...sorted.filter((type) => !canHaveButton(type)),
    ...sorted.filter((type) => canHaveButton(type)),
  ];
  // Link has no row of its own, because Stripe shows it in the card form.
  const linked = listed.includes('card') && listed.includes('link') ? ['link'] : [];
  return listed
    .filter((type) => !linked.includes(type))
    .map((type) => ({
      ...payment,
      id: toRowId(provider, type),
      label: undefined,
      // Cards can be in a wallet, such as Link.
      methods: payment.methods.filter(
        (method) =>
          method === toPaymentMethodType(type) ||
          (type === 'card' && method === PaymentMethodType.Wallet),
      ),
      options: { ...options, methods: [type, ...(type === 'card' ? linked : [])].join() },
    }));
}

export function getSelectedRow(form: PaymentForm): PaymentRow {
  const rows = getPaymentRows(form);
  const { state, context } = form;
  const id = getFirstControlValue(state.optionalFields, PROVIDER_CONTROL);
  const { provider } = getSelectedOffer(state, context!.definition);
  return rows.find((row) => row.id === id) ?? rows.find((row) => row.provider === provider)!;
}

/** Renders the rows with the payment field in the selected one, or only the field. */
export function renderPaymentMethods(
  view: View,
  field: TemplateResult,
  form: PaymentForm,
): TemplateResult {
  const texts = getOptionalTexts(view);
  const rows = getPaymentRows(form);
  const selected = getSelectedRow(form);
  const instructions = isOfflinePayment(selected) && selected.options.instructions;
  const details = html`${
    instructions ? html`<p class="instructions" .textContent=${instructions}></p>` : nothing
  }${field}`;
  if (rows.length < 2) return details;
  return html`
    <fieldset class="providers">
      <legend class="visually-hidden">${texts.paymentMethod}</legend>
      ${rows.map(
        (row) => html`
        <div class="check provider ${row.id === selected.id ? 'selected' : ''}">
          <label><input
            type="radio"
            name=${PROVIDER_CONTROL}
            .value=${row.id}
            .checked=${row.id === selected.id}
          ><bdi .textContent=${getRowLabel(row, texts)}></bdi>${getRowIcon(row)}</label>
          ${row.id === selected.id ? html`<div class="details">${details}</div>` : nothing}
        </div>`,
      )}
    </fieldset>`;
}

function getRowLabel(
  { label, methods, options }: PaymentRow,
  { paymentMethods }: OptionalFieldTexts,
): string {
  if (label !== undefined) return label;
  if (methods.includes(PaymentMethodType.CreditCard)) return paymentMethods.card;
  if (methods.includes(PaymentMethodType.ACH)) return paymentMethods.bank;
  return METHOD_NAMES[options.methods ?? ''] ?? paymentMethods.other;
}

const CARD = svg`<path d="M3 7.5A1.5 1.5 0 0 1 4.5 6h15A1.5 1.5 0 0 1 21 7.5v9a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 16.5zM3 10h18M6.5 14.5h3"/>`;
const BANK = svg`<path d="M3.5 9.5 12 4.5l8.5 5zM6 12.5v4M10 12.5v4M14 12.5v4M18 12.5v4M3.5 19.5h17"/>`;
const WALLET = svg`<path d="M19.5 8V6.5A1.5 1.5 0 0 0 18 5H5.5A2.5 2.5 0 0 0 3 7.5v9A2.5 2.5 0 0 0 5.5 19h13a2 2 0 0 0 2-2V9.5a1.5 1.5 0 0 0-1.5-1.5H5.5A2.5 2.5 0 0 1 3 7.5M16.5 13.5h.01"/>`;
const LETTER = svg`<path d="M3 7.5A1.5 1.5 0 0 1 4.5 6h15A1.5 1.5 0 0 1 21 7.5v9a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 16.5zM3.5 7.5l8.5 6 8.5-6"/>`;

function getRowIcon({ methods }: PaymentRow): TemplateResult {
  return html`<svg class="line-icon" viewBox="0 0 24 24" aria-hidden="true">${selectIconDrawing(methods)}</svg>`;
}

function selectIconDrawing(methods: PaymentRow['methods']): SVGTemplateResult {
  if (methods.length === 0) return LETTER;
  if (methods.includes(PaymentMethodType.CreditCard)) return CARD;
  return methods.includes(PaymentMethodType.ACH) ? BANK : WALLET;
}
