import { expect } from '@open-wc/testing';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import { getAppearance } from '../../src/donation-form/payment-fields/index.ts';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { exampleForm } from '../example-form.ts';
import { isHostedHintVisible, offlinePayment, selectProvider } from './payment-support.ts';
import { collectConsoleErrors } from './stub-payment-provider.ts';
import {
  TestPage,
  fillDonor,
  query,
  selectCountry,
  createOutcome,
  submitForm,
  enterText,
  waitUntil,
  getText,
  getSubmitButton,
  waitForPaymentField,
  waitUntilIdle,
} from './support.ts';

type FaultyCall = 'ready' | 'update' | 'submit' | 'createConfirmationToken' | 'handleNextAction';

/** A stub of Stripe.js that records its calls. */
class FakeStripe {
  /** Calls that reject or that do not answer until the test calls `answer`. */
  readonly faults: Partial<Record<FaultyCall, 'reject' | 'silent' | undefined>> = {};
  answer: () => void = () => undefined;
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

  async #simulateFault(call: FaultyCall): Promise<void> {
    if (this.faults[call] === 'reject') throw new Error(`${call} failed`);
    if (this.faults[call] === 'silent')
      await new Promise<void>((resolve) => {
        this.answer = resolve;
      });
  }

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
                  else void this.#simulateFault('ready').then(() => handlers.ready!({}));
                });
              },
              update: (changes: object) => this.calls.push(['updateElement', changes]),
              focus: () => this.calls.push(['focus']),
              destroy: () => this.calls.push(['destroy']),
            };
          },
          update: (changes: object) => {
            if ('appearance' in changes) return this.calls.push(['dress', changes]);
            this.calls.push(['update', changes]);
            return this.#simulateFault('update').then(
              () =>
                new Promise((resolve) => {
                  setTimeout(() => {
                    this.calls.push(['updated']);
                    resolve(undefined);
                  }, 20);
                }),
            );
          },
          submit: () => {
            this.calls.push(['submit']);
            return this.#simulateFault('submit').then(() => this.submitted);
          },
        };
      },
      createConfirmationToken: ({ params }: { params: unknown }) => {
        this.calls.push(['createConfirmationToken', params]);
        return this.#simulateFault('createConfirmationToken').then(() => this.token);
      },
      handleNextAction: (options: unknown) => {
        this.calls.push(['handleNextAction', options]);
        return this.#simulateFault('handleNextAction').then(() => ({
          error: { type: 'card_error' },
        }));
      },
    };
  }
}

let stripe: FakeStripe;
Object.assign(window, { Stripe: (...values: unknown[]) => stripe.make(...values) });

