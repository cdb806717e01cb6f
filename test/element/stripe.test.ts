import { expect } from '@open-wc/testing';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import { lookOf } from '../../src/donation-form/payment-fields/index.ts';
import { exampleForm } from '../example-form.ts';
import { errorsOf } from './stand-in.ts';
import { Stage, fill, inside, outcomeOf, press, type, waitUntil, words } from './support.ts';

/** What a form asked of Stripe.js, and what that answers. */
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
            const heard: Record<string, (event: object) => void> = {};
            return {
              on: (name: string, then: (event: object) => void) => {
                heard[name] = then;
              },
              mount: (host: HTMLElement) => {
                this.calls.push(['mount', host]);
                setTimeout(() => {
                  if (this.loadError) heard.loaderror!({ error: this.loadError });
                  else heard.ready!({});
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

const paidBy = (
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

describe('donation-form, with Stripe', () => {
  let stage: Stage;
  beforeEach(() => {
    stage = new Stage();
    stripe = new FakeStripe();
    stage.definition = paidBy();
  });
  afterEach(() => stage.end());

  const show = async (search = '', attributes = {}) => {
    const form = await stage.show(search, attributes);
    await waitUntil(() => stripe.of('mount').length > 0);
    await new Promise((resolve) => {
      setTimeout(resolve, 30);
    });
    return form;
  };

  it('mounts the Payment Element in the light DOM, for the gift that is shown', async () => {
    const form = await show();
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
    ]).to.deep.equal([lookOf(host).dark ? 'night' : 'stripe', []]);
    expect([variables.colorPrimary, variables.colorBackground]).to.deep.equal([
      'rgba(11, 110, 79, 1)',
      'rgb(255, 255, 255)',
    ]);
  });

  it('asks on behalf of another account, in a language that Stripe speaks, and for what the form does not ask itself', async () => {
    stage.definition = paidBy(
      { account: 'acct_1', methods: '' },
      {
        donorFields: [
          { name: 'firstName', required: true },
          { name: 'email', required: false },
        ],
      },
    );
    await show('', { language: 'zh-Hans' });
    expect(stripe.of('Stripe')).to.deep.equal([['pk_live_1', { stripeAccount: 'acct_1' }]]);
    const [elements] = stripe.of('elements')[0] as [Record<string, unknown>];
    expect([elements.locale, 'allowedPaymentMethodTypes' in elements]).to.deep.equal(['zh', false]);
    expect(stripe.of('create')[0]![1]).to.deep.contain({ fields: { billingDetails: {} } });
  });

  it("tells Stripe of every change before it asks for a token: the amount in Stripe's units, and what is repeated", async () => {
    const form = await show();
    type(form, 'currency', 'JPY');
    await form.updateComplete;
    inside(form, '[name=amount][value="0"]').click();
    await form.updateComplete;
    inside(form, '[name=frequency][value=monthly]').click();
    fill(form);
    await press(form);
    expect(stripe.of('update').at(-1)).to.deep.equal([
      { mode: 'subscription', amount: 3_000, currency: 'jpy' },
    ]);
    const names = stripe.calls.map(([name]) => name);
    expect([
      ...new Set(names.slice(names.lastIndexOf('update')).filter((name) => name !== 'dress')),
    ]).to.deep.equal(['update', 'updated', 'submit', 'createConfirmationToken', 'destroy']);
  });

  it('makes a confirmation token that carries what the form asked, and says how it is paid', async () => {
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
      const form = await show();
      fill(form);
      await press(form);
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
      expect(stage.posted.at(-1)?.request.payment).to.deep.equal({
        provider: 'stripe',
        token: 'ctoken_1',
        method,
        returnUrl: location.href,
      });
    }
  });

  it('names a method that the definition does not list by the first that it lists', async () => {
    stage.definition = { ...paidBy(), payments: [{ ...paidBy().payments[0], methods: [0] }] };
    stripe.token = {
      confirmationToken: { id: 'ctoken_1', payment_method_preview: { type: 'link' } },
    };
    const form = await show();
    fill(form);
    await press(form);
    expect(stage.posted[0]?.request.payment.method).to.equal(0);
  });

  it('leads into the field where something is missing in it, and says where Stripe failed', async () => {
    const form = await show();
    fill(form);
    stripe.submitted = {
      error: { type: 'validation_error', message: 'Your card number is incomplete.' },
    };
    await press(form);
    expect([
      words(form, '#notice').startsWith('Check your payment details above.'),
      stripe.of('focus').length,
      stripe.of('createConfirmationToken').length,
    ]).to.deep.equal([true, 1, 0]);
    stripe.submitted = {};
    stripe.token = { error: { type: 'api_connection_error', message: 'gone' } };
    const said = await errorsOf(() => press(form));
    expect(words(form, '#notice')).to.contain(
      'The payment processor did not answer. Nothing was charged. Try again in a moment.',
    );
    expect(said).to.contain('api_connection_error').and.to.contain('gone');
    expect(stage.posted.length).to.equal(0);
  });

  it('lets the bank ask, and asks the endpoint whatever came of it', async () => {
    const form = await show();
    fill(form);
    stage.answers.push((request) =>
      outcomeOf(request, 'action', undefined, { action: { kind: 'field', secret: 'pi_1_secret' } }),
    );
    stage.settle = () => outcomeOf(stage.posted[0]!.request, 'declined', 'not-confirmed');
    await press(form);
    await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
    expect(stripe.of('handleNextAction')).to.deep.equal([[{ clientSecret: 'pi_1_secret' }]]);
    expect(words(form, '#notice')).to.contain('not confirmed');
  });

  it('says on the console why Stripe shows no field', async () => {
    stripe.loadError = {
      type: 'invalid_request_error',
      message: 'No valid payment method types for this configuration.',
    };
    const said = await errorsOf(async () => {
      const form = await show();
      await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
    });
    expect(said).to.contain('No valid payment method types').and.to.contain('"methods"');
    expect(stripe.of('destroy').length).to.equal(1);
  });

  it('follows a change of colours', async () => {
    const form = await show();
    form.style.setProperty('--donation-accent', '#003399');
    const colours = (): string[] =>
      stripe
        .of('dress')
        .map(
          ([changes]) =>
            (changes as { appearance: { variables: Record<string, string> } }).appearance.variables
              .colorPrimary!,
        );
    await waitUntil(() => colours().includes('rgba(0, 51, 153, 1)'));
  });
});
