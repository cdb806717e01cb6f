import { aTimeout, expect, oneEvent } from '@open-wc/testing';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import {
  createProblem,
  createSuccess,
  enterText,
  fillDonor,
  getSubmitButton,
  getText,
  getValue,
  submitForm,
  testPage,
  waitForAnnouncements,
  waitForPaymentField,
  waitUntil,
  waitUntilIdle,
} from './support.ts';

/** Milliseconds until the first and the second poll. */
const FIRST_POLL = 2_000;
const SECOND_POLL = 3_000;

/**
 * Waits until a form that just appeared has certainly loaded its submission module. A donor can
 * submit the form earlier.
 */
const waitUntilSubmissionIsLoaded = (): Promise<unknown> =>
  new Promise((resolve) => setTimeout(resolve, 700));

describe('interrupted submissions', () => {
  afterEach(waitForAnnouncements);

  /** Submits a form and removes it. @returns a function that sends the response. */
  async function removeWhileSubmitting(form: DonationFormElement): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    testPage.responses.push((request) => promise.then(() => createSuccess(request)));
    await waitForPaymentField(form);
    getSubmitButton(form).click();
    await waitUntil(() => testPage.postedDonations.length > 0);
    form.remove();
    return () => resolve(undefined);
  }

  it('shows the outcome of a removed form in the next one, even if its own request gets no response', async () => {
    const form = await testPage.showFilledForm();
    const sendResponse = await removeWhileSubmitting(form);
    const next = await testPage.showForm();
    const announced = oneEvent(next, 'donation-form-success');
    testPage.createOutcomeResponse = () => Response.json({}, { status: 429 });
    sendResponse();
    await waitUntil(
      () => next.shadowRoot!.querySelector('h2')?.textContent.trim() === 'Thank you!',
    );
    await announced;
  });

  for (const isThere of [true, false])
    it(`shows the outcome of a removed form in the next one, added ${isThere ? 'before' : 'after'} the response, and notifies the page once`, async () => {
      const successes = testPage.recordEvents('donation-form-success');
      const form = await testPage.showFilledForm();
      const sendResponse = await removeWhileSubmitting(form);
      const completeDonation = (): void => {
        testPage.createOutcomeResponse = () => createSuccess(testPage.requests[0]!);
        sendResponse();
      };
      if (!isThere) {
        const announced = oneEvent(document, 'donation-form-success');
        completeDonation();
        await announced;
      }
      const next = await testPage.showForm();
      if (isThere) completeDonation();
      await waitUntil(
        () => next.shadowRoot!.querySelector('h2')?.textContent.trim() === 'Thank you!',
      );
      await waitUntil(() => successes.length > 0);
      await waitUntilIdle(next);
      expect([
        successes.length,
        sessionStorage.getItem('donation-form https://give.test/main 1'),
      ]).to.deep.equal([1, null]);
    });

  it('keeps the key if the language changes during submission', async () => {
    const form = await testPage.showForm();
    await waitForPaymentField(form);
    fillDonor(form);
    testPage.responses.push(() => aTimeout(100).then(() => Response.json({}, { status: 502 })));
    getSubmitButton(form).click();
    form.language = 'de';
    const loaded = oneEvent(form, 'donation-form-load');
    await loaded;
    await waitForPaymentField(form);
    await submitForm(form);
    expect([testPage.postedDonations.length, testPage.keyCount]).to.deep.equal([2, 1]);
  });

  it('ignores reset() while an outcome is unknown', async () => {
    const form = await testPage.showFilledForm();
    testPage.responses.push('network error');
    await submitForm(form);
    form.reset();
    await form.updateComplete;
    expect(getValue(form, 'firstName')).to.equal('Ana');
  });

  it('keeps the input and the key after a network error', async () => {
    const form = await testPage.showFilledForm();
    testPage.responses.push(
      'network error',
      Response.json({}, { status: 502 }),
      createProblem(503, 'unavailable'),
    );
    while (testPage.responses.length > 0) {
      await submitForm(form);
      expect(getText(form, '#notice')).to.contain("We couldn't reach Lanternwell");
      expect(getValue(form, 'email')).to.equal('ana@example.org');
    }
    await submitForm(form);
    expect(testPage.postedDonations.length).to.equal(4);
    expect(testPage.keyCount).to.equal(1);
  });

  it('shows the earlier donation if the key already belongs to one', async () => {
    const form = await testPage.showFilledForm();
    testPage.responses.push('network error', createProblem(422, 'idempotency-key-reused'));
    await submitForm(form);
    const [request] = testPage.requests;
    testPage.createOutcomeResponse = () => createSuccess(request!);
    enterText(form, 'customAmount', '80');
    await submitForm(form);
    expect(getText(form, '.total')).to.equal('$50');
  });

  it('asks not to donate again while the outcome is unknown, and then shows it', async () => {
    const timers = testPage.holdTimers();
    const form = await testPage.showFilledForm();
    testPage.queueOutcome('unconfirmed');
    await submitForm(form);
    expect(getText(form, '.screen'))
      .to.contain("Please don't give again")
      .and.to.contain('7K4M9-QXD2P');
    await waitUntilSubmissionIsLoaded();
    testPage.createOutcomeResponse = () => createSuccess(testPage.requests[0]!);
    timers.runTimers(FIRST_POLL);
    await waitUntil(() => getText(form, 'h2') === 'Thank you, Ana!');
  });

  it('submits two forms of one definition as two donations with their own outcomes', async () => {
    const first = await testPage.showForm();
    const second = await testPage.showForm();
    fillDonor(first);
    fillDonor(second);
    enterText(second, 'firstName', 'Bo');
    enterText(second, 'customAmount', '100');
    testPage.responses.push('network error');
    await submitForm(first);
    await submitForm(second);
    expect([getText(second, 'h2'), getText(second, '.total')]).to.deep.equal([
      'Thank you, Bo!',
      '$100',
    ]);
    await submitForm(first);
    expect([getText(first, 'h2'), getText(first, '.total')]).to.deep.equal([
      'Thank you, Ana!',
      '$50',
    ]);
    const [a, b, third] = testPage.postedDonations.map(({ key }) => key);
    expect([a === third, a === b]).to.deep.equal([true, false]);
  });

  it('dispatches success once if moved while the outcome is unknown', async () => {
    const timers = testPage.holdTimers();
    const form = await testPage.showForm();
    const successes = testPage.recordEvents('donation-form-success');
    fillDonor(form);
    testPage.queueOutcome('unconfirmed');
    await submitForm(form);
    const responders: (() => void)[] = [];
    testPage.createOutcomeResponse = () =>
      new Promise((resolve) => {
        responders.push(() => resolve(createSuccess(testPage.requests[0]!)));
      });
    timers.runTimers(FIRST_POLL);
    await waitUntil(() => responders.length === 1);
    form.parentElement!.append(form);
    timers.runTimers(SECOND_POLL);
    await waitUntil(() => responders.length === 2);
    for (const respond of responders) respond();
    await waitUntil(() => getText(form, 'h2') === 'Thank you, Ana!');
    await waitUntil(() => successes.length > 0);
    await waitUntilIdle(form);
    expect(successes).to.have.length(1);
  });
});
