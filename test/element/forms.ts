import type { FormDefinition, PaymentOffer } from '../../src/core/schemas/form-definition.ts';
import { exampleForm as commonExampleForm } from '../example-form.ts';
import { fullForm as commonFullForm } from '../full-form.ts';

/** Offer of the stub payment provider that every {@link TestPage} has. */
export const stubPayment: PaymentOffer = {
  provider: 'stub',
  methods: [0],
  hasField: true,
  hasHostedCheckout: true,
  hasCustomerPortal: true,
  options: {},
};

/** The example form with the stub payment provider. */
export const exampleForm: FormDefinition = { ...commonExampleForm, payments: [stubPayment] };

/** The full form with the stub payment provider. */
export const fullForm: FormDefinition = { ...commonFullForm, payments: [stubPayment] };
