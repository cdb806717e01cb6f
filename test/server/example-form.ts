import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import { STRIPE_PUBLISHABLE_KEY } from '../../src/sandbox/index.ts';
import { exampleForm as formOfElement } from '../example-form.ts';

/** The example form with payments by the sandbox's emulation of Stripe. */
export const exampleForm: FormDefinition = {
  ...formOfElement,
  payments: [
    {
      provider: 'stripe',
      methods: [0],
      hasField: true,
      hasHostedCheckout: true,
      hasCustomerPortal: true,
      options: {
        publicKey: STRIPE_PUBLISHABLE_KEY,
        methods: 'card',
        scriptUrl: 'http://127.0.0.1:4102/stripe/stripe.js',
      },
    },
  ],
};
