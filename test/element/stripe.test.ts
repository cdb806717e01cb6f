import { expect } from '@open-wc/testing';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import { getAppearance } from '../../src/donation-form/payment-fields/index.ts';
import { exampleForm } from '../example-form.ts';
import { collectConsoleErrors } from './stub-payment-provider.ts';
import {
  TestPage,
  fillDonor,
  query,
  createOutcome,
  submitForm,
  enterText,
  waitUntil,
  getText,
} from './support.ts';

/** A stub of Stripe.js that records its calls. */
class FakeStripe {
  readonly calls: [call: string, ...values: unknown[]][] = [];
  submitted: object = { selectedPaymentMethod: 'card' };
  token: object = {
    confirmationToken: {
      id: 'ctoken_1',
      payment_method_preview: { type: 'card', card: { wallet: null } },
    },
  };
  loadError: object | undefined;
  readonly of = (call: string): unknown[][] =>
    this.calls.filter(([name]) => name === call).map(([, ...values]) => values);

  make(...values: unknown[]): object {
    this.calls.push(['Stripe', ...values]);
    return {
      elements: (options: unknown) => {
        this.calls.push(['elements', options]);
        return {
          create: (kind: string, created: unknown) => {
            this.calls.push(['create', kind, created]);
            const handlers: Record<string, (event: object) => void> = {};
            return {
              on: (name: string, then: (event: object) => void) => {
                handlers[name] = then;
              },
              mount: (host: HTMLElement) => {
                this.calls.push(['mount', host]);
                setTimeout(() => {
                  if (this.loadError) handlers.loaderror!({ error: this.loadError });
                  else handlers.ready!({});
                });
              },
              focus: () => this.calls.push(['focus']),
              destroy: () => this.calls.push(['destroy']),
            };
          },
          update: (changes: object) => {
            if ('appearance' in changes) return this.calls.push(['dress', changes]);
            this.calls.push(['update', changes]);
            return new Promise((resolve) => {
              setTimeout(() => {
                this.calls.push(['updated']);
                resolve(undefined);
              }, 20);
            });
          },
          submit: () => {
            this.calls.push(['submit']);
            return Promise.resolve(this.submitted);
          },
        };
      },
      createConfirmationToken: ({ params }: { params: unknown }) => {
        this.calls.push(['createConfirmationToken', params]);
        return Promise.resolve(this.token);
      },
      handleNextAction: (options: unknown) => {
        this.calls.push(['handleNextAction', options]);
        return Promise.resolve({ error: { type: 'card_error' } });
      },
    };
  }
}

let stripe: FakeStripe;
Object.assign(window, { Stripe: (...values: unknown[]) => stripe.make(...values) });

const createStripeForm = (
  options: Readonly<Record<string, string>> = {},
  changes: Partial<FormDefinition> = {},
): FormDefinition => ({
  ...exampleForm,
  ...changes,
  payments: [
    {
      provider: 'stripe',
      methods: [0, 1, 4],
      hasHostedCheckout: false,
      hasCustomerPortal: false,
      options: { publicKey: 'pk_live_1', methods: 'card, us_bank_account', ...options },
    },
  ],
});

