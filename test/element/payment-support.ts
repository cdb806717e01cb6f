import type { FormDefinition, PaymentOffer } from '../../src/core/schemas/form-definition.ts';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { exampleForm } from '../example-form.ts';
import { inside } from './support.ts';

export const sandbox = exampleForm.payments[0];
export const own: PaymentOffer = {
  provider: 'own',
  methods: [1],
  hasHostedCheckout: false,
  hasCustomerPortal: false,
  options: { key: 'k' },
};
export const offline: PaymentOffer = {
  provider: 'offline',
  label: 'Bank transfer',
  methods: [],
  hasHostedCheckout: false,
  hasCustomerPortal: false,
  options: { instructions: 'Send it to:\n<b>DE00 1234</b> https://example.org' },
};
export const paidBy = (...payments: FormDefinition['payments']): FormDefinition => ({
  ...exampleForm,
  payments,
});
export const choose = async (form: DonationFormElement, provider: string): Promise<void> => {
  inside(form, `[name="payment.provider"][value=${provider}]`).click();
  await form.updateComplete;
};
export const hint = (form: DonationFormElement): boolean =>
  form.shadowRoot!.querySelector('.hosted') !== null &&
  inside(form, '.hosted').getClientRects().length > 0;
