import { expect } from '@open-wc/testing';
import { exampleForm } from '../example-form.ts';
import {
  Stage,
  checked,
  fill,
  inside,
  pageSettings,
  press,
  problem,
  ready,
  type,
  value,
  waitUntil,
  words,
} from './support.ts';
import { pick, select, whole } from './whole-form-support.ts';

describe('donation-form, with all its parts', () => {
  let stage: Stage;
  beforeEach(() => {
    stage = new Stage();
    stage.definition = whole;
  });
  afterEach(() => stage.end());

  it('rule 36: divides a gift over projects, says what each gets, and sends parts that sum to it', async () => {
    const form = await stage.show();
    fill(form);
    await select(form, '[name="custom.14"]', 'tv');
    await pick(form, '[name="consent.terms"]');
    await pick(form, '[name="split.on"]');
    await press(form);
    expect(words(form, '#notice')).to.contain('Choose at least one project.');
    for (const id of ['1', '2', '3']) await pick(form, `[name="split.chosen"][value="${id}"]`);
    type(form, '"part.2"', '20');
    await form.updateComplete;
    expect(
      [...form.shadowRoot!.querySelectorAll('.part .hint')].map((hint) => hint.textContent),
    ).to.deep.equal(['gets $15', 'gets $15']);
    type(form, '"part.1"', '40');
    await press(form);
    expect(words(form, '[id="split.chosen-problem"]')).to.contain(
      'The parts come to $60, and your gift is $50.',
    );
    type(form, '"part.1"', '10');
    await press(form);
    expect(stage.posted[0]?.request.gift.projects).to.deep.equal([
      { id: '1', amount: 1_000 },
      { id: '2', amount: 2_000 },
      { id: '3', amount: 2_000 },
    ]);
  });

  it('suggests a monthly gift to who gives once, takes it with one press, and asks no more', async () => {
    const form = await stage.show();
    expect(words(form, '.nudge button')).to.equal('Give $15 every month instead');
    await pick(form, '.nudge button');
    expect([
      checked(form, 'frequency'),
      checked(form, 'amount'),
      words(form, 'button[type=submit]'),
    ]).to.deep.equal(['monthly', '1', 'Give $15 every month']);
    expect(words(form, '.nudge')).to.contain('Your gift is now $15 every month.');
    expect(form.shadowRoot!.querySelector('.nudge button')).to.equal(null);
  });

  it('shows how far a project with a goal has come', async () => {
    const form = await stage.show();
    expect(form.shadowRoot!.querySelector('progress')).to.equal(null);
    await select(form, '#project', '2');
    expect([words(form, '.goal'), inside(form, 'progress').getAttribute('value')]).to.deep.equal([
      '$12,000 of $50,000 raised',
      '1200000',
    ]);
  });

  it('taking the suggestion leaves everything else as it was entered', async () => {
    const form = await stage.show();
    fill(form);
    await select(form, '#project', '2');
    await pick(form, '[name=coverCosts]');
    await pick(form, '.nudge button');
    expect([
      value(form, 'firstName'),
      value(form, 'project'),
      inside(form, '[name=coverCosts]').checked,
    ]).to.deep.equal(['Ana', '2', true]);
  });

  it('keeps the chosen currency and amount where the form was changed meanwhile', async () => {
    stage.definition = exampleForm;
    const form = await stage.show();
    fill(form);
    await select(form, '#currency', 'JPY');
    type(form, 'customAmount', '4000');
    stage.answers.push(problem(409, 'form-outdated'));
    stage.etag = '"2"';
    await press(form);
    expect(words(form, 'button[type=submit]')).to.equal('Give ¥4,000');
    await press(form);
    expect(stage.posted.map(({ request: { gift } }) => [gift.currency, gift.amount])).to.deep.equal(
      [
        ['JPY', 4_000],
        ['JPY', 4_000],
      ],
    );
  });

  it('rule 39: a late project takes the place of the parts only when the donor has seen it', async () => {
    const form = await stage.show();
    fill(form);
    await select(form, '[name="custom.14"]', 'tv');
    await pick(form, '[name="consent.terms"]');
    await pick(form, '[name="split.on"]');
    for (const id of ['1', '2']) await pick(form, `[name="split.chosen"][value="${id}"]`);
    pageSettings({ giftInfo: { projectCodeOverride: 'GENERAL' } });
    await press(form);
    expect([
      stage.posted.length,
      words(form, '#notice').includes('The page has changed this gift'),
    ]).to.deep.equal([0, true]);
  });

  it("speaks the operator's own words where the definition has them", async () => {
    stage.definition = {
      ...exampleForm,
      texts: {
        donor: 'Your details',
        'fields.firstName': 'Given name',
        'missing.firstName': 'Please tell us your given name.',
        give: 'Donate {gift}',
      },
    };
    const form = await stage.show();
    expect([
      words(form, '[part=donor] legend'),
      words(form, '[for=firstName-control]'),
      words(form, 'button[type=submit]'),
    ]).to.deep.equal(['Your details', 'Given name', 'Donate $50']);
    await press(form);
    expect(words(form, '#firstName-problem')).to.equal('Please tell us your given name.');
  });

  it('tells the page of every change of the gift, and says nothing of who gives', async () => {
    const form = await stage.show();
    await ready(form);
    const heard: unknown[] = [];
    form.addEventListener('donation-form-change', ({ gift }) => heard.push(gift));
    await pick(form, '[name=frequency][value=annually]');
    type(form, 'firstName', 'Ana');
    await pick(form, '[name=amount][value="2"]');
    await pick(form, '[name=coverCosts]');
    expect(heard).to.deep.equal([
      {
        amount: 5_000,
        costs: 0,
        total: 5_000,
        currency: 'USD',
        decimals: 2,
        frequency: 'annually',
        projectId: '1',
      },
      {
        amount: 7_500,
        costs: 0,
        total: 7_500,
        currency: 'USD',
        decimals: 2,
        frequency: 'annually',
        projectId: '1',
      },
      {
        amount: 7_500,
        costs: 255,
        total: 7_755,
        currency: 'USD',
        decimals: 2,
        frequency: 'annually',
        projectId: '1',
      },
    ]);
  });

  it('is emptied by reset(), back to its settings, before and after a gift', async () => {
    stage.definition = exampleForm;
    const form = await stage.show('?fname=Ana');
    type(form, 'lastName', 'Souza');
    type(form, 'customAmount', '33');
    await press(form);
    form.reset();
    await form.updateComplete;
    expect([
      value(form, 'firstName'),
      value(form, 'lastName'),
      checked(form, 'amount'),
      form.shadowRoot!.querySelector('#notice'),
    ]).to.deep.equal(['Ana', '', '1', null]);
    fill(form);
    await press(form);
    expect(words(form, 'h2')).to.equal('Thank you, Ana!');
    form.reset();
    await waitUntil(() => form.querySelector('[slot=payment]'));
    fill(form);
    await press(form);
    expect(new Set(stage.posted.map(({ key }) => key)).size).to.equal(2);
  });
});
