import { expect } from '@open-wc/testing';
import { exampleForm } from './forms.ts';
import {
  TestPage,
  fillDonor,
  getFocusedId,
  query,
  setPageSettings,
  submitForm,
  enterText,
  getValue,
  waitUntil,
  getText,
} from './support.ts';
import { clickControl, selectOption, formWithAllSections } from './optional-sections-support.ts';

describe('optional sections', () => {
  let testPage: TestPage;
  beforeEach(() => {
    testPage = new TestPage();
    testPage.definition = formWithAllSections;
  });
  afterEach(() => testPage.restore());

  it('submits custom fields in the format of their data type', async () => {
    setPageSettings({ customFieldPreset: [{ id: '13', value: 'Well Ltd' }] });
    const form = await testPage.showForm();
    fillDonor(form);
    for (const [id, text] of [
      ['11', '2026-12-24'],
      ['12', '1,250.50'],
      ['15', 'example.org'],
      ['16', '٣'],
      ['17', 'Good luck'],
    ] as const)
      enterText(form, `"custom.${id}"`, text);
    for (const selector of [
      '[name="custom.10"][value=false]',
      '[name="custom.18"][value=b]',
      '[name="custom.18"][value=a]',
      '[name="consent.terms"]',
    ])
      await clickControl(form, selector);
    await selectOption(form, '[name="custom.14"]', 'web');
    await submitForm(form);
    expect(testPage.postedDonations[0]?.request.customFields).to.deep.equal([
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
    expect(testPage.postedDonations[0]?.request.consents).to.deep.equal([
      { id: 'terms', text: 'You may keep my details.', given: true },
      { id: 'news', text: 'Write to me.', given: false },
    ]);
  });

  it('shows missing optional fields at their controls and links to them from the summary', async () => {
    const form = await testPage.showForm();
    fillDonor(form);
    await clickControl(form, '[name="organization.enabled"]');
    await clickControl(form, '[name="tribute.kind"][value=memory]');
    enterText(form, '"custom.16"', '1.5');
    await submitForm(form);
    const entries = [...form.shadowRoot!.querySelectorAll('#notice li')].map((entry) =>
      entry.textContent.trim(),
    );
    expect(entries).to.deep.equal([
      'Enter the name of that person.',
      'Enter the name of the organization.',
      'Fill in “How”.',
      'Enter a whole number, such as 12.',
      'Check this box so that we can accept your gift.',
    ]);
    query(form, '#notice li:nth-child(3) button').click();
    expect(getFocusedId(form)).to.equal('custom.14-control');
    expect(testPage.postedDonations.length).to.equal(0);
  });

  it('rule 44: accepts country and state of a link by code or name, and ignores unknown ones', async () => {
    const fields = [
      ...exampleForm.donorFields,
      ...(['country', 'address1', 'city', 'state', 'postal'] as const).map((name) => ({
        name,
        required: true,
      })),
    ];
    testPage.definition = { ...exampleForm, donorFields: fields };
    const expectAddress = async (search: string, chosen: string): Promise<void> => {
      const form = await testPage.showForm(search);
      await waitUntil(
        () => form.shadowRoot!.querySelectorAll('#country-control option').length > 3,
      );
      const readState = (): string | undefined =>
        form.shadowRoot!.querySelector<HTMLInputElement>('[name=state]')?.value;
      await waitUntil(() => [getValue(form, 'country'), readState()].join() === chosen);
    };
    await expectAddress('?country=usa&state=new%20york', 'US,NY');
    await expectAddress('?country=Germany&state=Bavaria', 'DE,');
    await expectAddress('?country=Atlantis', ',');
  });

  it('requires the address fields of the country and omits unused ones', async () => {
    const fields = [
      ...exampleForm.donorFields,
      ...(['country', 'address1', 'city', 'state', 'postal'] as const).map((name) => ({
        name,
        required: true,
      })),
    ];
    testPage.definition = { ...exampleForm, donorFields: fields };
    const form = await testPage.showForm('?country=US&state=CA');
    fillDonor(form);
    await waitUntil(() => form.shadowRoot!.querySelectorAll('#country-control option').length > 3);
    await submitForm(form);
    expect(
      [...form.shadowRoot!.querySelectorAll('#notice li')].map((entry) => entry.textContent.trim()),
    ).to.deep.equal(['Fill in “Address”.', 'Fill in “City”.', 'Fill in “ZIP code”.']);
    await selectOption(form, '#country-control', 'DE');
    await waitUntil(() => !form.shadowRoot!.querySelector('[name=state]'));
    for (const [name, text] of [
      ['address1', 'Hauptstraße 1'],
      ['city', 'Berlin'],
      ['postal', '101'],
    ] as const)
      enterText(form, name, text);
    await submitForm(form);
    expect(getText(form, '#postal-error')).to.equal(
      'Check “Postal code”. It should look like 26133.',
    );
    enterText(form, 'postal', '10115');
    await submitForm(form);
    expect(testPage.postedDonations[0]?.request.donor).to.deep.equal({
      firstName: 'Ana',
      lastName: 'Souza',
      email: 'ana@example.org',
      address1: 'Hauptstraße 1',
      city: 'Berlin',
      postal: '10115',
      country: 'DE',
    });
  });

  it('finds a project by any word without submitting the search', async () => {
    testPage.definition = {
      ...exampleForm,
      projects: [
        { id: '0', name: 'Where it is needed most' },
        ...Array.from({ length: 20 }, (_none, index) => ({
          id: String(index + 1),
          name: `Well at Élder Spring ${index + 1}`,
        })),
      ],
    };
    const form = await testPage.showForm();
    enterText(form, '"project.search"', 'spring elder 12');
    await form.updateComplete;
    expect(
      [...form.shadowRoot!.querySelectorAll('.project:not([hidden])')].map((row) =>
        row.textContent.trim(),
      ),
    ).to.deep.equal(['Where it is needed most', 'Well at Élder Spring 12']);
    expect(getText(form, '#projects-found')).to.equal('1 project');
    query(form, '[name="project.search"]').dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }),
    );
    await clickControl(form, '[name=project][value="12"]');
    fillDonor(form);
    await submitForm(form);
    expect(testPage.postedDonations.map(({ request }) => request.gift.projects)).to.deep.equal([
      [{ id: '12', amount: 5_000 }],
    ]);
  });

  it('rule 46: shows the amounts of another currency and keeps the input', async () => {
    const form = await testPage.showForm();
    await selectOption(form, '#currency', 'JPY');
    expect([
      getText(form, '.tiles .choice'),
      form.shadowRoot!.querySelector('[part=fee-cover]'),
    ]).to.deep.equal(['¥3,000', null]);
    enterText(form, 'customAmount', '4000');
    await form.updateComplete;
    expect(getText(form, 'button[type=submit]')).to.equal('Give ¥4,000');
    await selectOption(form, '#currency', 'USD');
    expect(getText(form, 'button[type=submit]')).to.equal('Give $4,000');
  });
});
