import { expect } from '@open-wc/testing';
import { createChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import {
  Stage,
  accessible,
  fill,
  inside,
  press,
  problem,
  ready,
  succeeded,
  words,
} from './support.ts';

/** A challenge as the endpoint makes it, and cheaper. */
const challenge = (): ReturnType<typeof createChallenge> =>
  createChallenge({
    algorithm: 'PBKDF2/SHA-256',
    cost: 1_000,
    counter: 5,
    deriveKey,
    expiresAt: Math.floor(Date.now() / 1_000) + 1_800,
    hmacSignatureSecret: 'of the endpoint',
    hmacKeySignatureSecret: 'of the solution',
  });

const counterIn = (proof: string | null): number =>
  (JSON.parse(atob(proof!)) as { solution: { counter: number } }).solution.counter;

describe('a proof of work', () => {
  let stage: Stage;
  beforeEach(() => {
    stage = new Stage();
  });
  afterEach(() => {
    stage.end();
  });

  it('is made while the donor fills in the form, where the endpoint asks for one, and sent with the gift', async () => {
    const asked: string[] = [];
    stage.challenge = async (search) => {
      asked.push(search);
      return Response.json(await challenge());
    };
    const form = await stage.show();
    await ready(form);
    fill(form);
    await press(form);
    expect(words(form, 'h2')).to.equal('Thank you, Ana!');
    expect(asked).to.deep.equal(['?form=main']);
    expect(stage.posted.map(({ proof }) => counterIn(proof))).to.deep.equal([5]);
  });

  it('is not sent where nothing is asked for', async () => {
    const form = await stage.show();
    await ready(form);
    fill(form);
    await press(form);
    expect(stage.posted.map(({ proof }) => proof)).to.deep.equal([null]);
  });

  it('is made when a gift is refused without one, and the gift is sent again by itself, with the same key', async () => {
    stage.answers.push(problem(403, 'challenge-required'), succeeded);
    const asked: string[] = [];
    stage.challenge = async (search) => {
      asked.push(search);
      return search.includes('required')
        ? Response.json(await challenge())
        : new Response(null, { status: 204 });
    };
    const form = await stage.show();
    await ready(form);
    fill(form);
    await press(form);
    expect(words(form, 'h2')).to.equal('Thank you, Ana!');
    expect(asked).to.deep.equal(['?form=main', '?form=main&required=true']);
    expect(stage.posted.map(({ proof }) => proof !== null)).to.deep.equal([false, true]);
    expect(new Set(stage.posted.map(({ key }) => key)).size).to.equal(1);
  });

  it('that cannot be made leaves everything as it was, and says that nothing was charged', async () => {
    stage.challenge = () => problem(429, 'too-many-requests');
    stage.answers.push(problem(403, 'challenge-required'), succeeded);
    const form = await stage.show();
    await ready(form);
    fill(form);
    const codes: string[] = [];
    form.addEventListener('donation-form-error', ({ code }) => {
      codes.push(code);
    });
    await press(form);
    expect(words(form, '#notice')).to.equal('Nothing was charged. Please try again.');
    expect(codes).to.deep.equal(['challenge-required']);
    await accessible(form);
    await press(form);
    expect(words(form, 'h2')).to.equal('Thank you, Ana!');
    expect(new Set(stage.posted.map(({ key }) => key)).size).to.equal(1);
  });
});

describe('the field that no person meets', () => {
  let stage: Stage;
  beforeEach(() => {
    stage = new Stage();
  });
  afterEach(() => {
    stage.end();
  });

  it('is in the form, for programs that fill in every field; what they enter is sent, and the next try is clean', async () => {
    stage.answers.push(problem(429, 'too-many-requests', { 'Retry-After': '600' }), succeeded);
    const form = await stage.show();
    await ready(form);
    fill(form);
    inside(form, '[name=website]').value = 'https://spam.example';
    await press(form);
    expect(words(form, '#notice')).to.contain('Please press the button again after');
    await press(form);
    expect(words(form, 'h2')).to.equal('Thank you, Ana!');
    expect(stage.posted.map(({ request }) => request.form.website)).to.deep.equal([
      'https://spam.example',
      undefined,
    ]);
  });

  it('cannot be seen, reached by keyboard, or found by assistive technology', async () => {
    const form = await stage.show();
    await ready(form);
    const field = inside(form, '[name=website]');
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
    await accessible(form);
  });

  it('is there again after a gift, in the form that is shown anew, once', async () => {
    const form = await stage.show();
    await ready(form);
    fill(form);
    await press(form);
    form.reset();
    await form.updateComplete;
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
    expect(form.shadowRoot!.querySelectorAll('[name=website]').length).to.equal(1);
  });
});
