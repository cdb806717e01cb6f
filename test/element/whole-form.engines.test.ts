import { expect } from '@open-wc/testing';
import { exampleForm } from '../example-form.ts';
import {
  Stage,
  fill,
  focused,
  inside,
  pageSettings,
  press,
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

  it("rule 44: understands a link's country and state by code or name, and leaves out what is none", async () => {
    const fields = [
      ...exampleForm.donorFields,
      ...(['country', 'address1', 'city', 'state', 'postal'] as const).map((name) => ({
        name,
        required: true,
      })),
    ];
    stage.definition = { ...exampleForm, donorFields: fields };
    const expectChosen = async (search: string, chosen: string): Promise<void> => {
      const form = await stage.show(search);
      await waitUntil(
        () => form.shadowRoot!.querySelectorAll('#country-control option').length > 3,
      );
      const state = (): string | undefined =>
        form.shadowRoot!.querySelector<HTMLInputElement>('[name=state]')?.value;
      await waitUntil(() => [value(form, 'country'), state()].join() === chosen);
    };
    await expectChosen('?country=usa&state=new%20york', 'US,NY');
    await expectChosen('?country=Germany&state=Bavaria', 'DE,');
    await expectChosen('?country=Atlantis', ',');
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
    await waitUntil(() => form.shadowRoot!.querySelectorAll('#country-control option').length > 3);
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
});
