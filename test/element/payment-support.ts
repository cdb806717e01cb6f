import type { FormDefinition, PaymentOffer } from '../../src/core/schemas/form-definition.ts';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { exampleForm } from './forms.ts';
import { clickControls, findElement } from './support.ts';

/** Offer of another stub payment provider. */
export const ownPayment: PaymentOffer = {
  provider: 'own',
  methods: [1],
  hasField: true,
  hasHostedCheckout: false,
  hasCustomerPortal: false,
  options: { key: 'k' },
};
export const offlinePayment: PaymentOffer = {
  provider: 'offline',
  label: 'Bank transfer',
  methods: [],
  hasField: false,
  hasHostedCheckout: false,
  hasCustomerPortal: false,
  options: { instructions: 'Send it to:\n<b>DE00 1234</b> https://example.org' },
};
export const createFormWithPayments = (
  ...payments: FormDefinition['payments']
): FormDefinition => ({
  ...exampleForm,
  payments,
});
export const selectProvider = async (
  form: DonationFormElement,
  provider: string,
): Promise<void> => {
  await clickControls(form, `[name="payment.provider"][value="${provider}"]`);
};
export const isHostedHintVisible = (form: DonationFormElement): boolean =>
  form.shadowRoot!.querySelector('.hosted') !== null &&
  findElement(form, '.hosted').getClientRects().length > 0;
