import { expect } from '@open-wc/testing';
import {
  Stage,
  button,
  fill,
  inside,
  pageSettings,
  press,
  ready,
  rest,
  type,
  value,
  waitUntil,
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
    await waitUntil(() => stage.posted.length > 0);
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
