import { expect } from '@open-wc/testing';
import type { DonationFormErrorEvent, DonationFormSuccessEvent } from '../../src/element/index.ts';
import {
  Stage,
  fill,
  inside,
  outcomeOf,
  pageSettings,
  press,
  problem,
  type,
  value,
  words,
} from './support.ts';

describe('donation-form, on its page', () => {
  let stage: Stage;
  beforeEach(() => {
    stage = new Stage();
  });
  afterEach(() => stage.end());

  it('mounts the payment field in the light DOM', async () => {
    const form = await stage.show();
    for (let tries = 0; tries < 800 && !form.querySelector('iframe'); tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    const host = form.querySelector('iframe')?.parentElement;
    expect(host?.slot).to.equal('payment');
    expect(host?.parentElement).to.equal(form);
  });

  it('rules 50, 51 and 53: raises its events before it calls the page, each once', async () => {
    const heard: string[] = [];
    pageSettings({
      onLoad: () => heard.push('onLoad'),
      onSuccess: ({ amount }: { amount: number }) => heard.push(`onSuccess ${amount}`),
    });
    document.addEventListener('donation-form-load', () => heard.push('load'), { once: true });
    document.addEventListener(
      'donation-form-success',
      ({ reference, response }: DonationFormSuccessEvent) =>
        heard.push(`success ${reference} ${response.amount}`),
      { once: true },
    );
    for (const step of ['ready', 'details', 'submit'] as const)
      document.addEventListener(
        `donation-form-${step}`,
        ({ gift, isTest }) => heard.push(`${step} ${gift.amount} ${isTest}`),
        { once: true },
      );
    const form = await stage.show();
    fill(form);
    await press(form);
    expect(heard).to.deep.equal([
      'load',
      'onLoad',
      'ready 5000 true',
      'details 5000 true',
      'submit 5000 true',
      'success 7K4M9-QXD2P 50',
      'onSuccess 50',
    ]);
  });

  it('rule 52: a callback that throws or rejects leaves the gift alone', async () => {
    const failed: string[] = [];
    pageSettings({
      onLoad: async () => {
        throw new Error('page');
      },
      onSuccess: () => {
        throw new Error('page');
      },
    });
    const hear = ({ callback }: { callback: string }): void => {
      failed.push(callback);
    };
    document.addEventListener('donation-form-callback-error', hear);
    const form = await stage.show();
    fill(form);
    await press(form);
    document.removeEventListener('donation-form-callback-error', hear);
    expect(words(form, 'h2')).to.equal('Thank you, Ana!');
    expect(failed).to.deep.equal(['onLoad', 'onSuccess']);
  });

  it('sends nothing where the page cancels the submission', async () => {
    const form = await stage.show();
    form.addEventListener('donation-form-submit', (event) => event.preventDefault());
    fill(form);
    await press(form);
    expect(stage.posted.length).to.equal(0);
    expect(value(form, 'email')).to.equal('ana@example.org');
  });

  it('reports what went wrong by a stable code', async () => {
    const codes: string[] = [];
    const form = await stage.show();
    form.addEventListener('donation-form-error', ({ code }: DonationFormErrorEvent) =>
      codes.push(code),
    );
    await press(form);
    fill(form);
    stage.answers.push(
      (request) => outcomeOf(request, 'declined', 'card-declined'),
      problem(422, 'total-mismatch'),
      'no answer',
    );
    await press(form);
    await press(form);
    expect(words(form, '#notice')).to.contain('giving@lanternwell.example');
    await press(form);
    expect(codes).to.deep.equal(['fields', 'card-declined', 'total-mismatch', 'no-answer']);
  });

  it('rule 60: shows what the page put into the element where the endpoint is down, and tries again', async () => {
    stage.isDown = true;
    const form = document.createElement('donation-form');
    form.endpoint = 'https://give.test';
    form.innerHTML = '<a href="https://example.org/give">Give another way</a>';
    document.body.append(form);
    await new Promise((resolve) => {
      form.addEventListener('donation-form-error', resolve, { once: true });
    });
    await form.updateComplete;
    expect(form.querySelector('a')?.assignedSlot).to.not.equal(null);
    expect(form.querySelector('a')?.getBoundingClientRect().height).to.be.above(0);
    stage.isDown = false;
    inside(form, 'button').click();
    await new Promise((resolve) => {
      form.addEventListener('donation-form-load', resolve, { once: true });
    });
    expect(words(form, 'button[type=submit]')).to.equal('Give $50');
    form.remove();
  });

  it('treats texts of the definition and of settings as text', async () => {
    const script = '<img src=x onerror="window.broken = true">';
    pageSettings({
      giftInfo: { giftArrays: [{ value: '30', description: script, displayValue: script }] },
      donorInfo: { firstName: script },
    });
    stage.definition = {
      ...stage.definition,
      projects: [
        { id: '1', name: script },
        { id: '2', name: script },
      ],
      organization: { name: script, contact: script },
    };
    const form = await stage.show();
    fill(form);
    await press(form);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((window as { broken?: boolean }).broken).to.equal(undefined);
    expect(form.shadowRoot!.querySelector('img')).to.equal(null);
  });

  it('rule 38: hidden values that the page sets late count', async () => {
    const form = await stage.show();
    fill(form);
    pageSettings({ giftInfo: { segmentOverrideCode: 'LATE' } });
    await press(form);
    expect(stage.posted[0]?.request.gift.segment).to.equal('LATE');
  });

  it('rule 39: late values that change what the donor saw are shown, and the donor is asked again', async () => {
    const form = await stage.show();
    fill(form);
    pageSettings({ giftInfo: { amount: 75, frequency: 'monthly' } });
    await press(form);
    expect(words(form, '#notice')).to.contain('The page has changed this gift');
    expect([words(form, 'button[type=submit]'), stage.posted.length]).to.deep.equal([
      'Give $75 every month',
      0,
    ]);
    await press(form);
    expect(stage.posted[0]?.request.gift.total).to.equal(7_500);
  });

  it('rule 40: what the donor entered is stronger than a late setting', async () => {
    const form = await stage.show();
    fill(form);
    type(form, 'customAmount', '33');
    pageSettings({ giftInfo: { amount: 75 }, donorInfo: { firstName: 'Maria' } });
    await press(form);
    expect(
      stage.posted.map(({ request }) => [request.gift.amount, request.donor.firstName]),
    ).to.deep.equal([[3_300, 'Ana']]);
  });

  it('shows the form that it is told to show later', async () => {
    const form = await stage.show();
    stage.definition = {
      ...stage.definition,
      id: 'second',
      projects: [{ id: '9', name: 'Only this' }],
    };
    form.formId = 'second';
    await new Promise((resolve) => {
      form.addEventListener('donation-form-load', resolve, { once: true });
    });
    fill(form);
    await press(form);
    expect(stage.posted[0]?.request.form.id).to.equal('second');
  });

  it('has its width in any parent, and no wider than it', async () => {
    const form = await stage.show();
    const parent = form.parentElement!;
    for (const style of [
      'display: flex; flex-direction: column; align-items: center',
      'display: grid; place-items: center',
      'display: flex',
      'display: inline-block',
      'float: left',
      'width: 300px',
    ]) {
      parent.style.cssText = style;
      const { width } = form.getBoundingClientRect();
      expect(width, style).to.be.within(200, 700);
      expect(form.shadowRoot!.querySelector('form')!.scrollWidth, style).to.be.at.most(
        Math.ceil(width),
      );
    }
  });

  it('explains where every setting came from, what it beat, and what was ignored and why', async () => {
    pageSettings({
      giftInfo: { amount: 75, frequency: 'monthly', projectCodeOverride: 'WATTER' },
      donorInfo: { firstName: 'Ana' },
    });
    Object.assign(window.ServiceDonorsForms!.settings!, { giftinfo: {}, onSucces: () => 0 });
    const form = await stage.show('?amt=25&Amount=1&ammount=5&utm_source=mail&FName=*|FNAME|*');
    const explanation = await form.explain();
    const of = (setting: string) => explanation?.settings.find((one) => one.setting === setting);
    expect(of('amount')).to.deep.equal({
      setting: 'amount',
      decided: { layer: 'url', name: 'amt', value: '25' },
      beaten: [{ layer: 'global', name: 'giftInfo.amount', value: 75 }],
      ignored: [{ layer: 'url', name: 'Amount', value: '1', reason: 'out-of-range' }],
    });
    expect(of('frequency')?.decided?.name).to.equal('giftInfo.frequency');
    expect(of('firstName')?.decided?.value).to.equal('Ana');
    expect(of('projectOverride')).to.deep.equal({
      setting: 'projectOverride',
      beaten: [],
      ignored: [
        {
          layer: 'global',
          name: 'giftInfo.projectCodeOverride',
          value: 'WATTER',
          reason: 'not-offered',
        },
      ],
    });
    expect(of('firstName')?.ignored).to.deep.equal([
      { layer: 'url', name: 'FName', value: '*|FNAME|*', reason: 'merge-tag' },
    ]);
    expect(explanation?.unread).to.deep.equal([
      { layer: 'url', name: 'ammount', reason: 'unknown', meant: 'amount' },
      { layer: 'global', name: 'giftinfo', reason: 'unknown', meant: 'giftInfo' },
      { layer: 'global', name: 'onSucces', reason: 'unknown', meant: 'onSuccess' },
    ]);
  });

  it('rule 14: refresh() reads settings that arrived after the form, and leaves what the donor entered', async () => {
    const form = await stage.show();
    type(form, 'firstName', 'Ana');
    pageSettings({
      giftInfo: { amount: 75, frequency: 'annually' },
      donorInfo: { firstName: 'Maria', lastName: 'Souza' },
    });
    form.refresh();
    await form.updateComplete;
    expect(words(form, 'button[type=submit]')).to.equal('Give $75 every year');
    expect([value(form, 'firstName'), value(form, 'lastName')]).to.deep.equal(['Ana', 'Souza']);
  });
});
