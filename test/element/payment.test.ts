import { expect } from '@open-wc/testing';
import { en } from '../../src/core/i18n/en.ts';
import { fillPlaceholders } from '../../src/core/i18n/index.ts';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { PaymentMethodType } from '../../src/donation-form/payment-fields/index.ts';
import { exampleForm, stubPayment } from './forms.ts';
import {
  createFormWithPayments,
  isHostedHintVisible,
  offlinePayment,
  ownPayment,
  selectProvider,
} from './payment-support.ts';
import { collectConsoleErrors, StubPaymentProvider } from './stub-payment-provider.ts';
import {
  createOutcome,
  createProblem,
  enterText,
  fillDonor,
  findElement,
  getButtonText,
  getCheckedValue,
  getText,
  submitForm,
  testPage,
  waitForPaymentField,
  waitUntil,
} from './support.ts';

describe('payment methods', () => {
  let provider: StubPaymentProvider;
  beforeEach(() => {
    provider = new StubPaymentProvider('own');
  });

  it('mounts a registered provider and passes it the charge, its changes, and the payer', async () => {
    testPage.definition = createFormWithPayments(ownPayment);
    const form = await testPage.showForm();
    await waitForPaymentField(form);
    await waitUntil(() => provider.hosts.length > 0);
    const { options, methods, charge, organization, collectedByForm, label, language } =
      provider.mountOptions[0]!;
    expect({
      options,
      methods,
      charge,
      organization,
      collectedByForm,
      label,
      language,
    }).to.deep.equal({
      options: { key: 'k' },
      methods: [1],
      charge: { total: 5_000, currency: 'USD', decimals: 2, frequency: 'once' },
      organization: 'Lanternwell',
      collectedByForm: ['name', 'email'],
      label: 'Payment',
      language: 'en',
    });
    enterText(form, 'customAmount', '80');
    await waitUntil(() => provider.updates.length > 0);
    findElement(form, '[name=frequency][value=monthly]').click();
    await waitUntil(() => provider.updates.length > 1);
    enterText(form, 'firstName', 'Ana');
    enterText(form, 'customAmount', '');
    await waitUntil(() => provider.updates.length > 2);
    expect(provider.updates.map(({ total, frequency }) => `${total} ${frequency}`)).to.deep.equal([
      '8000 once',
      '8000 monthly',
      '500 monthly',
    ]);
    enterText(form, 'customAmount', '80');
    fillDonor(form);
    await submitForm(form);
    expect(provider.payers).to.deep.equal([
      { name: 'Ana Souza', email: 'ana@example.org', returnUrl: location.href },
    ]);
    expect(testPage.requests[0]?.payment).to.deep.equal({
      provider: 'own',
      token: 'tok_own',
      method: 1,
      returnUrl: location.href,
    });
    expect(provider.destroyCount).to.equal(1);
  });

  it('offers to cover the fee of the selected method only, and asks again if it turns out another', async () => {
    const [usd] = exampleForm.currencies;
    const feeCover = {
      ...usd.feeCover!,
      methods: { 1: { basisPoints: 80, fixed: 0 }, 4: { basisPoints: 0, fixed: 0 } },
    };
    testPage.definition = {
      ...createFormWithPayments({ ...ownPayment, methods: [0, 1, 4] }, offlinePayment),
      currencies: [{ ...usd, feeCover }],
    };
    const form = await testPage.showForm('', { 'cover-costs': '' });
    await waitUntil(() => provider.hosts.length > 0);
    const { selectMethod } = provider.mountOptions[0]!;
    const getAmounts = async (): Promise<(string | undefined)[]> => {
      await form.updateComplete;
      await Promise.resolve();
      return [
        form.shadowRoot!.querySelector('[part=fee-cover] .hint')?.textContent,
        getButtonText(form),
      ];
    };
    const getHint = (fee: string) => `This adds ${fee}, so Lanternwell receives your full $50.`;
    const card = [getHint('$1.81'), 'Give $51.81'];
    const bank = [getHint('$0.41'), 'Give $50.41'];
    expect(await getAmounts()).to.deep.equal(card);
    selectMethod(PaymentMethodType.ACH);
    expect(await getAmounts()).to.deep.equal(bank);
    await waitUntil(() => provider.updates.at(-1)?.total === 5_041);
    selectMethod(PaymentMethodType.Wallet);
    expect((await getAmounts())[0]).to.equal(undefined);
    await selectProvider(form, 'offline');
    expect((await getAmounts())[0]).to.equal(undefined);
    await selectProvider(form, 'own');
    selectMethod(PaymentMethodType.CreditCard);
    expect(await getAmounts()).to.deep.equal(card);
    fillDonor(form);
    await submitForm(form);
    expect([testPage.postedDonations.length, await getAmounts()]).to.deep.equal([0, bank]);
    expect(getText(form, '#notice')).to.contain('check your donation');
    await submitForm(form);
    expect(
      testPage.requests.map(({ gift, payment }) => [gift.coveredFees, gift.total, payment.method]),
    ).to.deep.equal([[41, 5_041, 1]]);
  });

  it('logs an unknown provider, the known ones, and how to register it', async () => {
    testPage.definition = createFormWithPayments({ ...ownPayment, provider: 'nobody' });
    let form: DonationFormElement;
    const errors = await collectConsoleErrors(async () => {
      form = await testPage.showForm();
      await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
    });
    expect(errors)
      .to.contain('"nobody"')
      .and.to.contain('stripe, stub, own')
      .and.to.contain("registerPaymentProvider('nobody'");
    expect(getText(form!, '#notice')).to.contain("We couldn't load the payment form.");
  });

  it('keeps the selected method after a decline and a changed definition, unless it is removed', async () => {
    testPage.definition = createFormWithPayments(stubPayment, ownPayment);
    const form = await testPage.showFilledForm();
    await selectProvider(form, 'own');
    testPage.responses.push(
      (request) => createOutcome(request, 'failed', 'card-declined'),
      createProblem(409, 'form-outdated'),
    );
    await submitForm(form);
    expect(getCheckedValue(form, '"payment.provider"')).to.equal('own');
    testPage.definition = {
      ...testPage.definition,
      payments: [testPage.definition.payments[0], offlinePayment],
    };
    await submitForm(form);
    expect(getCheckedValue(form, '"payment.provider"')).to.equal('stub');
    await submitForm(form);
    expect(testPage.requests.map((request) => request.payment.provider)).to.deep.equal([
      'own',
      'own',
      'stub',
    ]);
  });

  it('shows the instructions without a choice if the form has no other method', async () => {
    testPage.definition = createFormWithPayments(offlinePayment);
    const form = await testPage.showFilledForm();
    expect([
      form.shadowRoot!.querySelector('.providers'),
      getText(form, '.instructions').startsWith('Send it to'),
    ]).to.deep.equal([null, true]);
    await submitForm(form);
    expect(testPage.requests[0]?.payment).to.deep.equal({ provider: 'offline' });
  });

  it('names the provider that the donor continues at if it has no payment field', async () => {
    const label = 'PayPal';
    testPage.definition = createFormWithPayments(ownPayment, {
      ...ownPayment,
      provider: 'paypal',
      label,
      hasField: false,
      hasHostedCheckout: true,
    });
    const form = await testPage.showForm();
    await waitUntil(() => provider.mountOptions.length === 1);
    expect(isHostedHintVisible(form)).to.equal(false);
    await selectProvider(form, 'paypal');
    await waitUntil(() => isHostedHintVisible(form));
    expect(getText(form, '.hosted')).to.equal(
      fillPlaceholders(en.submission.hostedPaymentAt, { method: label }),
    );
    fillDonor(form);
    await submitForm(form);
    expect(testPage.requests[0]?.payment).to.deep.equal({
      provider: 'paypal',
      returnUrl: location.href,
    });
    expect(provider.mountOptions.length).to.equal(1);
  });

  it('offers the hosted page if the payment field is blocked', async () => {
    provider.isBlocked = true;
    testPage.definition = createFormWithPayments({ ...ownPayment, hasHostedCheckout: true });
    let form: DonationFormElement;
    await collectConsoleErrors(async () => {
      form = await testPage.showForm();
      await waitUntil(() => isHostedHintVisible(form));
    });
    expect(form!.shadowRoot!.querySelector('#notice')).to.equal(null);
    fillDonor(form!);
    await submitForm(form!);
    expect(testPage.requests[0]?.payment).to.deep.equal({
      provider: 'own',
      returnUrl: location.href,
    });
  });

  it('does not retry a blocked field on every keystroke', async () => {
    provider.isBlocked = true;
    testPage.definition = createFormWithPayments(ownPayment);
    await collectConsoleErrors(async () => {
      const form = await testPage.showForm();
      await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
      fillDonor(form);
    });
    expect(provider.mountOptions.length).to.equal(1);
  });
});
