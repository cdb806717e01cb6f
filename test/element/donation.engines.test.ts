import { expect } from '@open-wc/testing';
import {
  enterText,
  findElement,
  getCheckedValue,
  getFocusedId,
  getText,
  getValue,
  submitForm,
  testPage,
  waitForPaymentField,
  waitUntil,
} from './support.ts';

describe('making a donation', () => {
  it('posts the displayed donation with an idempotency key and shows the thank-you screen', async () => {
    const form = await testPage.showFilledForm('?segmentcode=MAIL26');
    await waitForPaymentField(form);
    findElement(form, '[name=coverCosts]').click();
    await submitForm(form);
    const [{ key, request } = { key: '', request: undefined }] = testPage.postedDonations;
    expect(key).to.match(/^[\w-]{24}$/);
    expect(request?.gift).to.deep.equal({
      amount: 5_000,
      coveredFees: 181,
      total: 5_181,
      currency: 'USD',
      frequency: 'once',
      coverCosts: true,
      segment: 'MAIL26',
      projects: [{ id: '1', amount: 5_000 }],
    });
    expect(request?.donor).to.deep.equal({
      firstName: 'Ana',
      lastName: 'Souza',
      email: 'ana@example.org',
    });
    expect(request?.payment.token).to.equal('tok_1');
    expect(request?.definition).to.equal('"1"');
    expect(request?.form.page).to.equal(location.origin + location.pathname);
    expect(getText(form, '.total')).to.equal('$50');
    expect(getText(form, '.reference')).to.contain('7K4M9-QXD2P');
    expect(form.shadowRoot!.activeElement?.localName).to.equal('h2');
    expect(form.querySelector('[slot=payment]')).to.equal(null);
  });

  it('shows each missing field at its control, keeps the input, and sends nothing', async () => {
    const form = await testPage.showForm();
    enterText(form, 'firstName', 'Ana');
    enterText(form, 'email', 'ana@');
    enterText(form, 'customAmount', '1');
    await submitForm(form);
    expect(getText(form, '#amount-error')).to.equal('The minimum donation is $5.');
    expect(getText(form, '#lastName-error')).to.equal('Enter your last name.');
    expect(getText(form, '#email-error')).to.contain('name@example.org');
    expect(findElement(form, '#email-control').getAttribute('aria-describedby')).to.equal(
      'email-error',
    );
    expect(findElement(form, '#email-control').getAttribute('aria-invalid')).to.equal('true');
    expect(getText(form, '[role=alert]')).to.contain('Please check 3 fields.');
    expect(getFocusedId(form)).to.equal('notice');
    const links = [...form.shadowRoot!.querySelectorAll('#notice li button')];
    const tops = links.map((link) => link.getBoundingClientRect().top);
    expect(tops.map((top) => top - tops[0]!)).to.deep.equal([0, 44, 88]);
    findElement(form, '#notice li:nth-child(2) button').click();
    expect(getFocusedId(form)).to.equal('lastName-control');
    expect([
      getValue(form, 'firstName'),
      getValue(form, 'email'),
      testPage.postedDonations.length,
    ]).to.deep.equal(['Ana', 'ana@', 0]);
    enterText(form, 'email', 'ana@example.org');
    await form.updateComplete;
    expect(form.shadowRoot!.querySelector('#email-error')).to.equal(null);
  });

  it('focuses the custom amount after a click anywhere on its tile', async () => {
    const form = await testPage.showForm();
    await waitForPaymentField(form);
    // A click of a script has detail 0, like one of an arrow key.
    const click = new MouseEvent('click', { bubbles: true, composed: true, detail: 1 });
    findElement(form, '.custom-amount .face').dispatchEvent(click);
    await waitUntil(() => getFocusedId(form) === 'amount-control');
  });

  it('keeps the input after a declined card and uses a new key for the next attempt', async () => {
    const form = await testPage.showFilledForm('?amt=75');
    enterText(form, 'phone', '555 0100');
    testPage.queueOutcome('failed', 'card-declined');
    await submitForm(form);
    expect(getText(form, '#notice')).to.contain(
      "You haven't been charged. The payment was declined.",
    );
    expect(getFocusedId(form)).to.equal('notice');
    expect([
      getCheckedValue(form, 'amount'),
      getValue(form, 'firstName'),
      getValue(form, 'phone'),
    ]).to.deep.equal(['2', 'Ana', '555 0100']);
    await submitForm(form);
    expect(testPage.keyCount).to.equal(2);
    expect(getText(form, 'h2')).to.equal('Thank you, Ana!');
  });

  it('shows at the field what the payment provider rejected', async () => {
    for (const [reason, control] of [
      ['email-invalid', 'email'],
      ['amount-too-small', 'amount'],
      ['amount-too-large', 'amount'],
    ] as const) {
      const form = await testPage.showFilledForm('?amt=75');
      testPage.queueOutcome('failed', reason);
      await submitForm(form);
      expect(getText(form, `#${control}-error`)).to.match(/^Enter a/);
      expect(getFocusedId(form)).to.equal('notice');
      expect(getValue(form, 'firstName')).to.equal('Ana');
      await submitForm(form);
      expect(getText(form, 'h2')).to.equal('Thank you, Ana!');
    }
  });

  it('focuses the payment field if the card details are incomplete', async () => {
    const form = await testPage.showFilledForm();
    const { paymentProvider } = testPage;
    const { confirmation } = paymentProvider;
    paymentProvider.confirmation = { problem: 'incomplete' };
    await submitForm(form);
    expect(paymentProvider.hosts[0]!.contains(document.activeElement)).to.equal(true);
    expect(getText(form, '#notice')).to.contain('Check your payment details.');
    expect(testPage.postedDonations.length).to.equal(0);
    paymentProvider.confirmation = confirmation;
    await submitForm(form);
    expect(testPage.postedDonations.length).to.equal(1);
  });

  it('validates the email on blur and updates the message', async () => {
    const form = await testPage.showForm();
    await submitForm(form);
    expect(getText(form, '#email-error')).to.equal('Enter your email.');
    enterText(form, 'email', 'ana');
    await form.updateComplete;
    expect(getText(form, '#email-error')).to.contain('name@example.org');
    const other = await testPage.showForm();
    await waitForPaymentField(other);
    enterText(other, 'email', 'ana');
    findElement(other, '[name=email]').dispatchEvent(
      new FocusEvent('focusout', { bubbles: true, composed: true }),
    );
    await other.updateComplete;
    expect(getText(other, '#email-error')).to.contain('name@example.org');
  });

  it('validates only the field that the donor leaves, and keeps the errors that it shows', async () => {
    const form = await testPage.showForm();
    await waitForPaymentField(form);
    const leave = async (name: string, text: string): Promise<void> => {
      enterText(form, name, text);
      findElement(form, `[name=${name}]`).dispatchEvent(
        new FocusEvent('focusout', { bubbles: true, composed: true }),
      );
      await form.updateComplete;
    };
    await leave('customAmount', '0');
    await leave('email', 'ana');
    await leave('email', 'ana@');
    expect(
      ['amount', 'email', 'firstName'].map(
        (control) => form.shadowRoot!.querySelector(`#${control}-error`) !== null,
      ),
    ).to.deep.equal([true, true, false]);
  });
});