describe('Stripe payment field', () => {
  let testPage: TestPage;
  beforeEach(() => {
    testPage = new TestPage();
    stripe = new FakeStripe();
    testPage.definition = createStripeForm();
  });
  afterEach(() => testPage.restore());

  const showStripeForm = async (search = '', attributes = {}) => {
    const form = await testPage.showForm(search, attributes);
    await waitUntil(() => stripe.of('mount').length > 0);
    await new Promise((resolve) => {
      setTimeout(resolve, 30);
    });
    return form;
  };

  it('mounts the Payment Element in the light DOM with the displayed charge', async () => {
    const form = await showStripeForm();
    expect(stripe.of('Stripe')).to.deep.equal([['pk_live_1', {}]]);
    const [[elements], [[kind, options]], [[host]]] = [
      stripe.of('elements')[0] as [Record<string, unknown>],
      stripe.of('create') as [[string, object]],
      stripe.of('mount') as [[HTMLElement]],
    ];
    const { appearance, ...intent } = elements;
    expect(intent).to.deep.equal({
      mode: 'payment',
      amount: 5_000,
      currency: 'usd',
      allowedPaymentMethodTypes: ['card', 'us_bank_account'],
      locale: 'en',
    });
    expect([kind, options]).to.deep.equal([
      'payment',
      {
        business: { name: 'Lanternwell' },
        fields: { billingDetails: { name: 'never', email: 'never' } },
        wallets: { applePay: 'auto', googlePay: 'auto', link: 'auto' },
      },
    ]);
    expect([host.parentElement === form, host.slot, host.dir]).to.deep.equal([
      true,
      'payment',
      'ltr',
    ]);
    const { theme, variables } = appearance as { theme: string; variables: Record<string, string> };
    expect([
      theme,
      Object.entries(variables).filter(
        ([name, value]) => name.startsWith('color') && !/^rgba?\(\d+, \d+, \d+/.test(value),
      ),
    ]).to.deep.equal([getAppearance(host).dark ? 'night' : 'stripe', []]);
    expect([variables.colorPrimary, variables.colorBackground]).to.deep.equal([
      'rgba(11, 110, 79, 1)',
      'rgb(255, 255, 255)',
    ]);
  });

  it('passes the connected account, a supported locale, and the fields to collect', async () => {
    testPage.definition = createStripeForm(
      { account: 'acct_1', methods: '' },
      {
        donorFields: [
          { name: 'firstName', required: true },
          { name: 'email', required: false },
        ],
      },
    );
    await showStripeForm('', { language: 'zh-Hans' });
    expect(stripe.of('Stripe')).to.deep.equal([['pk_live_1', { stripeAccount: 'acct_1' }]]);
    const [elements] = stripe.of('elements')[0] as [Record<string, unknown>];
    expect([elements.locale, 'allowedPaymentMethodTypes' in elements]).to.deep.equal(['zh', false]);
    expect(stripe.of('create')[0]![1]).to.deep.contain({ fields: { billingDetails: {} } });
  });

  it('updates amount and mode before it creates a token', async () => {
    const form = await showStripeForm();
    enterText(form, 'currency', 'JPY');
    await form.updateComplete;
    query(form, '[name=amount][value="0"]').click();
    await form.updateComplete;
    query(form, '[name=frequency][value=monthly]').click();
    fillDonor(form);
    await submitForm(form);
    expect(stripe.of('update').at(-1)).to.deep.equal([
      { mode: 'subscription', amount: 3_000, currency: 'jpy' },
    ]);
    const names = stripe.calls.map(([name]) => name);
    expect([
      ...new Set(names.slice(names.lastIndexOf('update')).filter((name) => name !== 'dress')),
    ]).to.deep.equal(['update', 'updated', 'submit', 'createConfirmationToken', 'destroy']);
  });

  it('creates a confirmation token with the billing details and returns the payment method', async () => {
    const cases = [
      [{ type: 'card', card: { wallet: null } }, 0],
      [{ type: 'card', card: { wallet: { type: 'apple_pay' } } }, 4],
      [{ type: 'link' }, 4],
      [{ type: 'us_bank_account' }, 1],
      [{ type: 'sepa_debit' }, 1],
      [{ type: 'ideal' }, 0],
    ] as const;
    for (const [preview, method] of cases) {
      stripe.calls.length = 0;
      stripe.token = { confirmationToken: { id: 'ctoken_1', payment_method_preview: preview } };
      const form = await showStripeForm();
      fillDonor(form);
      await submitForm(form);
      expect(stripe.of('createConfirmationToken')).to.deep.equal([
        [
          {
            return_url: location.href,
            payment_method_data: {
              billing_details: { name: 'Ana Souza', email: 'ana@example.org' },
            },
          },
        ],
      ]);
      expect(testPage.postedDonations.at(-1)?.request.payment).to.deep.equal({
        provider: 'stripe',
        token: 'ctoken_1',
        method,
        returnUrl: location.href,
      });
    }
  });

  it('maps a method that the form does not offer to its first one', async () => {
    testPage.definition = {
      ...createStripeForm(),
      payments: [{ ...createStripeForm().payments[0], methods: [0] }],
    };
    stripe.token = {
      confirmationToken: { id: 'ctoken_1', payment_method_preview: { type: 'link' } },
    };
    const form = await showStripeForm();
    fillDonor(form);
    await submitForm(form);
    expect(testPage.postedDonations[0]?.request.payment.method).to.equal(0);
  });

  it('focuses an incomplete field and reports a failure of Stripe', async () => {
    const form = await showStripeForm();
    fillDonor(form);
    stripe.submitted = {
      error: { type: 'validation_error', message: 'Your card number is incomplete.' },
    };
    await submitForm(form);
    expect([
      getText(form, '#notice').startsWith('Check your payment details above.'),
      stripe.of('focus').length,
      stripe.of('createConfirmationToken').length,
    ]).to.deep.equal([true, 1, 0]);
    stripe.submitted = {};
    stripe.token = { error: { type: 'api_connection_error', message: 'gone' } };
    const errors = await collectConsoleErrors(() => submitForm(form));
    expect(getText(form, '#notice')).to.contain(
      'You have not been charged. The payment processor did not respond. Try again in a moment.',
    );
    expect(errors).to.contain('api_connection_error').and.to.contain('gone');
    expect(testPage.postedDonations.length).to.equal(0);
  });

  it('starts the authentication and asks the endpoint for any outcome', async () => {
    const form = await showStripeForm();
    fillDonor(form);
    testPage.responses.push((request) =>
      createOutcome(request, 'requires_action', undefined, {
        action: { kind: 'field', secret: 'pi_1_secret' },
      }),
    );
    testPage.createActionResponse = () =>
      createOutcome(testPage.postedDonations[0]!.request, 'failed', 'not-confirmed');
    await submitForm(form);
    await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
    expect(stripe.of('handleNextAction')).to.deep.equal([[{ clientSecret: 'pi_1_secret' }]]);
    expect(getText(form, '#notice')).to.contain('not confirmed');
  });

  it('logs why Stripe cannot show the field', async () => {
    stripe.loadError = {
      type: 'invalid_request_error',
      message: 'No valid payment method types for this configuration.',
    };
    const errors = await collectConsoleErrors(async () => {
      const form = await showStripeForm();
      await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
    });
    expect(errors).to.contain('No valid payment method types').and.to.contain('"methods"');
    expect(stripe.of('destroy').length).to.equal(1);
  });

  it('follows color changes', async () => {
    const form = await showStripeForm();
    form.style.setProperty('--donation-accent', '#003399');
    const getColors = (): string[] =>
      stripe
        .of('dress')
        .map(
          ([changes]) =>
            (changes as { appearance: { variables: Record<string, string> } }).appearance.variables
              .colorPrimary!,
        );
    await waitUntil(() => getColors().includes('rgba(0, 51, 153, 1)'));
  });
});
