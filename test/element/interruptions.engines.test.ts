import { aTimeout, expect, oneEvent } from '@open-wc/testing';
import {
  enterText,
  fillDonor,
  findElement,
  getSubmitButton,
  getText,
  getValue,
  setPageSettings,
  submitForm,
  testPage,
  waitForAnnouncements,
  waitForPaymentField,
  waitUntil,
  waitUntilIdle,
} from './support.ts';

describe('interrupted submissions', () => {
  afterEach(waitForAnnouncements);

  for (const isEarly of [true, false])
    it(`rule 57: sends one donation for repeated clicks ${isEarly ? 'before' : 'after'} all chunks are loaded`, async () => {
      const form = await testPage.showForm();
      if (!isEarly) await waitForPaymentField(form);
      fillDonor(form);
      for (let presses = 0; presses < 20; presses += 1) getSubmitButton(form).click();
      findElement(form, '[name=email]').form!.requestSubmit();
      await waitUntilIdle(form);
      expect(testPage.postedDonations.length).to.equal(1);
    });

  it('passes the key of a removed form to the next one', async () => {
    const form = await testPage.showForm();
    await waitForPaymentField(form);
    fillDonor(form);
    let sendResponse = (): void => undefined;
    testPage.responses.push(
      () =>
        new Promise((resolve) => {
          sendResponse = () => resolve(Response.json({}, { status: 502 }));
        }),
    );
    getSubmitButton(form).click();
    await waitUntil(() => testPage.postedDonations.length > 0);
    form.remove();
    sendResponse();
    await aTimeout(50);
    const next = await testPage.showFilledForm();
    await submitForm(next);
    expect(testPage.keyCount).to.equal(1);
  });

  it('rules 51 and 57: fetches the outcome of an unfinished donation on load', async () => {
    sessionStorage.setItem('donation-form https://give.test/main 1', 'a-key-of-an-earlier-page');
    let calls = 0;
    setPageSettings({
      onSuccess: ({ giftId }) => {
        // A form of an earlier test may call back late.
        if (giftId === 4_711) calls += 1;
      },
    });
    testPage.createOutcomeResponse = () =>
      Response.json({
        reference: 'R',
        status: 'succeeded',
        gift: {
          amount: 5_000,
          coveredFees: 0,
          total: 5_000,
          currency: 'USD',
          frequency: 'monthly',
        },
        response: { success: true, giftId: 4_711, projectSplit: [] },
      });
    const form = await testPage.showForm();
    await waitUntilIdle(form);
    expect(getText(form, 'h2')).to.equal('Thank you!');
    expect(getText(form, '.total')).to.equal('$50 a month');
    await waitUntil(() => calls > 0);
    expect(calls).to.equal(1);
    expect(sessionStorage.getItem('donation-form https://give.test/main 1')).to.equal(null);
  });

  it('reuses the key of an earlier page if no donation has it', async () => {
    sessionStorage.setItem('donation-form https://give.test/main 1', 'a-key-of-an-earlier-page');
    const form = await testPage.showFilledForm();
    await submitForm(form);
    expect(testPage.postedDonations[0]?.key).to.equal('a-key-of-an-earlier-page');
  });

  for (const [owner, formId] of [
    ['this', 'main'],
    ['another', 'other'],
  ])
    it(`is ready once if ${owner} form has the key of an earlier page that no donation has`, async () => {
      sessionStorage.setItem(`donation-form https://give.test/${formId} 1`, 'an-earlier-key');
      const events = testPage.recordEvents(
        'donation-form-load',
        'donation-form-ready',
        'donation-form-change',
      );
      const form = await testPage.showFilledForm();
      await submitForm(form);
      expect(events.map(({ type }) => type)).to.deep.equal([
        'donation-form-load',
        'donation-form-ready',
      ]);
    });

  it('loads once if moved while loading, and keeps the input if moved later', async () => {
    const loads = testPage.recordEvents('donation-form-load');
    const form = document.createElement('donation-form');
    const elsewhere = document.createElement('div');
    form.endpoint = 'https://give.test';
    const loaded = oneEvent(form, 'donation-form-load');
    document.body.append(form, elsewhere);
    elsewhere.append(form);
    await loaded;
    await waitUntilIdle(form);
    enterText(form, 'firstName', 'Ana');
    document.body.append(form);
    await waitUntilIdle(form);
    expect([loads.length, getValue(form, 'firstName')]).to.deep.equal([1, 'Ana']);
    form.remove();
    elsewhere.remove();
  });

  it('mounts the card field again if the page removed it', async () => {
    const form = await testPage.showFilledForm();
    form.innerHTML = '';
    await submitForm(form);
    expect(testPage.postedDonations.length).to.equal(1);
  });

  it('works without storage', async () => {
    const setItem = Object.getOwnPropertyDescriptor(Storage.prototype, 'setItem')!;
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    const form = await testPage.showFilledForm();
    testPage.responses.push('network error');
    await submitForm(form);
    await submitForm(form);
    Object.defineProperty(Storage.prototype, 'setItem', setItem);
    expect(getText(form, 'h2')).to.equal('Thank you, Ana!');
    expect(testPage.keyCount).to.equal(1);
  });
});
