import { expect, waitUntil } from '@open-wc/testing';
import type { FormDefinition } from '../../src/contract/form-definition.ts';
import type { DonationFormElement } from '../../src/element/donation-form.ts';
import { exampleForm } from '../example-form.ts';
import {
  Stage,
  accessible,
  checked,
  fill,
  focused,
  inside,
  pageSettings,
  press,
  problem,
  ready,
  type,
  value,
  words,
} from './support.ts';

const field = { formatter: 0, required: false } as const;
const [usd, ...currencies] = exampleForm.currencies;
const whole: FormDefinition = {
  ...exampleForm,
  currencies: [
    { ...usd, giftArrays: { monthly: [{ value: 1_000 }, { value: 1_500, isDefault: true }] } },
    ...currencies,
  ],
  suggestsMonthly: true,
  acceptsSplit: true,
  acceptsTribute: true,
  acceptsOrganizations: true,
  acceptsAnonymity: true,
  projects: [
    { id: '1', code: 'GENERAL', name: 'Where it is needed most' },
    {
      id: '2',
      code: 'WATER',
      name: 'Village wells',
      goal: { raised: 1_200_000, target: 5_000_000 },
    },
    { id: '3', name: 'Taps at schools' },
  ],
  consents: [
    { id: 'terms', words: 'You may keep my details.', required: true },
    { id: 'news', words: 'Write to me.', required: false },
  ],
  customFields: [
    { ...field, id: '10', type: 0, label: 'First time?', formatter: 9 },
    { ...field, id: '11', type: 1, label: 'Day' },
    { ...field, id: '12', type: 2, label: 'Match', formatter: 4 },
    { ...field, id: '13', type: 3, label: 'Employer' },
    {
      ...field,
      id: '14',
      type: 4,
      label: 'How',
      required: true,
      options: [
        { value: 'tv', label: 'Television' },
        { value: 'web', label: 'The web' },
      ],
    },
    { ...field, id: '15', type: 5, label: 'Page' },
    { ...field, id: '16', type: 6, label: 'People', formatter: 1 },
    { ...field, id: '17', type: 7, label: 'Word' },
    {
      ...field,
      id: '18',
      type: 8,
      label: 'Topics',
      formatter: 7,
      options: [
        { value: 'a', label: 'Wells' },
        { value: 'b', label: 'Rivers' },
      ],
    },
  ],
};

const pick = async (form: DonationFormElement, selector: string): Promise<void> => {
  inside(form, selector).click();
  await form.updateComplete;
};
const select = async (
  form: DonationFormElement,
  selector: string,
  chosen: string,
): Promise<void> => {
  inside(form, selector).value = chosen;
  inside(form, selector).dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  await form.updateComplete;
};

