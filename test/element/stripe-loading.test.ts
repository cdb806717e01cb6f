import { aTimeout, expect } from '@open-wc/testing';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { getAppearance } from '../../src/donation-form/payment-fields/index.ts';
import { exampleForm } from './forms.ts';
import { isHostedHintVisible, offlinePayment, selectProvider } from './payment-support.ts';
import {
  createStripeForm,
  expectUsable,
  installStubStripe,
  showFilledStripeForm,
  showStripeForm,
  type StubStripe,
} from './stripe-support.ts';
import { collectConsoleErrors } from './stub-payment-provider.ts';
import {
  enterText,
  fillDonor,
  findElement,
  getSubmitButton,
  getText,
  pressSubmit,
  submitForm,
  testPage,
  waitForPaymentField,
  waitUntil,
  waitUntilIdle,
} from './support.ts';

const listMethods = ({ shadowRoot }: HTMLElement): string[] =>
  [...shadowRoot!.querySelectorAll<HTMLInputElement>('[name="payment.provider"]')].map(
    ({ value }) => value,
  );

describe("loading Stripe's field", () => {
  let stripe: StubStripe;
  beforeEach(() => {
    stripe = installStubStripe();
    testPage.definition = createStripeForm();
  });

  const getFieldSlot = (form: DonationFormElement): string | undefined =>
    [...form.children].find(({ slot }) => slot.startsWith('payment'))?.slot;

  it("loads the sandbox's replacement for Stripe.js once, and again after a failure", async () => {
    testPage.definition = createStripeForm({ scriptUrl: 'http://127.0.0.1:1/stripe.js' }, {}, true);
    const errors = await collectConsoleErrors(async () => {
      const form = await testPage.showForm('', {});
      await waitUntil(() => isHostedHintVisible(form));
    });
    expect(errors).to.contain('Cannot load http://127.0.0.1:1/stripe.js');
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
      allowedPaymentMethodTypes: ['card'],
      locale: 'en',
    });
    expect([kind, options]).to.deep.equal([
      'payment',
      {
        business: { name: 'Lanternwell' },
        layout: 'tabs',
        fields: { billingDetails: { name: 'never', email: 'never' } },
        wallets: { applePay: 'never', googlePay: 'never', link: 'never' },
      },
    ]);
    const container = form.querySelector<HTMLElement>(':scope > [slot=payment]')!;
    expect([container.contains(host), host.parentElement!.dir]).to.deep.equal([true, 'ltr']);
    const { theme, variables } = appearance as { theme: string; variables: Record<string, string> };
    expect([
      theme,
      Object.entries(variables).filter(
        ([name, value]) => name.startsWith('color') && !/^rgba?\(\d+, \d+, \d+/.test(value),
      ),
    ]).to.deep.equal([getAppearance(host).dark ? 'night' : 'stripe', []]);
    expect([variables.colorPrimary, variables.colorBackground]).to.deep.equal([
      'rgba(10, 92, 67, 1)',
      'rgba(255, 255, 255, 1)',
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
    await showStripeForm({ language: 'zh-Hans' });
    const [elements] = stripe.of('elements')[0] as [Record<string, unknown>];
    expect([elements.locale, 'allowedPaymentMethodTypes' in elements]).to.deep.equal(['zh', false]);
    expect(stripe.of('create')[0]![1]).to.deep.contain({ fields: { billingDetails: {} } });
  });

  it('shows no wallet beside the card if the organization has turned wallet buttons off', async () => {
    testPage.definition = createStripeForm({ methods: 'card,us_bank_account' });
    await showStripeForm();
    const [, options] = stripe.of('create')[0] as [string, object];
    expect(options).to.deep.include({
      wallets: { applePay: 'never', googlePay: 'never', link: 'never' },
    });
  });

  it('offers the methods of the currency and the frequency', async () => {
    const [usd] = exampleForm.currencies;
    testPage.definition = createStripeForm(
      { methods: 'card,ideal,twint,eps' },
      { currencies: [{ ...usd, code: 'EUR' }] },
    );
    const form = await showStripeForm();
    expect(listMethods(form)).to.deep.equal(['stripe:card', 'stripe:ideal', 'stripe:eps']);
    findElement(form, '[name=frequency][value=monthly]').click();
    await form.updateComplete;
    expect(listMethods(form)).to.deep.equal(['stripe:card', 'stripe:ideal']);
  });

  it("lists the methods of the currency's country first", async () => {
    const [usd] = exampleForm.currencies;
    testPage.definition = createStripeForm(
      { methods: 'card,twint' },
      { currencies: [{ ...usd, code: 'CHF' }] },
    );
    expect(listMethods(await showStripeForm())).to.deep.equal(['stripe:twint', 'stripe:card']);
  });

  it('appends a method whose wallet button does not load, and keeps its row once chosen', async () => {
    const options = { methods: 'paypal,card,us_bank_account', methodOrder: 'configured' };
    const [payment] = createStripeForm(options).payments;
    testPage.definition = { ...createStripeForm(), payments: [{ ...payment, hasWallets: true }] };
    const rows = ['stripe:card', 'stripe:us_bank_account', 'stripe:paypal'];
    const form = await showStripeForm();
    await waitUntil(() => listMethods(form).length === 3);
    expect(listMethods(form)).to.deep.equal(rows);
    findElement(form, '[value="stripe:paypal"]').click();
    await form.updateComplete;
    stripe.faults.ready = 'silent';
    const { length } = stripe.of('mount');
    form.parentElement!.append(form);
    await waitUntil(() => stripe.of('mount').length === length + 2);
    expect(listMethods(form)).to.deep.equal(rows);
    expect(findElement(form, '[value="stripe:paypal"]').checked).to.equal(true);
  });

  it('keeps the configured order if the form says so, and mounts a field for each chosen row', async () => {
    testPage.definition = createStripeForm({
      methods: 'card,ideal,us_bank_account',
      methodOrder: 'configured',
    });
    const form = await showStripeForm();
    expect(listMethods(form)).to.deep.equal(['stripe:card', 'stripe:us_bank_account']);
    findElement(form, '[value="stripe:us_bank_account"]').click();
    await waitUntil(() => stripe.of('mount').length === 2);
    expect(stripe.of('elements').at(-1)![0]).to.deep.include({
      allowedPaymentMethodTypes: ['us_bank_account'],
      paymentMethodOptions: { us_bank_account: { verification_method: 'instant' } },
    });
  });

  it('offers Link only if it is configured, and passes it the email and its changes', async () => {
    testPage.definition = createStripeForm({ methods: 'card,link' });
    const timers = testPage.holdTimers();
    const form = await showStripeForm();
    const [, options] = stripe.of('create')[0] as [string, { wallets: object }];
    expect(options.wallets).to.deep.include({ link: 'auto' });
    enterText(form, 'email', 'ana@example');
    enterText(form, 'email', 'ana@example.co');
    await form.updateComplete;
    enterText(form, 'email', 'ana@example.com');
    await form.updateComplete;
    await waitUntilIdle(form);
    timers.runTimers(1_000);
    expect(stripe.of('updateElement')).to.deep.equal([
      [{ defaultValues: { billingDetails: { email: 'ana@example.com' } } }],
    ]);
  });

  it('does not pass the email before the donation is submitted if Link is not configured', async () => {
    const timers = testPage.holdTimers();
    const form = await showFilledStripeForm();
    await form.updateComplete;
    expect(() => timers.runTimers(1_000)).to.throw();
    expect(JSON.stringify(stripe.calls)).not.to.contain('ana@');
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

  it("logs why Stripe cannot show the field, and recommends no other method of Stripe's", async () => {
    stripe.loadError = {
      type: 'invalid_request_error',
      message: 'No valid payment method types for this configuration.',
    };
    const errors = await collectConsoleErrors(async () => {
      const form = await showStripeForm();
      await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
      expect(form.shadowRoot!.querySelector('#notice button')).to.equal(null);
    });
    expect(errors).to.contain('No valid payment method types').and.to.contain('"methods"');
    expect(stripe.of('destroy').length).to.equal(1);
  });

  it('offers the hosted page if the field is slow, and shows the field once it has loaded', async () => {
    testPage.definition = createStripeForm({}, {}, true);
    const timers = testPage.holdTimers();
    stripe.faults.ready = 'silent';
    const form = await showStripeForm();
    timers.runTimers(6_000);
    await waitUntil(() => isHostedHintVisible(form));
    expect(getFieldSlot(form)).to.equal('payment-hidden');
    stripe.answer();
    await waitUntil(() => getFieldSlot(form) === 'payment');
    await form.updateComplete;
    expect(isHostedHintVisible(form)).to.equal(false);
    expect(stripe.of('mount').length).to.equal(1);
    fillDonor(form);
    await submitForm(form);
    expect(testPage.requests[0]?.payment.token).to.equal('ctoken_1');
  });

  it('continues on the hosted page if the form is submitted before a slow field has loaded', async () => {
    testPage.definition = createStripeForm({}, {}, true);
    const timers = testPage.holdTimers();
    stripe.faults.ready = 'silent';
    const form = await showFilledStripeForm();
    await pressSubmit(form);
    await form.updateComplete;
    timers.runTimers(6_000);
    await waitUntilIdle(form);
    expectUsable(form);
    expect(getText(form, '#notice')).to.contain("the payment provider's secure page");
    await submitForm(form);
    expect(testPage.requests[0]?.payment.token).to.equal(undefined);
  });

  for (const { failure, breakField } of [
    {
      failure: 'fails',
      breakField: () => {
        stripe.loadError = { message: 'no connection' };
      },
    },
    {
      failure: 'does not load',
      breakField: () => {
        stripe.faults.ready = 'silent';
      },
    },
  ])
    it(`shows the field after the donor is back online if it ${failure} while offline`, async () => {
      testPage.definition = createStripeForm({}, {}, true);
      const timers = testPage.holdTimers();
      breakField();
      addEventListener('donation-form-load', () => testPage.setOffline(true), { once: true });
      await collectConsoleErrors(async () => {
        const form = await showStripeForm();
        if (stripe.faults.ready) timers.runTimers(6_000);
        await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
        expect(getText(form, '#notice')).to.contain("You're offline");
        expect(getText(form, '[part=button]')).to.equal('Give $50');
        expect(isHostedHintVisible(form)).to.equal(false);
        stripe.loadError = undefined;
        testPage.setOffline(false);
        stripe.answer();
        await waitUntil(() => !form.shadowRoot!.querySelector('#notice'));
        fillDonor(form);
        await waitUntil(() => getSubmitButton(form).ariaDisabled === null);
        await submitForm(form);
      });
      expect(testPage.requests[0]?.payment.token).to.equal('ctoken_1');
    });

  it('removes the offline notice if a slow field loads before the browser reports a connection', async () => {
    testPage.definition = createStripeForm({}, {}, true);
    const timers = testPage.holdTimers();
    stripe.faults.ready = 'silent';
    addEventListener('donation-form-load', () => testPage.setOffline(true), { once: true });
    const form = await showStripeForm();
    timers.runTimers(6_000);
    await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
    expect(getText(form, '#notice')).to.contain("You're offline");
    stripe.answer();
    await waitUntil(() => !form.shadowRoot!.querySelector('#notice'));
  });

  it('offers the hosted page if Stripe is blocked and the browser wrongly reports no connection', async () => {
    testPage.definition = createStripeForm({}, {}, true);
    stripe.loadError = { message: 'blocked' };
    testPage.setOffline(true);
    testPage.isOffline = false;
    await collectConsoleErrors(async () => {
      const form = await showStripeForm();
      await waitUntil(() => isHostedHintVisible(form));
      expect(form.shadowRoot!.querySelector('#notice')).to.equal(null);
      fillDonor(form);
      await submitForm(form);
    });
    expect(testPage.requests[0]?.payment.provider).to.equal('stripe');
  });

  it("sends the chosen row's method, whose fee the total contains, to the hosted page", async () => {
    const [usd] = exampleForm.currencies;
    const feeCover = { ...usd.feeCover!, methods: { 1: { basisPoints: 80, fixed: 0 } } };
    testPage.definition = createStripeForm({}, { currencies: [{ ...usd, feeCover }] }, true);
    stripe.loadError = { message: 'blocked' };
    await collectConsoleErrors(async () => {
      const form = await showStripeForm({ 'cover-costs': '' });
      await selectProvider(form, 'stripe:us_bank_account');
      await waitUntil(() => isHostedHintVisible(form));
      fillDonor(form);
      await submitForm(form);
    });
    const [{ gift, payment }] = testPage.requests as [(typeof testPage.requests)[0]];
    expect([gift.total, payment.method, payment.token]).to.deep.equal([5_041, 1, undefined]);
  });

  it('mounts one field after the language changed and the donor is back online', async () => {
    testPage.definition = createStripeForm({}, {}, true);
    stripe.loadError = { message: 'no connection' };
    addEventListener('donation-form-load', () => testPage.setOffline(true), { once: true });
    await collectConsoleErrors(async () => {
      const form = await showStripeForm();
      await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
      testPage.isOffline = false;
      stripe.loadError = undefined;
      form.language = 'de';
      await waitUntil(() => stripe.of('mount').length === 2);
      testPage.setOffline(false);
      await waitUntil(() => stripe.of('destroy').length > 0);
      await aTimeout(100);
      expect(form.querySelectorAll(':scope > [slot=payment]').length).to.equal(1);
      expect(stripe.of('mount').length).to.equal(2);
    });
  });

  it('disables the button until the field has loaded', async () => {
    stripe.faults.ready = 'silent';
    const form = await showStripeForm();
    const button = getSubmitButton(form);
    expect(button.ariaDisabled).to.equal('true');
    await waitUntil(() => stripe.of('mount').length > 0);
    expect(button.ariaDisabled).to.equal('true');
    stripe.answer();
    await waitUntil(() => button.ariaDisabled === null);
  });

  it('reports that a slow field is missing, links to other methods, and removes the notice once it loads', async () => {
    testPage.definition = {
      ...createStripeForm(),
      payments: [createStripeForm().payments[0], offlinePayment],
    };
    const timers = testPage.holdTimers();
    stripe.faults.ready = 'silent';
    const form = await showStripeForm();
    timers.runTimers(6_000);
    await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
    expect(getText(form, '#notice')).to.contain("We couldn't load the payment form.");
    findElement(form, '#notice button').click();
    expect((form.shadowRoot!.activeElement as HTMLInputElement).name).to.equal('payment.provider');
    fillDonor(form);
    await pressSubmit(form);
    await form.updateComplete;
    timers.runTimers(6_000);
    await waitUntilIdle(form);
    expectUsable(form);
    stripe.answer();
    await waitUntil(() => !form.shadowRoot!.querySelector('#notice'));
    await submitForm(form);
    expect(testPage.requests[0]?.payment.token).to.equal('ctoken_1');
  });

  it('loads Stripe.js when the form comes near', async () => {
    // Without an offset, scroll anchoring does not follow the margin.
    scrollTo(0, 0);
    const container = document.createElement('div');
    container.style.marginTop = '5000px';
    document.body.append(container);
    testPage.container = container;
    const form = await testPage.showForm();
    await waitForPaymentField(form);
    await aTimeout(100);
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
