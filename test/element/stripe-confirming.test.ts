import { aTimeout, expect } from '@open-wc/testing';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { isHostedHintVisible, offlinePayment, selectProvider } from './payment-support.ts';
import {
  createStripeForm,
  expectUsable,
  installStubStripe,
  showFilledStripeForm,
  showStripeForm,
  StubStripe,
} from './stripe-support.ts';
import { collectConsoleErrors } from './stub-payment-provider.ts';
import {
  clickControls,
  createOutcome,
  enterText,
  fillDonor,
  findElement,
  getSubmitButton,
  getText,
  pressSubmit,
  submitForm,
  testPage,
  waitUntil,
  waitUntilIdle,
} from './support.ts';

describe("confirming in Stripe's field", () => {
  let stripe: StubStripe;
  beforeEach(() => {
    stripe = installStubStripe();
    testPage.definition = createStripeForm();
  });

  /** Submits a form while Stripe does not respond, and waits until it offers another way to pay. */
  const showStalledForm = async (): Promise<DonationFormElement> => {
    const timers = testPage.holdTimers();
    stripe.faults.createConfirmationToken = 'silent';
    const form = await showFilledStripeForm();
    await pressSubmit(form);
    await waitUntil(() => stripe.of('createConfirmationToken').length > 0);
    timers.runTimers(6_000);
    await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
    return form;
  };

  /** Submits a form, and waits 6 seconds for an authentication that does not respond. */
  const showStalledAuthentication = async (): Promise<DonationFormElement> => {
    const timers = testPage.holdTimers();
    stripe.faults.handleNextAction = 'silent';
    const form = await showFilledStripeForm();
    testPage.queueOutcome('requires_action', undefined, {
      action: { kind: 'field', secret: 'pi_1_secret' },
    });
    await pressSubmit(form);
    await waitUntil(() => stripe.of('handleNextAction').length > 0);
    timers.runTimers(6_000);
    await waitUntil(() => form.shadowRoot!.querySelector('[part=requires-action]'));
    return form;
  };

  it('updates amount and mode before it creates a token', async () => {
    const form = await showStripeForm();
    enterText(form, 'currency', 'JPY');
    await form.updateComplete;
    await clickControls(form, '[name=amount][value="0"]');
    findElement(form, '[name=frequency][value=monthly]').click();
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
    const lastNames = names.slice(names.lastIndexOf('update')).filter((name) => name !== 'dress');
    expect([...new Set(lastNames)]).to.deep.equal([
      'update',
      'updated',
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
      [{ type: 'cashapp' }, 4],
      [{ type: 'bancontact' }, 4],
    ] as const;
    for (const [preview, method] of cases) {
      stripe.calls.length = 0;
      stripe.token = { confirmationToken: { id: 'ctoken_1', payment_method_preview: preview } };
      testPage.definition = createStripeForm({ methods: preview.type });
      const form = await showFilledStripeForm();
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
      expect(testPage.requests.at(-1)?.payment).to.deep.equal({
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
    const form = await showFilledStripeForm();
    await submitForm(form);
    expect(testPage.requests[0]?.payment.method).to.equal(0);
  });

  it('focuses an incomplete field and reports a failure of Stripe', async () => {
    const form = await showFilledStripeForm();
    stripe.submitted = {
      error: { type: 'validation_error', message: 'Your card number is incomplete.' },
    };
    await submitForm(form);
    expect([
      getText(form, '#notice').startsWith('Check your payment details.'),
      stripe.of('focus').length,
      stripe.of('createConfirmationToken').length,
    ]).to.deep.equal([true, 1, 0]);
    stripe.submitted = {};
    stripe.token = { error: { type: 'api_connection_error', message: 'gone' } };
    const errors = await collectConsoleErrors(() => submitForm(form));
    expect(getText(form, '#notice')).to.contain(
      "You haven't been charged. We couldn't reach the payment provider. Please try again.",
    );
    expect(errors).to.contain('api_connection_error').and.to.contain('gone');
    expect(testPage.postedDonations.length).to.equal(0);
  });

  it('reports that the donor is offline if Stripe cannot be reached for that reason', async () => {
    const form = await showFilledStripeForm();
    stripe.token = { error: { type: 'api_connection_error', message: 'gone' } };
    stripe.faults.createConfirmationToken = 'silent';
    await pressSubmit(form);
    await waitUntil(() => stripe.of('createConfirmationToken').length > 0);
    testPage.setOffline(true);
    await collectConsoleErrors(async () => {
      stripe.answer();
      await waitUntilIdle(form);
    });
    expect(getText(form, '#notice')).to.contain("You're offline");
    expect(testPage.postedDonations.length).to.equal(0);
  });

  it('shows at once that the donor is offline, and continues when the donor is back online', async () => {
    testPage.definition = createStripeForm({}, {}, true);
    const form = await showFilledStripeForm();
    stripe.faults.submit = 'silent';
    testPage.setOffline(true);
    await submitForm(form);
    expect(getText(form, '#notice')).to.contain("You're offline");
    expect(form.shadowRoot!.activeElement?.id).to.equal('notice');
    expect(stripe.of('submit').length).to.equal(0);
    expect(findElement(form, '[name=email]').value).to.equal('ana@example.org');
    stripe.faults.submit = undefined;
    testPage.setOffline(false);
    await submitForm(form);
    expect(testPage.requests.map((request) => request.payment.token)).to.deep.equal(['ctoken_1']);
  });

  it('waits for Stripe, and shows that the donor is offline, if the connection breaks while Stripe confirms', async () => {
    testPage.definition = createStripeForm({}, {}, true);
    const timers = testPage.holdTimers();
    const form = await showFilledStripeForm();
    stripe.faults.submit = 'silent';
    await pressSubmit(form);
    await waitUntil(() => stripe.of('submit').length > 0);
    testPage.setOffline(true);
    timers.runTimers(6_000);
    await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
    expect(getText(form, '#notice')).to.contain("You're offline").and.to.contain('Try again');
    expect(getSubmitButton(form).ariaDisabled).to.equal('true');
    testPage.setOffline(false);
    stripe.answer();
    await waitUntilIdle(form);
    expect(testPage.requests.map((request) => request.payment.token)).to.deep.equal(['ctoken_1']);
  });

  it('shows an email that Stripe rejects at its field', async () => {
    const form = await showFilledStripeForm();
    stripe.token = { error: { type: 'invalid_request_error', code: 'email_invalid' } };
    await submitForm(form);
    expect([
      findElement(form, '[name=email]').getAttribute('aria-invalid'),
      getText(form, '#notice').includes('Enter a valid email, such as'),
      getSubmitButton(form).ariaDisabled,
      testPage.postedDonations.length,
    ]).to.deep.equal(['true', true, null, 0]);
    stripe.token = new StubStripe().token;
    await submitForm(form);
    expect(testPage.postedDonations.length).to.equal(1);
  });

  it('starts the authentication and asks the endpoint for any outcome', async () => {
    const form = await showFilledStripeForm();
    testPage.queueOutcome('requires_action', undefined, {
      action: { kind: 'field', secret: 'pi_1_secret' },
    });
    testPage.createActionResponse = () =>
      createOutcome(testPage.requests[0]!, 'failed', 'not-confirmed');
    await submitForm(form);
    await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
    expect(stripe.of('handleNextAction')).to.deep.equal([[{ clientSecret: 'pi_1_secret' }]]);
    expect(getText(form, '#notice')).to.contain("wasn't confirmed");
  });

  for (const call of ['update', 'submit', 'createConfirmationToken'] as const) {
    it(`can be submitted again after ${call} rejects`, async () => {
      stripe.faults[call] = 'reject';
      const form = await showStripeForm();
      findElement(form, '[name=frequency][value=monthly]').click();
      fillDonor(form);
      const errors = await collectConsoleErrors(() => submitForm(form));
      expect(errors).to.contain(`${call} failed`);
      expectUsable(form);
      stripe.faults[call] = undefined;
      await submitForm(form);
      expect(testPage.requests.map((request) => request.payment.token)).to.deep.equal(['ctoken_1']);
      expect(stripe.of('update').at(-1)).to.deep.equal([
        {
          mode: 'subscription',
          amount: 5_000,
          currency: 'usd',
          allowedPaymentMethodTypes: ['card'],
        },
      ]);
    });

    it(`offers the hosted page after ${call} rejects`, async () => {
      testPage.definition = createStripeForm({}, {}, true);
      stripe.faults[call] = 'reject';
      const form = await showStripeForm();
      findElement(form, '[name=frequency][value=monthly]').click();
      fillDonor(form);
      await collectConsoleErrors(() => submitForm(form));
      expectUsable(form);
      expect(isHostedHintVisible(form)).to.equal(true);
      await submitForm(form);
      expect(testPage.requests.map((request) => request.payment)).to.deep.equal([
        { provider: 'stripe', returnUrl: location.href },
      ]);
    });

    it(`offers the hosted page if ${call} does not respond, and ignores a late response`, async () => {
      testPage.definition = createStripeForm({}, {}, true);
      const timers = testPage.holdTimers();
      stripe.faults[call] = 'silent';
      const form = await showStripeForm();
      findElement(form, '[name=frequency][value=monthly]').click();
      fillDonor(form);
      await pressSubmit(form);
      await waitUntil(() => stripe.of(call).length > 0);
      await aTimeout(30);
      timers.runTimers(6_000);
      await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
      expect(getText(form, '#notice')).to.contain("You haven't been charged.");
      expect(getSubmitButton(form).ariaDisabled).to.equal('true');
      findElement(form, '#notice button').click();
      await waitUntil(() => testPage.postedDonations.length > 0);
      stripe.answer();
      await waitUntilIdle(form);
      expect(testPage.requests.map((request) => request.payment)).to.deep.equal([
        { provider: 'stripe', returnUrl: location.href },
      ]);
    });
  }

  it('completes the donation if a wallet is confirmed after the hosted page was offered', async () => {
    testPage.definition = createStripeForm({}, {}, true);
    const timers = testPage.holdTimers();
    stripe.faults.submit = 'silent';
    const form = await showFilledStripeForm();
    await form.updateComplete;
    getSubmitButton(form).focus();
    getSubmitButton(form).click();
    await waitUntil(() => stripe.of('submit').length > 0);
    timers.runTimers(6_000);
    await form.updateComplete;
    expect(form.shadowRoot!.activeElement).to.equal(getSubmitButton(form));
    expect(() => timers.runTimers(20_000)).to.throw();
    stripe.answer();
    await waitUntilIdle(form);
    expect(testPage.requests.map((request) => request.payment.token)).to.deep.equal(['ctoken_1']);
    expect(form.shadowRoot!.querySelector('#notice')).to.equal(null);
  });

  it('can be submitted again if Stripe does not respond to a card within 20 seconds', async () => {
    const timers = testPage.holdTimers();
    const form = await showStripeForm();
    stripe.select('card');
    fillDonor(form);
    stripe.faults.createConfirmationToken = 'silent';
    await pressSubmit(form);
    await waitUntil(() => stripe.of('createConfirmationToken').length > 0);
    const errors = await collectConsoleErrors(async () => {
      timers.runTimers(20_000);
      await waitUntilIdle(form);
    });
    expect(errors).to.contain('Stripe did not create a token in 20 seconds.');
    expectUsable(form);
  });

  it('lets the donor choose another payment method while it does not respond', async () => {
    testPage.definition = {
      ...createStripeForm(),
      payments: [createStripeForm().payments[0], offlinePayment],
    };
    const form = await showStalledForm();
    expect(getText(form, '#notice button')).to.equal('Choose another payment method');
    findElement(form, '#notice button').click();
    await waitUntilIdle(form);
    expectUsable(form);
    expect((form.shadowRoot!.activeElement as HTMLInputElement).name).to.equal('payment.provider');
    await selectProvider(form, 'offline');
    await submitForm(form);
    expect(testPage.requests[0]?.payment).to.deep.equal({ provider: 'offline' });
  });

  it('lets the donor try again if there is no other way to pay', async () => {
    const form = await showStalledForm();
    findElement(form, '#notice button').click();
    await waitUntilIdle(form);
    expectUsable(form);
    stripe.faults.createConfirmationToken = undefined;
    await submitForm(form);
    expect(testPage.postedDonations.length).to.equal(1);
  });

  it('shows how to continue if the authentication does not respond, without moving the focus', async () => {
    const timers = testPage.holdTimers();
    stripe.faults.handleNextAction = 'silent';
    const form = await showFilledStripeForm();
    testPage.queueOutcome('requires_action', undefined, {
      action: { kind: 'field', secret: 'pi_1_secret' },
    });
    testPage.createActionResponse = () =>
      createOutcome(testPage.requests[0]!, 'failed', 'not-confirmed');
    await pressSubmit(form);
    await waitUntil(() => stripe.of('handleNextAction').length > 0);
    const bankFrame = document.createElement('input');
    document.body.append(bankFrame);
    bankFrame.focus();
    timers.runTimers(6_000);
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
    testPage.createActionResponse = () => createOutcome(testPage.requests[0]!, 'succeeded');
    const form = await showStalledAuthentication();
    stripe.answer();
    await waitUntil(() => form.shadowRoot!.querySelector('[part=thank-you]'));
    expect(testPage.actionRequests.map(({ step }) => step)).to.deep.equal(['confirm']);
  });
});