describe('donation-form, with all its parts', () => {
  let stage: Stage;
  beforeEach(() => {
    stage = new Stage();
    stage.definition = whole;
  });
  afterEach(() => stage.end());

  it('passes axe as it is shown, with its parts opened, and with every message at its place', async () => {
    const form = await stage.show();
    await accessible(form);
    for (const selector of [
      '[name="split.on"]',
      '[name="tribute.kind"][value=honor]',
      '[name="organization.is"]',
    ])
      await pick(form, selector);
    await pick(form, '[name="split.chosen"][value="2"]');
    await accessible(form);
    await press(form);
    await accessible(form);
  });

  it('sends every custom field as its data type has it', async () => {
    pageSettings({ customFieldPreset: [{ id: '13', value: 'Well Ltd' }] });
    const form = await stage.show();
    fill(form);
    for (const [id, text] of [
      ['11', '2026-12-24'],
      ['12', '1,250.50'],
      ['15', 'example.org'],
      ['16', '٣'],
      ['17', 'Good luck'],
    ] as const)
      type(form, `"custom.${id}"`, text);
    for (const selector of [
      '[name="custom.10"][value=false]',
      '[name="custom.18"][value=b]',
      '[name="custom.18"][value=a]',
      '[name="consent.terms"]',
    ])
      await pick(form, selector);
    await select(form, '[name="custom.14"]', 'web');
    await press(form);
    expect(stage.posted[0]?.request.customFields).to.deep.equal([
      { id: '10', value: 'false' },
      { id: '11', value: '2026-12-24' },
      { id: '12', value: '1250.50' },
      { id: '13', value: 'Well Ltd' },
      { id: '14', value: 'web' },
      { id: '15', value: 'https://example.org' },
      { id: '16', value: '3' },
      { id: '17', value: 'Good luck' },
      { id: '18', value: 'a,b' },
    ]);
    expect(stage.posted[0]?.request.consents).to.deep.equal([
      { id: 'terms', words: 'You may keep my details.', given: true },
      { id: 'news', words: 'Write to me.', given: false },
    ]);
  });

  it('names what is missing in its rarer parts at its place, and leads there from the summary', async () => {
    const form = await stage.show();
    fill(form);
    await pick(form, '[name="organization.is"]');
    await pick(form, '[name="tribute.kind"][value=memory]');
    type(form, '"custom.16"', '1.5');
    await press(form);
    const entries = [...form.shadowRoot!.querySelectorAll('#notice li')].map((entry) =>
      entry.textContent.trim(),
    );
    expect(entries).to.deep.equal([
      'Write the name.',
      'Write the name of the organisation.',
      'Fill in “How”.',
      'Write a whole number with digits, such as 12.',
      'Without this we cannot take your gift.',
    ]);
    inside(form, '#notice li:nth-child(3) button').click();
    expect(focused(form)).to.equal('custom.14-control');
    expect(stage.posted.length).to.equal(0);
  });

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

  it("rule 44: understands a link's country and state by code or name, and leaves out what is none", async () => {
    const fields = [
      ...exampleForm.donorFields,
      ...(['country', 'address1', 'city', 'state', 'postal'] as const).map((name) => ({
        name,
        required: true,
      })),
    ];
    stage.definition = { ...exampleForm, donorFields: fields };
    const chosen = async (search: string): Promise<string> => {
      const form = await stage.show(search);
      await waitUntil(
        () => form.shadowRoot!.querySelectorAll('#country-control option').length > 3,
        search,
        { timeout: 5_000 },
      );
      await waitUntil(
        () =>
          value(form, 'country') === '' ||
          form.shadowRoot!.querySelector('[name=postal]')?.closest('.row-start, .field'),
        search,
      );
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
      return [
        value(form, 'country'),
        form.shadowRoot!.querySelector<HTMLInputElement>('[name=state]')?.value,
      ].join();
    };
    expect(await chosen('?country=usa&state=new%20york')).to.equal('US,NY');
    expect(await chosen('?country=Germany&state=Bavaria')).to.equal('DE,');
    expect(await chosen('?country=Atlantis')).to.equal(',');
  });

  it('an address needs what its country needs, and is sent without what the country does not have', async () => {
    const fields = [
      ...exampleForm.donorFields,
      ...(['country', 'address1', 'city', 'state', 'postal'] as const).map((name) => ({
        name,
        required: true,
      })),
    ];
    stage.definition = { ...exampleForm, donorFields: fields };
    const form = await stage.show('?country=US&state=CA');
    fill(form);
    await waitUntil(
      () => form.shadowRoot!.querySelectorAll('#country-control option').length > 3,
      'countries',
      { timeout: 5_000 },
    );
    await press(form);
    expect(
      [...form.shadowRoot!.querySelectorAll('#notice li')].map((entry) => entry.textContent.trim()),
    ).to.deep.equal([
      'Please fill in “Address”.',
      'Please fill in “City”.',
      'Please fill in “ZIP code”.',
    ]);
    await select(form, '#country-control', 'DE');
    await waitUntil(() => !form.shadowRoot!.querySelector('[name=state]'));
    for (const [name, text] of [
      ['address1', 'Hauptstraße 1'],
      ['city', 'Berlin'],
      ['postal', '101'],
    ] as const)
      type(form, name, text);
    await press(form);
    expect(words(form, '#postal-problem')).to.equal(
      'Check “Postal code”; it should look like 26133.',
    );
    type(form, 'postal', '10115');
    await press(form);
    expect(stage.posted[0]?.request.donor).to.deep.equal({
      firstName: 'Ana',
      lastName: 'Souza',
      email: 'ana@example.org',
      address1: 'Hauptstraße 1',
      city: 'Berlin',
      postal: '10115',
      country: 'DE',
    });
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
    stage.answers.push(problem(409, 'definition-changed'));
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

  it('finds a project among many by any of its words, without sending the search', async () => {
    stage.definition = {
      ...exampleForm,
      projects: [
        { id: '0', name: 'Where it is needed most' },
        ...Array.from({ length: 20 }, (_none, index) => ({
          id: String(index + 1),
          name: `Well at Élder Spring ${index + 1}`,
        })),
      ],
    };
    const form = await stage.show();
    type(form, '"project.find"', 'spring elder 12');
    await form.updateComplete;
    expect(
      [...form.shadowRoot!.querySelectorAll('.project:not([hidden])')].map((row) =>
        row.textContent.trim(),
      ),
    ).to.deep.equal(['Well at Élder Spring 12']);
    expect(words(form, '#projects-found')).to.equal('1 project');
    inside(form, '[name="project.find"]').dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }),
    );
    await pick(form, '[name=project][value="12"]');
    fill(form);
    await press(form);
    expect(stage.posted.map(({ request }) => request.gift.projects)).to.deep.equal([
      [{ id: '12', amount: 5_000 }],
    ]);
  });

  it('rule 46: another currency shows its own amounts, and keeps what was typed', async () => {
    const form = await stage.show();
    await select(form, '#currency', 'JPY');
    expect([
      words(form, '.tiles .choice'),
      form.shadowRoot!.querySelector('[part=costs]'),
    ]).to.deep.equal(['¥3,000', null]);
    type(form, 'customAmount', '4000');
    await form.updateComplete;
    expect(words(form, 'button[type=submit]')).to.equal('Give ¥4,000');
    await select(form, '#currency', 'USD');
    expect(words(form, 'button[type=submit]')).to.equal('Give $4,000');
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
