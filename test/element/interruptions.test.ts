import { expect } from '@open-wc/testing';
import {
  Stage,
  button,
  fill,
  outcomeOf,
  press,
  problem,
  ready,
  rest,
  succeeded,
  type,
  value,
  waitUntil,
  words,
} from './support.ts';

/** Milliseconds until the form asks by itself for the first and the second time. */
const FIRST_CHECK = 2_000;
const SECOND_CHECK = 3_000;

describe('donation-form, interrupted', () => {
  let stage: Stage;
  beforeEach(() => {
    stage = new Stage();
  });
  afterEach(() => stage.end());

  it('the next form shows what came of a gift whose form was taken off the page, also where its own question stays without an answer', async () => {
    const form = await stage.show();
    fill(form);
    let answer = (): void => undefined;
    stage.answers.push(
      (request) =>
        new Promise((resolve) => {
          answer = () => {
            stage.outcome = () => Response.json({}, { status: 429 });
            resolve(succeeded(request));
          };
        }),
    );
    await ready(form);
    button(form).click();
    await waitUntil(() => stage.posted.length > 0);
    form.remove();
    const next = await stage.show();
    answer();
    await waitUntil(
      () => next.shadowRoot!.querySelector('h2')?.textContent.trim() === 'Thank you!',
    );
  });

  for (const isThere of [true, false])
    it(`what comes of a gift whose form was taken off the page is shown by the next form, ${isThere ? 'which is there already' : 'which comes later'}, and the page hears of it once`, async () => {
      let successes = 0;
      const count = (): void => {
        successes += 1;
      };
      document.addEventListener('donation-form-success', count);
      const form = await stage.show();
      fill(form);
      let answer = (): void => undefined;
      stage.answers.push(
        (request) =>
          new Promise((resolve) => {
            answer = () => {
              stage.outcome = () => succeeded(request);
              resolve(succeeded(request));
            };
          }),
      );
      await ready(form);
      button(form).click();
      await waitUntil(() => stage.posted.length > 0);
      form.remove();
      if (!isThere) {
        const heard = new Promise((resolve) => {
          document.addEventListener('donation-form-success', resolve, { once: true });
        });
        answer();
        await heard;
      }
      const next = await stage.show();
      if (isThere) answer();
      await waitUntil(
        () => next.shadowRoot!.querySelector('h2')?.textContent.trim() === 'Thank you!',
      );
      document.removeEventListener('donation-form-success', count);
      expect([
        successes,
        sessionStorage.getItem('donation-form https://give.test/main 1'),
      ]).to.deep.equal([1, null]);
    });

  it('a form that changes its language while it sends keeps its key', async () => {
    const form = await stage.show();
    await ready(form);
    fill(form);
    stage.answers.push(
      () =>
        new Promise((resolve) => {
          setTimeout(() => resolve(Response.json({}, { status: 502 })), 100);
        }),
    );
    button(form).click();
    form.language = 'de';
    const loaded = new Promise((resolve) => {
      form.addEventListener('donation-form-load', resolve, { once: true });
    });
    await loaded;
    await ready(form);
    await press(form);
    expect([stage.posted.length, new Set(stage.posted.map(({ key }) => key)).size]).to.deep.equal([
      2, 1,
    ]);
  });

  it('is not emptied by reset() while no answer came to a gift', async () => {
    const form = await stage.show();
    fill(form);
    stage.answers.push('no answer');
    await press(form);
    form.reset();
    await form.updateComplete;
    expect(value(form, 'firstName')).to.equal('Ana');
  });

  it('keeps everything and the key when no answer comes', async () => {
    const form = await stage.show();
    fill(form);
    stage.answers.push(
      'no answer',
      Response.json({}, { status: 502 }),
      problem(503, 'unavailable'),
    );
    while (stage.answers.length > 0) {
      await press(form);
      expect(words(form, '#notice')).to.contain('We could not reach Lanternwell.');
      expect(value(form, 'email')).to.equal('ana@example.org');
    }
    await press(form);
    expect(stage.posted.length).to.equal(4);
    expect(new Set(stage.posted.map(({ key }) => key)).size).to.equal(1);
  });

  it('shows the earlier gift where the key already belongs to one', async () => {
    const form = await stage.show();
    fill(form);
    stage.answers.push('no answer', problem(422, 'idempotency-key-reused'));
    await press(form);
    const [{ request } = { request: undefined }] = stage.posted;
    stage.outcome = () => succeeded(request!);
    type(form, 'customAmount', '80');
    await press(form);
    expect(words(form, '.sum')).to.equal('$50');
  });

  it('says "do not give again" while the charge is not known, and shows the answer when it is', async () => {
    const timers = stage.holdTimers();
    const form = await stage.show();
    fill(form);
    stage.answers.push((request) => outcomeOf(request, 'checking'));
    await press(form);
    expect(words(form, '.screen'))
      .to.contain('Please do not give again')
      .and.to.contain('7K4M9-QXD2P');
    stage.outcome = () => succeeded(stage.posted[0]!.request);
    timers.run(FIRST_CHECK);
    await waitUntil(() => words(form, 'h2') === 'Thank you, Ana!');
  });

  it('gives two forms of one definition a gift each, and each its own answer', async () => {
    const first = await stage.show();
    const second = await stage.show();
    fill(first);
    fill(second);
    type(second, 'firstName', 'Bo');
    type(second, 'customAmount', '100');
    stage.answers.push('no answer');
    await press(first);
    await press(second);
    expect([words(second, 'h2'), words(second, '.sum')]).to.deep.equal(['Thank you, Bo!', '$100']);
    await press(first);
    expect([words(first, 'h2'), words(first, '.sum')]).to.deep.equal(['Thank you, Ana!', '$50']);
    const [a, b, again] = stage.posted.map(({ key }) => key);
    expect([a === again, a === b]).to.deep.equal([true, false]);
  });

  it('says once that a gift succeeded, though it is moved while the gift is checked', async () => {
    const timers = stage.holdTimers();
    const form = await stage.show();
    let successes = 0;
    const count = (): void => {
      successes += 1;
    };
    document.addEventListener('donation-form-success', count);
    fill(form);
    stage.answers.push((request) => outcomeOf(request, 'checking'));
    await press(form);
    const answers: (() => void)[] = [];
    stage.outcome = () =>
      new Promise((resolve) => {
        answers.push(() => resolve(succeeded(stage.posted[0]!.request)));
      });
    timers.run(FIRST_CHECK);
    await waitUntil(() => answers.length === 1);
    form.parentElement!.append(form);
    timers.run(SECOND_CHECK);
    await waitUntil(() => answers.length === 2);
    for (const answer of answers) answer();
    await waitUntil(() => words(form, 'h2') === 'Thank you, Ana!');
    await rest(form);
    document.removeEventListener('donation-form-success', count);
    expect(successes).to.equal(1);
  });
});
