import { expect } from '@open-wc/testing';
import { PaymentMethodType } from '../../src/core/donation/payment-method-type.ts';
import { enSubmission } from '../../src/core/i18n/en-submission.ts';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { exampleForm } from './forms.ts';
import {
  createActionRequiredResponse,
  createRedirectAction,
  fieldAction,
  getStepButtons,
  STORAGE_KEY,
  waitForHash,
} from './payment-action-support.ts';
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
  enterText,
  fillDonor,
  findElement,
  getButtonText,
  getCheckedValue,
  getFocusedId,
  getSubmitButton,
  getText,
  getValue,
  pressSubmit,
  submitForm,
  testPage,
  waitUntil,
} from './support.ts';

const { notices, tryOtherPayment } = enSubmission;
const DECLINED = `${notices['card-declined']} ${tryOtherPayment}`;
const NOT_CONFIRMED = `${notices['not-confirmed']} ${tryOtherPayment}`;

const findLink = (form: DonationFormElement): HTMLElement => findElement(form, '#notice button');

describe('a declined payment', () => {
  let provider: StubPaymentProvider;
  beforeEach(() => {
    provider = new StubPaymentProvider('own');
    testPage.definition = createFormWithPayments(ownPayment);
  });

  const queueDecline = (): void => {
    testPage.queueOutcome('failed', 'card-declined');
  };

  it('empties the payment field, keeps everything else, and uses a new key each time', async () => {
    const form = await testPage.showFilledForm('?amt=75');
    enterText(form, 'phone', '555 0100');
    for (const attempt of [1, 2]) {
      queueDecline();
      await submitForm(form);
      await waitUntil(() => provider.hosts.length === attempt + 1);
      expect(getText(form, '#notice')).to.equal(DECLINED);
      expect(getButtonText(form)).to.equal('Try again · $75');
      expect(getFocusedId(form)).to.equal('notice');
      expect(provider.hosts.map((host) => host.isConnected)).to.deep.equal([
        ...Array<boolean>(attempt).fill(false),
        true,
      ]);
      expect(provider.destroyCount).to.equal(attempt);
      expect([
        getCheckedValue(form, 'amount'),
        getValue(form, 'firstName'),
        getValue(form, 'phone'),
      ]).to.deep.equal(['2', 'Ana', '555 0100']);
      findLink(form).click();
      await waitUntil(() => provider.hosts.at(-1)!.contains(document.activeElement));
    }
    await submitForm(form);
    expect(getText(form, 'h2')).to.equal('Thank you, Ana!');
    expect(testPage.keyCount).to.equal(3);
    form.reset();
    await form.updateComplete;
    expect(getButtonText(form)).to.equal('Give $75');
  });

  it('keeps the height of the payment field while it loads again', async () => {
    const form = await testPage.showFilledForm();
    await waitUntil(() => provider.hosts.length === 1);
    const [host] = provider.hosts;
    host!.querySelector('button')!.style.height = '321px';
    const height = host!.offsetHeight;
    expect(height).to.be.greaterThan(320);
    provider.isSlow = true;
    queueDecline();
    await submitForm(form);
    expect(getText(form, '#notice')).to.equal(DECLINED);
    expect(form.querySelector<HTMLElement>('[slot=payment]')!.offsetHeight).to.equal(height);
  });

  it('links to the other providers, which keep their input, and hides the notice after a choice', async () => {
    const other = new StubPaymentProvider('other');
    testPage.definition = createFormWithPayments(
      { ...ownPayment, provider: 'other' },
      ownPayment,
      offlinePayment,
    );
    const form = await testPage.showFilledForm();
    await waitUntil(() => other.hosts.length === 1);
    await selectProvider(form, 'own');
    queueDecline();
    await submitForm(form);
    expect(getText(form, '#notice')).to.equal(DECLINED);
    findLink(form).click();
    const focused = form.shadowRoot!.activeElement as HTMLInputElement;
    expect([focused.name, focused.value]).to.deep.equal(['payment.provider', 'own']);
    expect(getButtonText(form)).to.equal('Try again · $50');
    await selectProvider(form, 'other');
    expect(form.shadowRoot!.querySelector('#notice')).to.equal(null);
    expect(getButtonText(form)).to.equal('Give $50');
    expect([provider.destroyCount, other.destroyCount]).to.deep.equal([1, 0]);
    expect(provider.hosts[0]!.isConnected).to.equal(false);
    expect(other.hosts.map(({ slot }) => slot)).to.deep.equal(['payment']);
    await submitForm(form);
    expect(testPage.requests.map((request) => request.payment.provider)).to.deep.equal([
      'own',
      'other',
    ]);
  });

  it("selects the field's first method again, and offers to cover its fee", async () => {
    const [usd] = exampleForm.currencies;
    const feeCover = {
      ...usd.feeCover!,
      methods: { [PaymentMethodType.ACH]: { basisPoints: 80, fixed: 0 } },
    };
    testPage.definition = {
      ...createFormWithPayments({
        ...ownPayment,
        methods: [PaymentMethodType.CreditCard, PaymentMethodType.ACH],
      }),
      currencies: [{ ...usd, feeCover }],
    };
    const form = await testPage.showFilledForm('', { 'cover-costs': '' });
    await waitUntil(() => provider.mountOptions.length === 1);
    const total = getButtonText(form);
    provider.mountOptions[0]!.selectMethod(PaymentMethodType.ACH);
    await form.updateComplete;
    expect(getButtonText(form)).not.to.equal(total);
    queueDecline();
    await submitForm(form);
    expect(getText(form, '#notice')).to.equal(DECLINED);
    expect(getButtonText(form)).to.equal(total.replace('Give', 'Try again ·'));
  });

  it('shows the notice and the input after a redirect', async () => {
    testPage.definition = createFormWithPayments(offlinePayment, {
      ...ownPayment,
      methods: [PaymentMethodType.CreditCard, PaymentMethodType.ACH],
    });
    const form = await testPage.showFilledForm();
    await selectProvider(form, 'own');
    await waitUntil(() => provider.mountOptions.length === 1);
    provider.mountOptions[0]!.selectMethod(PaymentMethodType.ACH);
    testPage.queueOutcome('requires_action', undefined, { action: createRedirectAction() });
    getSubmitButton(form).click();
    await waitForHash('#bank');
    const savedEdits = sessionStorage.getItem('donation-form-edits https://give.test/main');
    expect(JSON.parse(savedEdits!)).to.have.property('paymentMethods').that.deep.equals({});
    form.remove();
    testPage.createOutcomeResponse = () => createActionRequiredResponse(fieldAction);
    testPage.createActionResponse = () =>
      createOutcome(testPage.requests[0]!, 'failed', 'card-declined');
    const returned = await testPage.showForm();
    await waitUntil(() => returned.shadowRoot!.querySelector('#notice'));
    expect([
      getText(returned, '#notice'),
      getCheckedValue(returned, '"payment.provider"'),
      getValue(returned, 'email'),
      sessionStorage.getItem(STORAGE_KEY),
    ]).to.deep.equal([DECLINED, 'own', 'ana@example.org', null]);
    await waitUntil(() => returned.querySelector('[slot=payment] button'));
  });

  it('leaves the choice to the hosted page if the form has no other provider', async () => {
    provider.isBlocked = true;
    testPage.definition = createFormWithPayments({ ...ownPayment, hasHostedCheckout: true });
    await collectConsoleErrors(async () => {
      const form = await testPage.showForm();
      await waitUntil(() => isHostedHintVisible(form));
      fillDonor(form);
      queueDecline();
      await submitForm(form);
      expect(getText(form, '#notice')).to.equal(DECLINED);
      expect(form.shadowRoot!.querySelector('#notice button')).to.equal(null);
      expect(isHostedHintVisible(form)).to.equal(true);
      await submitForm(form);
      expect(getText(form, 'h2')).to.equal('Thank you, Ana!');
    });
  });

  it('empties the payment field if the bank refuses the 3-D Secure check, and keeps everything else', async () => {
    testPage.definition = createFormWithPayments(ownPayment, offlinePayment);
    const form = await testPage.showFilledForm();
    enterText(form, 'phone', '555 0100');
    testPage.queueOutcome('requires_action', undefined, fieldAction);
    testPage.createActionResponse = () =>
      createOutcome(testPage.requests[0]!, 'failed', 'not-confirmed');
    await submitForm(form);
    await waitUntil(() => provider.hosts.length === 2);
    expect(getText(form, '#notice')).to.equal(NOT_CONFIRMED);
    expect(provider.hosts.map(({ isConnected }) => isConnected)).to.deep.equal([false, true]);
    expect(provider.destroyCount).to.equal(1);
    expect(form.shadowRoot!.querySelectorAll('[name="payment.provider"]').length).to.equal(2);
    expect([getValue(form, 'firstName'), getValue(form, 'phone')]).to.deep.equal([
      'Ana',
      '555 0100',
    ]);
  });

  it('keeps the payment field if the donor cancels the 3-D Secure check', async () => {
    const timers = testPage.holdTimers();
    provider.handleAction = () => new Promise(() => undefined);
    const form = await testPage.showFilledForm();
    testPage.queueOutcome('requires_action', undefined, fieldAction);
    testPage.createActionResponse = () =>
      createOutcome(testPage.requests[0]!, 'failed', 'not-confirmed');
    await pressSubmit(form);
    await waitUntil(() => provider.actionSecrets.length === 1);
    timers.runTimers(6_000);
    await waitUntil(() => getStepButtons(form).length === 2);
    getStepButtons(form)[1]!.click();
    await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
    expect(getText(form, '#notice')).to.equal(NOT_CONFIRMED);
    expect([provider.hosts.length, provider.destroyCount]).to.deep.equal([1, 0]);
    findLink(form).click();
    await waitUntil(() => provider.hosts[0]!.contains(document.activeElement));
  });
});
