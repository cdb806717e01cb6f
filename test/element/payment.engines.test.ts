import { expect } from '@open-wc/testing';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { stubPayment } from './forms.ts';
import {
  createFormWithPayments,
  isHostedHintVisible,
  offlinePayment,
  ownPayment,
  selectProvider,
} from './payment-support.ts';
import { collectConsoleErrors, StubPaymentProvider } from './stub-payment-provider.ts';
import {
  expectAccessible,
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

  it('offers several payment methods by label or default name, and keeps the input of each field', async () => {
    testPage.definition = createFormWithPayments(
      ownPayment,
      { ...stubPayment, label: 'Credit card' },
      { ...offlinePayment, label: undefined! },
    );
    const form = await testPage.showForm();
    await waitForPaymentField(form);
    expect(
      [...form.shadowRoot!.querySelectorAll('.provider label')].map((label) =>
        label.textContent.trim(),
      ),
    ).to.deep.equal(['Bank account', 'Credit card', 'More ways to give']);
    expect(getCheckedValue(form, '"payment.provider"')).to.equal('own');
    await waitUntil(() => provider.hosts.length > 0);
    const [host] = provider.hosts;
    await selectProvider(form, 'stub');
    await waitUntil(() => testPage.paymentProvider.hosts[0]?.slot === 'payment');
    expect([host!.isConnected, host!.getClientRects().length]).to.deep.equal([true, 0]);
    await selectProvider(form, 'own');
    expect([
      provider.mountOptions.length,
      host!.slot,
      host!.getClientRects().length > 0,
    ]).to.deep.equal([1, 'payment', true]);
    fillDonor(form);
    await submitForm(form);
    expect(testPage.requests[0]?.payment.provider).to.equal('own');
  });

  it('supports arrow keys between payment methods', async () => {
    testPage.definition = createFormWithPayments(stubPayment, offlinePayment);
    const form = await testPage.showForm();
    await waitForPaymentField(form);
    const [first, second] = form.shadowRoot!.querySelectorAll<HTMLInputElement>(
      '[name="payment.provider"]',
    );
    expect([
      first!.type,
      first!.name === second!.name,
      first!.closest('fieldset')!.querySelector('legend')!.textContent,
    ]).to.deep.equal(['radio', true, 'Payment method']);
  });

  it('shows the instructions of an offline method before and after submitting it without a token', async () => {
    testPage.definition = createFormWithPayments(stubPayment, offlinePayment);
    const form = await testPage.showForm();
    await waitForPaymentField(form);
    fillDonor(form);
    expect(getText(form, '.disclaimer')).to.contain(
      'Your payment is encrypted, and we never see your card number.',
    );
    await selectProvider(form, 'offline');
    const instructions = findElement(form, '.instructions');
    expect([
      instructions.textContent,
      getComputedStyle(instructions).whiteSpace.startsWith('pre'),
      instructions.querySelector('a, b'),
    ]).to.deep.equal([offlinePayment.options.instructions, true, null]);
    expect([
      getText(form, '.disclaimer'),
      getButtonText(form),
      form.querySelector('[slot=payment]'),
    ]).to.deep.equal([
      "You won't be charged now. Next, we'll show you how to send your donation to Lanternwell.",
      'Get payment instructions',
      null,
    ]);
    testPage.queueOutcome('processing', undefined, {
      instructions: 'Send $50 to:\nDE00 1234 7K4M9-QXD2P',
    });
    await submitForm(form);
    expect(testPage.requests[0]?.payment).to.deep.equal({ provider: 'offline' });
    expect([
      getText(form, '.aside .instructions'),
      getText(form, '.detail .hint'),
      getText(form, '.detail strong'),
    ]).to.deep.equal(['Send $50 to:', 'DE00 1234', '7K4M9-QXD2P']);
    expect(getText(form, '[part=thank-you]').split('7K4M9-QXD2P')).to.have.lengthOf(2);
    expect(getText(form, '[part=thank-you]'))
      .to.contain('One last step: send your donation')
      .and.not.to.contain('Your bank has accepted it');
  });

  it("returns to the page with a parameter for its fragment and without the processor's parameters", async () => {
    const form = await testPage.showFilledForm();
    const originalUrl = location.href;
    history.replaceState(
      null,
      '',
      '?a=1&b=%20x&payment_intent=pi&payment_intent_client_secret=s&redirect_status=succeeded&session_id=cs&c#there',
    );
    await submitForm(form);
    history.replaceState(null, '', originalUrl);
    expect(testPage.requests[0]?.payment.returnUrl).to.equal(
      `${location.origin}${location.pathname}?a=1&b=%20x&c&donation-form-fragment=1`,
    );
  });

  it('uses the hosted page in a shadow root', async () => {
    const host = document.createElement('div');
    document.body.append(host);
    testPage.container = host.attachShadow({ mode: 'open' });
    const form = await testPage.showForm();
    await waitUntil(() => isHostedHintVisible(form));
    expect(getText(form, '.hosted')).to.equal(
      "You'll pay in the next step, on the payment provider's secure page.",
    );
    await expectAccessible(form);
    fillDonor(form);
    await submitForm(form);
    expect([form.querySelector('[slot=payment]'), testPage.requests[0]?.payment]).to.deep.equal([
      null,
      { provider: 'stub', returnUrl: location.href },
    ]);
    host.remove();
  });

  it('accepts no donation in a shadow root without a hosted page, and logs why', async () => {
    const host = document.createElement('div');
    document.body.append(host);
    testPage.container = host.attachShadow({ mode: 'open' });
    testPage.definition = createFormWithPayments(ownPayment);
    let form: DonationFormElement;
    const errors = await collectConsoleErrors(async () => {
      form = await testPage.showForm();
      await waitUntil(() => form.shadowRoot!.querySelector('#notice'));
    });
    expect(errors).to.contain('shadow root').and.to.contain('Move <donation-form> into the page');
    fillDonor(form!);
    await collectConsoleErrors(() => submitForm(form!));
    expect([
      testPage.postedDonations.length,
      getText(form!, '#notice').startsWith("We couldn't load the payment form."),
      provider.mountOptions.length,
    ]).to.deep.equal([0, true, 0]);
    host.remove();
  });
});
