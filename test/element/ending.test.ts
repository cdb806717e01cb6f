import { expect } from '@open-wc/testing';
import { exampleForm } from '../example-form.ts';
import {
  Stage,
  fill,
  inside,
  outcomeOf,
  pageSettings,
  press,
  problem,
  value,
  waitUntil,
  words,
} from './support.ts';

describe('donation-form, when a gift was sent', () => {
  let stage: Stage;
  beforeEach(() => {
    stage = new Stage();
  });
  afterEach(() => stage.end());

  it('says of a gift whose money comes later that it is on its way, and tells the page so instead of a success', async () => {
    const calls: string[] = [];
    pageSettings({ onSuccess: () => calls.push('onSuccess') });
    const form = await stage.show();
    for (const name of ['donation-form-pending', 'donation-form-success'] as const)
      form.addEventListener(name, ({ type, reference }) => calls.push(`${type} ${reference}`));
    fill(form);
    stage.answers.push((request) => outcomeOf(request, 'pending'));
    await press(form);
    expect([words(form, 'h2'), words(form, '.sum'), words(form, '.reference')].join(' '))
      .to.contain('Your gift is on its way')
      .and.to.contain('$50')
      .and.to.contain('7K4M9-QXD2P');
    expect(calls).to.deep.equal(['donation-form-pending 7K4M9-QXD2P']);
  });

  it('rule 58: says when to try again where too many give, keeps all, and uses the same key', async () => {
    const form = await stage.show();
    fill(form);
    stage.answers.push(problem(429, 'too-many-requests', { 'Retry-After': '600' }));
    const before = new Date(Date.now() + 600_000);
    const time = (minutes: number): string =>
      new Date(before.getTime() + minutes * 60_000).toLocaleTimeString('en', {
        timeStyle: 'short',
      });
    await press(form);
    expect(
      [time(0), time(1)].some((word) => words(form, '#notice').includes(`after ${word}`)),
      words(form, '#notice'),
    ).to.equal(true);
    expect([value(form, 'email'), stage.posted.length]).to.deep.equal(['ana@example.org', 1]);
    await press(form);
    expect(new Set(stage.posted.map(({ key }) => key)).size).to.equal(1);
  });

  it('says that the donor is offline where the browser knows it', async () => {
    const form = await stage.show();
    fill(form);
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
    stage.answers.push('no answer');
    await press(form);
    Reflect.deleteProperty(navigator, 'onLine');
    expect(words(form, '#notice')).to.contain('You are offline.');
    await press(form);
    expect([words(form, 'h2'), new Set(stage.posted.map(({ key }) => key)).size]).to.deep.equal([
      'Thank you, Ana!',
      1,
    ]);
  });

  it('says who sends the receipt', async () => {
    for (const [receipts, said] of [
      ['platform', 'Lanternwell sends your receipt'],
      ['processor', 'The payment processor sends your receipt'],
      ['none', 'Keep this page as your record'],
    ] as const) {
      stage.definition = { ...stage.definition, receipts };
      const form = await stage.show();
      fill(form);
      await press(form);
      expect(words(form, '[part=thanks]')).to.contain(said);
    }
  });

  it('names each part of a divided gift with its sum', async () => {
    const form = await stage.show();
    fill(form);
    stage.answers.push(async (request) => {
      const outcome = (await outcomeOf(request, 'succeeded').json()) as { response: object };
      return Response.json({
        ...outcome,
        response: {
          ...outcome.response,
          projectSplit: [
            { projectId: '1', projectName: 'Wells', amount: '16.67' },
            { projectId: '2', projectName: 'Rivers', amount: '33.33' },
          ],
        },
      });
    });
    await press(form);
    expect(
      [...form.shadowRoot!.querySelectorAll('.parts li')].map((part) => part.textContent),
    ).to.deep.equal(['Wells $16.67', 'Rivers $33.33']);
  });

  it('shares the page without what its address says of the donor', async () => {
    const form = await stage.show('?email=ana@example.org&src=MAIL26');
    fill(form);
    await press(form);
    const shared: unknown[] = [];
    Object.defineProperty(navigator, 'share', {
      value: (data: unknown) => {
        shared.push(data);
        return Promise.resolve();
      },
      configurable: true,
    });
    inside(form, '.keep button:nth-child(2)').click();
    await waitUntil(() => shared.length > 0);
    Reflect.deleteProperty(navigator, 'share');
    expect(shared).to.deep.equal([
      {
        text: 'I gave to Lanternwell. Will you join me?',
        url: location.origin + location.pathname,
      },
    ]);
  });

  it("a thanks-url that is no web address is told to the page's author, and the form thanks by itself", async () => {
    const form = await stage.show('', { 'thanks-url': 'javascript:alert(1)' });
    const { warn } = console;
    const warnings: string[] = [];
    console.warn = (text: string) => {
      warnings.push(text);
    };
    fill(form);
    await press(form);
    console.warn = warn;
    expect([words(form, 'h2'), warnings.length]).to.deep.equal(['Thank you, Ana!', 1]);
  });

  it('leads who gives regularly to where the card is changed and the gift ended, where the provider has that', async () => {
    const linkOf = async (
      frequency: string,
      hasCustomerPortal: boolean,
    ): Promise<HTMLAnchorElement | null> => {
      stage.definition = {
        ...exampleForm,
        id: 'a&b',
        payments: [{ ...exampleForm.payments[0], hasCustomerPortal }],
      };
      const form = await stage.show(`?frequency=${frequency}`);
      fill(form);
      await press(form);
      return form.shadowRoot!.querySelector('[part=thanks] a');
    };
    const link = await linkOf('monthly', true);
    expect([link?.textContent, link?.href, link?.target, link?.rel]).to.deep.equal([
      'Change your card or end this gift at any time',
      'https://give.test/manage?id=a%26b&provider=sandbox',
      '_blank',
      'noopener',
    ]);
    expect([await linkOf('monthly', false), await linkOf('once', true)]).to.deep.equal([
      null,
      null,
    ]);
  });

  it('does not say that the processor sends a receipt of a gift that it never sees', async () => {
    stage.definition = { ...exampleForm, receipts: 'processor' };
    const form = await stage.show();
    fill(form);
    stage.answers.push((request) =>
      outcomeOf(request, 'pending', undefined, { instructions: 'Send it.' }),
    );
    await press(form);
    expect(words(form, '[part=thanks]')).to.contain('Send it.').and.not.to.contain('receipt');
  });
});
