import { expect } from '@open-wc/testing';
import type { PaymentOffer } from '../../src/core/schemas/form-definition.ts';
import { exampleForm } from './forms.ts';
import {
  addStubProvider,
  createActionRequiredResponse,
  createFailureResponse,
  createRedirectResponse,
  createSuccessResponse,
  fieldAction,
  getHeading,
  getStepButtons,
  returnToPage,
  STORAGE_KEY,
  waitForHeading,
} from './payment-action-support.ts';
import { collectConsoleErrors, type StubPaymentProvider } from './stub-payment-provider.ts';
import {
  createProblem,
  getButtonText,
  getText,
  getValue,
  submitForm,
  testPage,
  waitUntil,
} from './support.ts';

/** Milliseconds until the next poll. */
const FIRST_POLL = 2_000;
const EDITS_STORAGE_KEY = 'donation-form-edits https://give.test/main';

describe('required payment actions', () => {
  let provider: StubPaymentProvider;
  beforeEach(() => {
    provider = addStubProvider();
  });

  it('shows the form with its input again if the donor did not confirm', async () => {
    const form = await testPage.showFilledForm('?frequency=monthly&amt=75');
    testPage.queueOutcome('requires_action', undefined, fieldAction);
    testPage.createActionResponse = createFailureResponse;
    await submitForm(form);
    await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
    expect(getText(form, '#notice')).to.contain(
      "You haven't been charged. The payment wasn't confirmed.",
    );
    expect([getValue(form, 'email'), getButtonText(form)]).to.deep.equal([
      'ana@example.org',
      'Try again · $75 a month',
    ]);
    await submitForm(form);
    expect(testPage.keyCount).to.equal(2);
  });

  it('continues if the payment field cannot start the authentication', async () => {
    const form = await testPage.showFilledForm();
    provider.handleAction = () => Promise.reject(new Error('no frame'));
    testPage.queueOutcome('requires_action', undefined, fieldAction);
    testPage.createActionResponse = () => createActionRequiredResponse(fieldAction);
    const errors = await collectConsoleErrors(async () => {
      await submitForm(form);
      await waitForHeading(form, 'One more step');
    });
    expect(errors).to.contain('no frame');
  });

  it("continues in the field of the donation's payment method with its total", async () => {
    testPage.createActionResponse = () => createActionRequiredResponse(fieldAction);
    const form = await returnToPage('', {
      ...testPage.definition,
      payments: [exampleForm.payments[0], ...testPage.definition.payments],
    });
    provider.handleAction = () => {
      testPage.createActionResponse = createSuccessResponse;
      return Promise.resolve();
    };
    getStepButtons(form)[0]!.click();
    await waitForHeading(form, 'Thank you!');
    expect([provider.actionSecrets, provider.mountOptions[0]!.charge]).to.deep.equal([
      ['pi_secret'],
      { total: 5_000, currency: 'USD', decimals: 2, frequency: 'monthly' },
    ]);
  });

  it('cancels the donation and shows the form again', async () => {
    testPage.createActionResponse = (step) =>
      step === 'cancel' ? createFailureResponse() : createRedirectResponse();
    const form = await returnToPage();
    getStepButtons(form)[1]!.click();
    await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
    expect(getText(form, '#notice')).to.contain("The payment wasn't confirmed");
    expect([
      testPage.actionRequests.map(({ step }) => step),
      sessionStorage.getItem(STORAGE_KEY),
    ]).to.deep.equal([['confirm', 'cancel'], null]);
  });

  it("cancels the donation if the donor canceled on the provider's page", async () => {
    const originalUrl = location.href;
    testPage.createActionResponse = createFailureResponse;
    const form = await returnToPage('?donation-form-canceled=1&token=5O190127TN364715T');
    await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
    expect(getText(form, '#notice')).to.contain("You haven't been charged.");
    expect([testPage.actionRequests.map(({ step }) => step), location.href]).to.deep.equal([
      ['cancel'],
      originalUrl,
    ]);
  });

  it('says that the donor canceled at a method without a field, such as PayPal', async () => {
    const [own] = testPage.definition.payments;
    const paypal = { ...own, label: 'PayPal', hasField: false };
    for (const [payments, expected] of [
      [[paypal], 'You canceled the payment with PayPal. Please try again.'],
      [
        [paypal, exampleForm.payments[0]],
        'You canceled the payment with PayPal. Please try again. Try a different card or payment method',
      ],
    ] as const) {
      testPage.createActionResponse = createFailureResponse;
      const form = await returnToPage('?donation-form-canceled=1&token=5O190127TN36', {
        ...testPage.definition,
        payments: [...payments] as [PaymentOffer, ...PaymentOffer[]],
      });
      await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
      expect(getText(form, '#notice')).to.equal(`You haven't been charged. ${expected}`);
      form.remove();
    }
  });

  it('shows the thank-you screen if the donation succeeded before it was canceled', async () => {
    testPage.createActionResponse = (step) =>
      step === 'cancel' ? createSuccessResponse() : createRedirectResponse();
    const form = await returnToPage();
    getStepButtons(form)[1]!.click();
    await waitForHeading(form, 'Thank you!');
  });

  for (const step of [0, 1])
    it(`reports a network error after ${['confirming', 'canceling'][step]!} and can retry`, async () => {
      testPage.createActionResponse = createRedirectResponse;
      const form = await returnToPage();
      testPage.createActionResponse = () => 'network error';
      getStepButtons(form)[step]!.click();
      await form.updateComplete;
      expect([
        getStepButtons(form).every((button) => button.getAttribute('aria-disabled') === 'true'),
        getText(form, '[part=requires-action] [role=status]'),
      ]).to.deep.equal([true, 'Sending your donation…']);
      await waitUntil(() => getText(form, '[role=alert]') !== '');
      expect(getText(form, '[role=alert]')).to.equal(
        "We don't know yet whether you've been charged, because we couldn't reach Lanternwell. Please try again in a moment.",
      );
      expect(getText(form, '[part=requires-action]')).not.to.contain(
        "You haven't been charged yet",
      );
      expect(getStepButtons(form).some((button) => button.hasAttribute('aria-disabled'))).to.equal(
        false,
      );
      testPage.createActionResponse = createSuccessResponse;
      getStepButtons(form)[step]!.click();
      await waitForHeading(form, 'Thank you!');
    });

  it('shows the ID of the failed request', async () => {
    testPage.createActionResponse = createRedirectResponse;
    const form = await returnToPage();
    testPage.createActionResponse = () =>
      createProblem(500, 'internal-error', { 'X-Request-Id': '5f0c2a4e' });
    getStepButtons(form)[0]!.click();
    await waitUntil(() => getText(form, '[role=alert]') !== '');
    expect(getText(form, '[role=alert]'))
      .to.contain("We don't know yet whether you've been charged")
      .and.to.match(/mention 5f0c2a4e\.$/);
  });

  it('reports a network error when the donor returns', async () => {
    testPage.createActionResponse = () => 'network error';
    const form = await returnToPage();
    expect([
      getHeading(form),
      getText(form, '[role=alert]').includes("couldn't reach Lanternwell"),
    ]).to.deep.equal(['One more step', true]);
  });

  it('shows the form again if the donation is not found', async () => {
    testPage.createActionResponse = createRedirectResponse;
    const form = await returnToPage();
    testPage.createActionResponse = () => createProblem(404, 'donation-not-found');
    getStepButtons(form)[0]!.click();
    await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
    expect(getText(form, '#notice')).to.equal(
      "You haven't been charged. We couldn't process the payment. Please try again.",
    );
  });

  it('erases the saved input on reset() after the donation is not found', async () => {
    const form = await testPage.showFilledForm();
    testPage.queueOutcome('requires_action', undefined, fieldAction);
    await submitForm(form);
    await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
    expect(sessionStorage.getItem(EDITS_STORAGE_KEY)).to.contain('ana@example.org');
    form.reset();
    expect(sessionStorage.getItem(EDITS_STORAGE_KEY)).to.equal(null);
  });

  it('ignores saved input that is not valid JSON', async () => {
    sessionStorage.setItem(EDITS_STORAGE_KEY, '{"donor":');
    testPage.createActionResponse = createRedirectResponse;
    const form = await returnToPage();
    expect(getHeading(form)).to.equal('One more step');
  });

  it('shows an outcome from another tab', async () => {
    const timers = testPage.holdTimers();
    testPage.createActionResponse = createRedirectResponse;
    const form = await returnToPage();
    testPage.createOutcomeResponse = createSuccessResponse;
    timers.runTimers(FIRST_POLL);
    await waitForHeading(form, 'Thank you!');
  });

  it('ignores reset() while an action is required', async () => {
    testPage.createActionResponse = createRedirectResponse;
    const form = await returnToPage();
    form.reset();
    await form.updateComplete;
    expect(getHeading(form)).to.equal('One more step');
  });
});
