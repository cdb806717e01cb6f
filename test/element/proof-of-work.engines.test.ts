import { expect } from '@open-wc/testing';
import { createChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import {
  createProblem,
  createSuccess,
  expectAccessible,
  fillDonor,
  findElement,
  getText,
  submitForm,
  testPage,
  waitForPaymentField,
  waitUntil,
  waitUntilIdle,
} from './support.ts';

/** Creates a challenge like the endpoint's, but cheaper. */
const createTestChallenge = (): ReturnType<typeof createChallenge> =>
  createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: 1_000,
    counter: 5,
    deriveKey,
    expiresAt: Math.floor(Date.now() / 1_000) + 1_800,
    hmacSignatureSecret: 'of the endpoint',
    hmacKeySignatureSecret: 'of the solution',
  });

const readCounter = (proof: string | null): number =>
  (JSON.parse(atob(proof!)) as { solution: { counter: number } }).solution.counter;

describe('proof of work', () => {
  it('is computed while the donor fills in the form and sent with the donation', async () => {
    const challengeQueries: string[] = [];
    testPage.createChallengeResponse = async (search) => {
      challengeQueries.push(search);
      return Response.json(await createTestChallenge());
    };
    const form = await testPage.showForm();
    await waitForPaymentField(form);
    fillDonor(form);
    await submitForm(form);
    expect(getText(form, 'h2')).to.equal('Thank you, Ana!');
    expect(challengeQueries).to.deep.equal(['?form=main']);
    expect(testPage.postedDonations.map(({ proof }) => readCounter(proof))).to.deep.equal([5]);
  });

  it('is not sent if the endpoint does not require it', async () => {
    const form = await testPage.showForm();
    await waitForPaymentField(form);
    fillDonor(form);
    await submitForm(form);
    expect(testPage.postedDonations.map(({ proof }) => proof)).to.deep.equal([null]);
  });

  it('is computed after a rejection, and the donation is retried with the same key', async () => {
    testPage.responses.push(createProblem(403, 'challenge-required'), createSuccess);
    const challengeQueries: string[] = [];
    testPage.createChallengeResponse = async (search) => {
      challengeQueries.push(search);
      return search.includes('required')
        ? Response.json(await createTestChallenge())
        : new Response(null, { status: 204 });
    };
    const form = await testPage.showForm();
    await waitForPaymentField(form);
    fillDonor(form);
    await submitForm(form);
    expect(getText(form, 'h2')).to.equal('Thank you, Ana!');
    expect(challengeQueries).to.deep.equal(['?form=main', '?form=main&required=true']);
    expect(testPage.postedDonations.map(({ proof }) => proof !== null)).to.deep.equal([
      false,
      true,
    ]);
    expect(testPage.keyCount).to.equal(1);
  });

  it('keeps the input if it cannot be computed, and says that nothing was charged', async () => {
    testPage.createChallengeResponse = () => createProblem(429, 'too-many-requests');
    testPage.responses.push(createProblem(403, 'challenge-required'), createSuccess);
    const form = await testPage.showForm();
    await waitForPaymentField(form);
    fillDonor(form);
    const errors = testPage.recordEvents('donation-form-error');
    await submitForm(form);
    expect(getText(form, '#notice')).to.equal(
      "You haven't been charged. We couldn't process the payment. Please try again.",
    );
    expect(errors.map(({ code }) => code)).to.deep.equal(['challenge-required']);
    await expectAccessible(form);
    await submitForm(form);
    expect(getText(form, 'h2')).to.equal('Thank you, Ana!');
    expect(testPage.keyCount).to.equal(1);
  });
});

describe('honeypot', () => {
  it('submits the value that a bot enters, and is empty on the next attempt', async () => {
    testPage.responses.push(
      createProblem(429, 'too-many-requests', { 'Retry-After': '600' }),
      createSuccess,
    );
    const form = await testPage.showForm();
    await waitForPaymentField(form);
    await waitUntil(() => form.shadowRoot!.querySelector('[name=website]'));
    fillDonor(form);
    findElement(form, '[name=website]').value = 'https://spam.example';
    await submitForm(form);
    expect(getText(form, '#notice')).to.contain('Please press the button again after');
    await submitForm(form);
    expect(getText(form, 'h2')).to.equal('Thank you, Ana!');
    expect(testPage.requests.map((request) => request.form.website)).to.deep.equal([
      'https://spam.example',
      undefined,
    ]);
  });

  it('is invisible and unreachable by keyboard and assistive technology', async () => {
    const form = await testPage.showForm();
    await waitForPaymentField(form);
    await waitUntil(() => form.shadowRoot!.querySelector('[name=website]'));
    const field = findElement(form, '[name=website]');
    const { width, height } = field.parentElement!.getBoundingClientRect();
    field.focus();
    expect(form.shadowRoot!.activeElement).to.equal(null);
    expect([
      width <= 1,
      height <= 1,
      getComputedStyle(field.parentElement!).clipPath,
      field.tabIndex,
      field.parentElement!.ariaHidden,
      field.parentElement!.inert,
      field.autocomplete,
    ]).to.deep.equal([true, true, 'inset(50%)', -1, 'true', true, 'off']);
    await expectAccessible(form);
  });

  it('is added once when the form is shown again after a donation', async () => {
    const form = await testPage.showForm();
    await waitForPaymentField(form);
    await waitUntil(() => form.shadowRoot!.querySelector('[name=website]'));
    fillDonor(form);
    await submitForm(form);
    form.reset();
    await waitUntilIdle(form);
    expect(form.shadowRoot!.querySelectorAll('[name=website]').length).to.equal(1);
  });
});
