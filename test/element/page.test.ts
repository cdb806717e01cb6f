import { expect } from '@open-wc/testing';
import type { DonationFormErrorEvent } from '../../src/donation-form/index.ts';
import {
  Stage,
  fill,
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
