import { expect, waitUntil } from '@open-wc/testing';
import {
  Stage,
  button,
  fill,
  inside,
  outcomeOf,
  pageSettings,
  press,
  problem,
  ready,
  rest,
  succeeded,
  type,
  value,
  words,
} from './support.ts';

describe('donation-form, interrupted', () => {
  let stage: Stage;
  beforeEach(() => {
    stage = new Stage();
  });
  afterEach(() => stage.end());

  for (const isEarly of [true, false])
    it(`rule 57: sends one gift however often the button is pressed, ${isEarly ? 'as soon as it is there' : 'when all late parts are there'}`, async () => {
      const form = await stage.show();
      if (!isEarly) await ready(form);
      fill(form);
      for (let presses = 0; presses < 20; presses += 1) button(form).click();
      inside(form, '[name=email]').form!.requestSubmit();
      await rest(form);
      expect(stage.posted.length).to.equal(1);
    });

  it('a form that is taken off the page while it sends leaves its key to the next one', async () => {
    const form = await stage.show();
    await ready(form);
    fill(form);
    let answer = (): void => undefined;
    stage.answers.push(
      () =>
        new Promise((resolve) => {
          answer = () => resolve(Response.json({}, { status: 502 }));
        }),
    );
    button(form).click();
    while (stage.posted.length === 0)
      await new Promise((resolve) => {
        setTimeout(resolve, 10);
      });
    form.remove();
    answer();
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
    const next = await stage.show();
    fill(next);
    await press(next);
    expect(new Set(stage.posted.map(({ key }) => key)).size).to.equal(1);
  });

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
    while (stage.posted.length === 0)
      await new Promise((resolve) => {
        setTimeout(resolve, 10);
      });
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
      while (stage.posted.length === 0)
        await new Promise((resolve) => {
          setTimeout(resolve, 10);
        });
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

  it('rules 51 and 57: asks first about a gift whose outcome was not known when the page was left', async () => {
    sessionStorage.setItem('donation-form https://give.test/main 1', 'a-key-of-an-earlier-page');
    let calls = 0;
    pageSettings({
      onSuccess: () => {
        calls += 1;
      },
    });
    stage.outcome = () =>
      Response.json({
        reference: 'R',
        state: 'succeeded',
        gift: { amount: 5_000, costs: 0, total: 5_000, currency: 'USD', frequency: 'monthly' },
        response: { success: true, projectSplit: [] },
      });
    const form = await stage.show();
    await rest(form);
    expect(words(form, 'h2')).to.equal('Thank you!');
    expect(words(form, '.sum')).to.equal('$50 every month');
    expect(calls).to.equal(1);
    expect(sessionStorage.getItem('donation-form https://give.test/main 1')).to.equal(null);
  });

  it('reuses the key of an earlier page where nothing was accepted under it', async () => {
    sessionStorage.setItem('donation-form https://give.test/main 1', 'a-key-of-an-earlier-page');
    const form = await stage.show();
    fill(form);
    await press(form);
    expect(stage.posted[0]?.key).to.equal('a-key-of-an-earlier-page');
  });

  it('says "do not give again" while the charge is not known, and shows the answer when it is', async function () {
    this.timeout(8_000);
    const form = await stage.show();
    fill(form);
    stage.answers.push((request) => outcomeOf(request, 'checking'));
    await press(form);
    expect(words(form, '.screen'))
      .to.contain('Please do not give again')
      .and.to.contain('7K4M9-QXD2P');
    stage.outcome = () => succeeded(stage.posted[0]!.request);
    for (let tries = 0; tries < 60 && words(form, 'h2') !== 'Thank you, Ana!'; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 100));
    expect(words(form, 'h2')).to.equal('Thank you, Ana!');
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

  it('loads once when it is moved while it loads, and keeps what was typed when it is moved later', async () => {
    let loads = 0;
    const count = (): void => {
      loads += 1;
    };
    document.addEventListener('donation-form-load', count);
    const form = document.createElement('donation-form');
    const elsewhere = document.createElement('div');
    form.endpoint = 'https://give.test';
    const loaded = new Promise((resolve) => {
      form.addEventListener('donation-form-load', resolve, { once: true });
    });
    document.body.append(form, elsewhere);
    elsewhere.append(form);
    await loaded;
    await rest(form);
    type(form, 'firstName', 'Ana');
    document.body.append(form);
    await rest(form);
    document.removeEventListener('donation-form-load', count);
    expect([loads, value(form, 'firstName')]).to.deep.equal([1, 'Ana']);
    form.remove();
    elsewhere.remove();
  });

  it('says once that a gift succeeded, though it is moved while the gift is checked', async function () {
    this.timeout(8_000);
    const form = await stage.show();
    let successes = 0;
    const count = (): void => {
      successes += 1;
    };
    document.addEventListener('donation-form-success', count);
    fill(form);
    stage.answers.push((request) => outcomeOf(request, 'checking'));
    await press(form);
    let asked = 0;
    stage.outcome = () => {
      asked += 1;
      return new Promise((resolve) => {
        setTimeout(() => resolve(succeeded(stage.posted[0]!.request)), 1_000);
      });
    };
    while (asked === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    form.parentElement!.append(form);
    await new Promise((resolve) => setTimeout(resolve, 4_500));
    document.removeEventListener('donation-form-success', count);
    expect([words(form, 'h2'), successes]).to.deep.equal(['Thank you, Ana!', 1]);
  });

  it('mounts the card field again where the page has removed it', async () => {
    const form = await stage.show();
    fill(form);
    form.innerHTML = '';
    await press(form);
    expect(stage.posted.length).to.equal(1);
  });

  it('gives where the page may not keep anything', async () => {
    const setItem = Object.getOwnPropertyDescriptor(Storage.prototype, 'setItem')!;
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    const form = await stage.show();
    fill(form);
    stage.answers.push('no answer');
    await press(form);
    await press(form);
    Object.defineProperty(Storage.prototype, 'setItem', setItem);
    expect(words(form, 'h2')).to.equal('Thank you, Ana!');
    expect(new Set(stage.posted.map(({ key }) => key)).size).to.equal(1);
  });
});