const createStripeForm = (
  options: Readonly<Record<string, string>> = {},
  changes: Partial<FormDefinition> = {},
  hasHostedCheckout = false,
): FormDefinition => ({
  ...exampleForm,
  ...changes,
  payments: [
    {
      provider: 'stripe',
      methods: [0, 1, 4],
      hasField: true,
      hasHostedCheckout,
      hasCustomerPortal: true,
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

  it("loads the sandbox's stand-in for Stripe.js once, and again after a failure", async () => {
    testPage.definition = createStripeForm({ scriptUrl: 'http://127.0.0.1:1/stripe.js' }, {}, true);
    const errors = await collectConsoleErrors(async () => {
      const form = await testPage.showForm('', {});
      await waitUntil(() => isHostedHintVisible(form));
    });
    expect(errors).to.contain('Failed to load http://127.0.0.1:1/stripe.js');
    const scriptUrl = 'data:text/javascript,window.standInLoads=(window.standInLoads??0)+1';
    testPage.definition = createStripeForm({ scriptUrl });
    (await showStripeForm()).remove();
    await showStripeForm();
    await waitUntil(() => stripe.of('mount').length === 2);
    expect([stripe.of('Stripe').length, Reflect.get(window, 'standInLoads')]).to.deep.equal([2, 1]);
  });

  it('mounts the Payment Element in the light DOM with the displayed charge', async () => {
    const form = await showStripeForm();
    expect(stripe.of('Stripe')).to.deep.equal([['pk_live_1']]);
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
      paymentMethodOptions: { us_bank_account: { verification_method: 'instant' } },
      locale: 'en',
    });
    expect([kind, options]).to.deep.equal([
      'payment',
      {
        business: { name: 'Lanternwell' },
        fields: { billingDetails: { name: 'never', email: 'never' } },
        wallets: { applePay: 'auto', googlePay: 'auto', link: 'never' },
        applePay: { recurringPaymentRequest: null },
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

  it('passes a supported locale and the fields to collect', async () => {
    testPage.definition = createStripeForm(
      { methods: '' },
      {
        donorFields: [
          { name: 'firstName', required: true },
          { name: 'email', required: false },
        ],
      },
    );
    await showStripeForm('', { language: 'zh-Hans' });
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
      {
        mode: 'subscription',
        amount: 3_000,
        currency: 'jpy',
        allowedPaymentMethodTypes: ['card'],
      },
    ]);
    const names = stripe.calls.map(([name]) => name);
    expect([
      ...new Set(names.slice(names.lastIndexOf('update')).filter((name) => name !== 'dress')),
    ]).to.deep.equal([
      'update',
      'updated',
      'updateElement',
      'submit',
      'createConfirmationToken',
      'destroy',
    ]);
  });

  it('creates a confirmation token with the billing details and returns the payment method', async () => {
    const cases = [
      [{ type: 'card', card: { wallet: null } }, 0],
      [{ type: 'card', card: { wallet: { type: 'apple_pay' } } }, 4],
      [{ type: 'link' }, 4],
      [{ type: 'us_bank_account' }, 1],
      [{ type: 'sepa_debit' }, 1],
      [{ type: 'ideal' }, 4],
      [{ type: 'bancontact' }, 4],
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

  it('says that the donor is offline if Stripe cannot be reached for that reason', async () => {
    const form = await showStripeForm();
    fillDonor(form);
    stripe.token = { error: { type: 'api_connection_error', message: 'gone' } };
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
    await collectConsoleErrors(() => submitForm(form));
    Reflect.deleteProperty(navigator, 'onLine');
    expect(getText(form, '#notice')).to.contain('You are offline');
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

  it('shows an email that Stripe rejects at its field', async () => {
    const form = await showStripeForm();
    fillDonor(form);
    stripe.token = { error: { type: 'invalid_request_error', code: 'email_invalid' } };
    await submitForm(form);
    expect([
      query(form, '[name=email]').getAttribute('aria-invalid'),
      getText(form, '#notice').includes('Enter a valid email'),
      getSubmitButton(form).ariaDisabled,
      testPage.postedDonations.length,
    ]).to.deep.equal(['true', true, null, 0]);
    stripe.token = new FakeStripe().token;
    await submitForm(form);
    expect(testPage.postedDonations.length).to.equal(1);
  });

  it('offers Link only if it is configured, and passes it the email and its changes', async () => {
    testPage.definition = createStripeForm({ methods: 'card,link' });
    const timers = testPage.holdTimers();
    const form = await showStripeForm('', {});
    const [, options] = stripe.of('create')[0] as [string, { wallets: object }];
    expect(options.wallets).to.deep.include({ link: 'auto' });
    enterText(form, 'email', 'ana@example');
    enterText(form, 'email', 'ana@example.co');
    await form.updateComplete;
    enterText(form, 'email', 'ana@example.com');
    await form.updateComplete;
    await waitUntil(() => form.updateComplete);
    timers.run(1_000);
    expect(stripe.of('updateElement')).to.deep.equal([
      [{ defaultValues: { billingDetails: { email: 'ana@example.com' } } }],
    ]);
  });

  it('does not pass the email before the donation is submitted if Link is not configured', async () => {
    const timers = testPage.holdTimers();
    const form = await showStripeForm();
    fillDonor(form);
    await form.updateComplete;
    expect(() => timers.run(1_000)).to.throw();
    expect(JSON.stringify(stripe.calls)).not.to.contain('ana@');
  });

  it('offers the methods of the currency and the frequency', async () => {
    const [usd] = exampleForm.currencies;
    testPage.definition = createStripeForm(
      { methods: 'card,ideal,twint,eps' },
      { currencies: [{ ...usd, code: 'EUR' }] },
    );
    const form = await showStripeForm();
    expect(stripe.of('elements')[0]![0]).to.deep.include({
      allowedPaymentMethodTypes: ['card', 'ideal', 'eps'],
    });
    query(form, '[name=frequency][value=monthly]').click();
    await waitUntil(() => stripe.of('update').length > 0);
    expect(stripe.of('update').at(-1)![0]).to.deep.include({
      allowedPaymentMethodTypes: ['card', 'ideal'],
    });
  });

  it("shows the methods of the currency's country first, until the donor enters another", async () => {
    const [usd] = exampleForm.currencies;
    testPage.definition = createStripeForm(
      { methods: 'card,twint' },
      {
        currencies: [{ ...usd, code: 'CHF' }],
        donorFields: [
          ...exampleForm.donorFields,
          { name: 'postal', required: false },
          { name: 'country', required: false },
        ],
      },
    );
    const form = await showStripeForm();
    expect(stripe.of('create')[0]![1]).to.deep.include({ paymentMethodOrder: ['twint'] });
    await selectCountry(form, 'DE');
    await waitUntil(() => stripe.of('updateElement').length > 0);
    expect(stripe.of('updateElement').at(-1)![0]).to.deep.include({ paymentMethodOrder: [] });
  });

  it('keeps the configured order if the form says so', async () => {
    testPage.definition = createStripeForm({
      methods: 'us_bank_account,ideal,card',
      methodOrder: 'configured',
    });
    await showStripeForm();
    expect(stripe.of('create')[0]![1]).to.deep.include({
      paymentMethodOrder: ['us_bank_account', 'card'],
    });
  });

  it('tells Apple Pay the terms of a recurring donation', async () => {
    const form = await showStripeForm();
    query(form, '[name=frequency][value=monthly]').click();
    await waitUntil(() => stripe.of('updateElement').length > 0);
    expect(stripe.of('updateElement').at(-1)).to.deep.equal([
      {
        applePay: {
          recurringPaymentRequest: {
            paymentDescription: 'Lanternwell',
            managementURL: 'https://give.test/manage?id=main&provider=stripe',
            regularBilling: {
              label: 'Lanternwell',
              amount: 5_000,
              recurringPaymentIntervalUnit: 'month',
              recurringPaymentIntervalCount: 1,
            },
          },
        },
      },
    ]);
    query(form, '[name=frequency][value=once]').click();
    await waitUntil(() =>
      JSON.stringify(stripe.of('updateElement').at(-1)).includes(
        '{"recurringPaymentRequest":null}',
      ),
    );
  });

  describe('if Stripe.js fails', () => {
    const expectUsable = (form: DonationFormElement): void => {
      expect([
        getSubmitButton(form).ariaDisabled,
        form.shadowRoot!.querySelector('.sections[inert]'),
        query(form, '[name=email]').value,
        getText(form, '#notice').includes('You have not been charged.'),
      ]).to.deep.equal([null, null, 'ana@example.org', true]);
    };
    const getFieldSlot = (form: DonationFormElement): string | undefined =>
      [...form.children].find(({ slot }) => slot.startsWith('payment'))?.slot;

    for (const call of ['update', 'submit', 'createConfirmationToken'] as const) {
      it(`can be submitted again after ${call} rejects`, async () => {
        stripe.faults[call] = 'reject';
        const form = await showStripeForm();
        query(form, '[name=frequency][value=monthly]').click();
        fillDonor(form);
        const errors = await collectConsoleErrors(() => submitForm(form));
        expect(errors).to.contain(`${call} failed`);
        expectUsable(form);
        stripe.faults[call] = undefined;
        await submitForm(form);
        expect(testPage.postedDonations.map(({ request }) => request.payment.token)).to.deep.equal([
          'ctoken_1',
        ]);
        expect(stripe.of('update').at(-1)).to.deep.equal([
          {
            mode: 'subscription',
            amount: 5_000,
            currency: 'usd',
            allowedPaymentMethodTypes: ['card', 'us_bank_account'],
          },
        ]);
      });

      it(`offers the hosted page after ${call} rejects`, async () => {
        testPage.definition = createStripeForm({}, {}, true);
        stripe.faults[call] = 'reject';
        const form = await showStripeForm();
        query(form, '[name=frequency][value=monthly]').click();
        fillDonor(form);
        await collectConsoleErrors(() => submitForm(form));
        expectUsable(form);
        expect(isHostedHintVisible(form)).to.equal(true);
        await submitForm(form);
        expect(testPage.postedDonations.map(({ request }) => request.payment)).to.deep.equal([
          { provider: 'stripe', returnUrl: location.href },
        ]);
      });

      it(`offers the hosted page if ${call} does not answer, and ignores a late answer`, async () => {
        testPage.definition = createStripeForm({}, {}, true);
        const timers = testPage.holdTimers();
        stripe.faults[call] = 'silent';
        const form = await showStripeForm();
        query(form, '[name=frequency][value=monthly]').click();
        fillDonor(form);
        await form.updateComplete;
        getSubmitButton(form).click();
        await waitUntil(() => stripe.of(call).length > 0);
        await new Promise((resolve) => {
          setTimeout(resolve, 30);
        });
        timers.run(6_000);
        await form.updateComplete;
        expect(getText(form, '#notice')).to.contain('You have not been charged.');
        expect(getSubmitButton(form).ariaDisabled).to.equal('true');
        query(form, '#notice button').click();
        await waitUntil(() => testPage.postedDonations.length > 0);
        stripe.answer();
        await waitUntilIdle(form);
        expect(testPage.postedDonations.map(({ request }) => request.payment)).to.deep.equal([
          { provider: 'stripe', returnUrl: location.href },
        ]);
      });
    }

    it('completes the donation if a wallet is confirmed after the hosted page was offered', async () => {
      testPage.definition = createStripeForm({}, {}, true);
      const timers = testPage.holdTimers();
      stripe.faults.submit = 'silent';
      const form = await showStripeForm();
      fillDonor(form);
      await form.updateComplete;
      getSubmitButton(form).focus();
      getSubmitButton(form).click();
      await waitUntil(() => stripe.of('submit').length > 0);
      timers.run(6_000);
      await form.updateComplete;
      expect(form.shadowRoot!.activeElement).to.equal(getSubmitButton(form));
      expect(() => timers.run(60_000)).to.throw();
      stripe.answer();
      await waitUntilIdle(form);
      expect(testPage.postedDonations.map(({ request }) => request.payment.token)).to.deep.equal([
        'ctoken_1',
      ]);
      expect(form.shadowRoot!.querySelector('#notice')).to.equal(null);
    });

    it('lets the donor choose another payment method while it does not answer', async () => {
      testPage.definition = {
        ...createStripeForm(),
        payments: [createStripeForm().payments[0], offlinePayment],
      };
      const timers = testPage.holdTimers();
      stripe.faults.createConfirmationToken = 'silent';
      const form = await showStripeForm();
      fillDonor(form);
      await form.updateComplete;
      getSubmitButton(form).click();
      await waitUntil(() => stripe.of('createConfirmationToken').length > 0);
      timers.run(6_000);
      await form.updateComplete;
      expect(getText(form, '#notice button')).to.equal('Choose another payment method');
      query(form, '#notice button').click();
      await waitUntilIdle(form);
      expectUsable(form);
      expect((form.shadowRoot!.activeElement as HTMLInputElement).name).to.equal(
        'payment.provider',
      );
      await selectProvider(form, 'offline');
      await submitForm(form);
      expect(testPage.postedDonations[0]?.request.payment).to.deep.equal({ provider: 'offline' });
    });

    it('lets the donor try again if there is no other way to pay', async () => {
      const timers = testPage.holdTimers();
      stripe.faults.createConfirmationToken = 'silent';
      const form = await showStripeForm();
      fillDonor(form);
      await form.updateComplete;
      getSubmitButton(form).click();
      await waitUntil(() => stripe.of('createConfirmationToken').length > 0);
      timers.run(6_000);
      await form.updateComplete;
      query(form, '#notice button').click();
      await waitUntilIdle(form);
      expectUsable(form);
      stripe.faults.createConfirmationToken = undefined;
      await submitForm(form);
      expect(testPage.postedDonations.length).to.equal(1);
    });

    it('offers the hosted page if the field is slow, and shows the field once it has loaded', async () => {
      testPage.definition = createStripeForm({}, {}, true);
      const timers = testPage.holdTimers();
      stripe.faults.ready = 'silent';
      const form = await showStripeForm();
      timers.run(6_000);
      await waitUntil(() => isHostedHintVisible(form));
      expect(getFieldSlot(form)).to.equal('payment-hidden');
      stripe.answer();
      await waitUntil(() => getFieldSlot(form) === 'payment');
      await form.updateComplete;
      expect(isHostedHintVisible(form)).to.equal(false);
      expect(stripe.of('mount').length).to.equal(1);
      fillDonor(form);
      await submitForm(form);
      expect(testPage.postedDonations[0]?.request.payment.token).to.equal('ctoken_1');
    });

    it('continues on the hosted page if the form is submitted before a slow field has loaded', async () => {
      testPage.definition = createStripeForm({}, {}, true);
      const timers = testPage.holdTimers();
      stripe.faults.ready = 'silent';
      const form = await showStripeForm();
      fillDonor(form);
      await form.updateComplete;
      getSubmitButton(form).click();
      await form.updateComplete;
      timers.run(6_000);
      await waitUntilIdle(form);
      expectUsable(form);
      expect(getText(form, '#notice')).to.contain("the payment processor's secure page");
      await submitForm(form);
      expect(testPage.postedDonations[0]?.request.payment.token).to.equal(undefined);
    });

    it('says that a slow field is missing, links to other methods, and takes it back', async () => {
      testPage.definition = {
        ...createStripeForm(),
        payments: [createStripeForm().payments[0], offlinePayment],
      };
      const timers = testPage.holdTimers();
      stripe.faults.ready = 'silent';
      const form = await showStripeForm();
      timers.run(6_000);
      await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
      expect(getText(form, '#notice')).to.contain('The payment field could not be loaded.');
      query(form, '#notice button').click();
      expect((form.shadowRoot!.activeElement as HTMLInputElement).name).to.equal(
        'payment.provider',
      );
      fillDonor(form);
      await form.updateComplete;
      getSubmitButton(form).click();
      await form.updateComplete;
      timers.run(6_000);
      await waitUntilIdle(form);
      expectUsable(form);
      stripe.answer();
      await waitUntil(() => !form.shadowRoot!.querySelector('#notice'));
      await submitForm(form);
      expect(testPage.postedDonations[0]?.request.payment.token).to.equal('ctoken_1');
    });

    it('shows how to continue if the authentication does not answer, without moving the focus', async () => {
      const timers = testPage.holdTimers();
      stripe.faults.handleNextAction = 'silent';
      const form = await showStripeForm();
      fillDonor(form);
      testPage.responses.push((request) =>
        createOutcome(request, 'requires_action', undefined, {
          action: { kind: 'field', secret: 'pi_1_secret' },
        }),
      );
      testPage.createActionResponse = (step) =>
        createOutcome(
          testPage.postedDonations[0]!.request,
          step === 'cancel' ? 'failed' : 'succeeded',
          step === 'cancel' ? 'not-confirmed' : undefined,
        );
      await form.updateComplete;
      getSubmitButton(form).click();
      await waitUntil(() => stripe.of('handleNextAction').length > 0);
      const bankFrame = document.createElement('input');
      document.body.append(bankFrame);
      bankFrame.focus();
      timers.run(6_000);
      await waitUntil(() => form.shadowRoot!.querySelector('[part=requires-action]'));
      expect(document.activeElement).to.equal(bankFrame);
      bankFrame.remove();
      [...form.shadowRoot!.querySelectorAll('button')]
        .find(({ textContent }) => textContent === 'Cancel')!
        .click();
      await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
      stripe.answer();
      await waitUntilIdle(form);
      expectUsable(form);
      expect(testPage.actionRequests.map(({ step }) => step)).to.deep.equal(['cancel']);
    });

    it('shows the result of an authentication that took longer', async () => {
      const timers = testPage.holdTimers();
      stripe.faults.handleNextAction = 'silent';
      const form = await showStripeForm();
      fillDonor(form);
      testPage.responses.push((request) =>
        createOutcome(request, 'requires_action', undefined, {
          action: { kind: 'field', secret: 'pi_1_secret' },
        }),
      );
      testPage.createActionResponse = () =>
        createOutcome(testPage.postedDonations[0]!.request, 'succeeded');
      await form.updateComplete;
      getSubmitButton(form).click();
      await waitUntil(() => stripe.of('handleNextAction').length > 0);
      timers.run(6_000);
      await waitUntil(() => form.shadowRoot!.querySelector('[part=requires-action]'));
      stripe.answer();
      await waitUntil(() => form.shadowRoot!.querySelector('[part=thank-you]'));
      expect(testPage.actionRequests.map(({ step }) => step)).to.deep.equal(['confirm']);
    });
  });

  describe('on a page with the form far below', () => {
    it('loads Stripe.js when the form comes near', async () => {
      const container = document.createElement('div');
      container.style.marginTop = '5000px';
      document.body.append(container);
      testPage.container = container;
      const form = await testPage.showForm();
      await waitForPaymentField(form);
      await new Promise((resolve) => {
        setTimeout(resolve, 100);
      });
      expect(stripe.calls).to.deep.equal([]);
      container.style.marginTop = `${innerHeight + 500}px`;
      await waitUntil(() => stripe.of('mount').length > 0);
      container.remove();
    });

    it('loads Stripe.js when the donor uses the form', async () => {
      const container = document.createElement('div');
      container.style.marginTop = '5000px';
      document.body.append(container);
      testPage.container = container;
      const form = await testPage.showForm();
      await waitForPaymentField(form);
      enterText(form, 'firstName', 'Ana');
      await waitUntil(() => stripe.of('mount').length > 0);
      container.remove();
    });
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
