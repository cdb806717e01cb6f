import { expect } from '@open-wc/testing';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import {
  addStubProvider,
  createActionRequiredResponse,
  createFailureResponse,
  createRedirectAction,
  createRedirectResponse,
  createSuccessResponse,
  fieldAction,
  getHeading,
  getStepButtons,
  returnToPage,
  STORAGE_KEY,
  waitForHash,
  waitForHeading,
} from './payment-action-support.ts';
import { collectConsoleErrors, type StubPaymentProvider } from './stub-payment-provider.ts';
import {
  createOutcome,
  createSuccess,
  expectAccessible,
  fillDonor,
  findElement,
  getButtonText,
  getText,
  getValue,
  pressSubmit,
  setPageSettings,
  submitForm,
  testPage,
  waitForPaymentField,
  waitUntil,
  waitUntilIdle,
} from './support.ts';

describe('required payment actions', () => {
  let provider: StubPaymentProvider;
  beforeEach(() => {
    provider = addStubProvider();
  });

  /** Shows a form whose donation redirects to the bank. */
  async function showFormWithRedirect(): Promise<DonationFormElement> {
    const form = await testPage.showFilledForm();
    testPage.queueOutcome('requires_action', undefined, { action: createRedirectAction()! });
    await pressSubmit(form);
    await waitForHash('#bank');
    return form;
  }

  it('confirms in the payment field and then asks the endpoint for the outcome', async () => {
    const form = await testPage.showForm();
    await waitForPaymentField(form);
    fillDonor(form);
    let finishConfirmation = (): void => undefined;
    provider.handleAction = () =>
      new Promise((resolve) => {
        finishConfirmation = resolve;
      });
    testPage.queueOutcome('requires_action', undefined, fieldAction);
    testPage.createActionResponse = createSuccessResponse;
    await pressSubmit(form);
    await waitUntil(() => provider.actionSecrets.length > 0);
    await form.updateComplete;
    expect([
      getText(form, '[role=status]'),
      getButtonText(form),
      testPage.actionRequests.length,
      provider.actionSecrets,
    ]).to.deep.equal([
      'Confirm this payment with your bank',
      'Confirm this payment with your bank',
      0,
      ['pi_secret'],
    ]);
    expect(findElement(form, '.sections').hasAttribute('inert')).to.equal(true);
    await expectAccessible(form);
    finishConfirmation();
    await waitForHeading(form, 'Thank you, Ana!');
    expect(testPage.actionRequests).to.deep.equal([
      {
        step: 'confirm',
        key: testPage.postedDonations[0]!.key,
        body: '{}',
        contentType: 'application/json',
      },
    ]);
    expect([
      form.shadowRoot!.activeElement?.localName,
      sessionStorage.getItem(STORAGE_KEY),
    ]).to.deep.equal(['h2', null]);
  });

  it("redirects to the processor's page and keeps the key", async () => {
    const form = await showFormWithRedirect();
    expect([
      sessionStorage.getItem(STORAGE_KEY),
      findElement(form, 'button[type=submit]').getAttribute('aria-disabled'),
    ]).to.deep.equal([testPage.postedDonations[0]!.key, 'true']);
  });

  it('does not redirect to non-web URLs', async () => {
    const form = await testPage.showFilledForm();
    testPage.queueOutcome('requires_action', undefined, {
      action: { kind: 'redirect', url: 'javascript:document.title=1' },
    });
    const errors = await collectConsoleErrors(async () => {
      await submitForm(form);
      await waitForHeading(form, 'One more step');
    });
    expect(errors).to.contain('javascript:').and.to.contain('not an HTTP or HTTPS URL');
  });

  it('fetches the outcome when the donor returns and dispatches success once', async () => {
    let calls = 0;
    setPageSettings({
      onSuccess: () => {
        calls += 1;
      },
    });
    const events = testPage.recordEvents('donation-form-success');
    testPage.createActionResponse = createSuccessResponse;
    const form = await returnToPage();
    await waitForHeading(form, 'Thank you!');
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await waitUntil(() => calls > 0);
    await waitUntilIdle(form);
    expect(testPage.actionRequests).to.deep.equal([
      {
        step: 'confirm',
        key: 'a-key-of-an-earlier-page',
        body: '{}',
        contentType: 'application/json',
      },
    ]);
    expect([calls, events.length, testPage.postedDonations.length]).to.deep.equal([1, 1, 0]);
  });

  it('shows that an action is required and continues it', async () => {
    testPage.createActionResponse = createRedirectResponse;
    const form = await returnToPage();
    expect([
      getHeading(form),
      getText(form, '.total'),
      form.shadowRoot!.activeElement?.localName,
    ]).to.deep.equal(['One more step', '$50 a month', 'h2']);
    expect(getText(form, '[part=requires-action]'))
      .to.contain("You haven't been charged yet")
      .and.to.contain('7K4M9-QXD2P');
    expect(getStepButtons(form).map((step) => step.textContent.trim())).to.deep.equal([
      'Continue',
      'Cancel',
    ]);
    getStepButtons(form)[0]!.click();
    getStepButtons(form)[0]!.click();
    await waitForHash('#bank');
    expect(testPage.actionRequests.map(({ step }) => step)).to.deep.equal(['confirm', 'confirm']);
  });

  it('fetches the outcome when the page is restored from the back/forward cache', async () => {
    const form = await showFormWithRedirect();
    testPage.createOutcomeResponse = () => createActionRequiredResponse();
    testPage.createActionResponse = createRedirectResponse;
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await waitForHeading(form, 'One more step');
    testPage.createActionResponse = createSuccessResponse;
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await waitForHeading(form, 'Thank you, Ana!');
  });

  it('fetches the outcome when the page is restored after the payment field has left it', async () => {
    const form = await testPage.showForm();
    await waitForPaymentField(form);
    fillDonor(form);
    provider.handleAction = () => new Promise(() => undefined);
    testPage.queueOutcome('requires_action', undefined, fieldAction);
    // Polling never finds another status.
    testPage.createOutcomeResponse = () => createActionRequiredResponse(fieldAction);
    testPage.createActionResponse = createFailureResponse;
    await pressSubmit(form);
    await waitUntil(() => provider.actionSecrets.length > 0);
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await waitUntil(() => form.shadowRoot!.querySelector('#notice') !== null);
    expect(getText(form, '#notice')).to.contain("wasn't confirmed");
    expect([
      getValue(form, 'email'),
      findElement(form, '.sections').hasAttribute('inert'),
      testPage.actionRequests.map(({ step }) => step),
    ]).to.deep.equal(['ana@example.org', false, ['confirm']]);
  });

  it('shows the form again if no donation is found after a restore, and charges at most once', async () => {
    const form = await testPage.showFilledForm();
    testPage.responses.push(
      (request) =>
        createOutcome(request, 'requires_action', undefined, { action: createRedirectAction()! }),
      createSuccess,
    );
    await pressSubmit(form);
    await waitForHash('#bank');
    testPage.createOutcomeResponse = () => 'network error';
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
    await waitUntilIdle(form);
    expect(getValue(form, 'email')).to.equal('ana@example.org');
    await submitForm(form);
    expect([getHeading(form), testPage.keyCount]).to.deep.equal(['Thank you, Ana!', 1]);
  });

  it("removes the processor's parameters from the URL on return and does not read them as settings", async () => {
    testPage.createActionResponse = createSuccessResponse;
    const returned =
      '?src=MAIL26&x=%20a&payment_intent=pi&payment_intent_client_secret=s&redirect_status=succeeded&session_id=cs';
    const form = await returnToPage(returned);
    await waitForHeading(form, 'Thank you!');
    expect(new URL(testPage.urlAfterLoad).search).to.equal('?src=MAIL26&x=%20a');
    expect((await form.explain())!.unrecognized.map(({ name }) => name)).to.deep.equal(['x']);
  });

  it('removes only unambiguous processor parameters from the URL of other visits', async () => {
    const form = await testPage.showForm(
      '?session_id=mine&payment_intent=pi&redirect_status=failed',
      {},
      false,
    );
    await waitForPaymentField(form);
    expect(location.search).to.equal('?session_id=mine');
  });
});
