import { expect } from '@open-wc/testing';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { exampleForm } from './forms.ts';
import { formWithAllSections } from './optional-sections-support.ts';
import {
  clickControls,
  enterText,
  fillDonor,
  findElement,
  getButtonText,
  getFocusedId,
  getText,
  getValue,
  selectOption,
  setPageSettings,
  submitForm,
  testPage,
  waitUntil,
} from './support.ts';

describe('optional sections', () => {
  beforeEach(() => {
    testPage.definition = formWithAllSections;
  });

  it('submits custom fields in the format of their data type', async () => {
    setPageSettings({ customFieldPreset: [{ id: '13', value: 'Well Ltd' }] });
    const form = await testPage.showFilledForm();
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
      await clickControls(form, selector);
    await selectOption(form, '[name="custom.14"]', 'web');
    await submitForm(form);
    expect(testPage.requests[0]?.customFields).to.deep.equal([
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
    expect(testPage.requests[0]?.consents).to.deep.equal([
      { id: 'terms', text: 'You may keep my details.', given: true },
      { id: 'news', text: 'Write to me.', given: false },
    ]);
  });

  it('shows missing optional fields at their controls and links to them from the summary', async () => {
    const form = await testPage.showFilledForm();
    await clickControls(
      form,
      '[name="organization.enabled"]',
      '[name="tribute.kind"][value=memory]',
    );
    expect(form.shadowRoot!.textContent).to.contain(
      'Lanternwell can pass your message on to them.',
    );
    enterText(form, '"custom.16"', '1.5');
    await submitForm(form);
    const entries = [...form.shadowRoot!.querySelectorAll('#notice li')].map((entry) =>
      entry.textContent.trim(),
    );
    expect(entries).to.deep.equal([
      'Enter their name.',
      'Enter the name of the organization.',
      '“How” is required.',
      'Enter a whole number, such as 12.',
      'Please check this box to continue.',
    ]);
    findElement(form, '#notice li:nth-child(3) button').click();
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

  it('keeps the focus on the country if the list of countries fails to load', async () => {
    testPage.definition = {
      ...exampleForm,
      donorFields: [...exampleForm.donorFields, { name: 'country', required: true }],
    };
    let failRequest = (): void => undefined;
    const failure = new Promise<Response>((_resolve, reject) => {
      failRequest = () => reject(new TypeError('Failed to fetch'));
    });
    const fetch = window.fetch.bind(window);
    window.fetch = (input, init) =>
      (input as string).endsWith('/countries') ? failure : fetch(input, init);
    // With its own port, the form does not get the countries that another form has loaded.
    const form = await testPage.showForm('', { endpoint: 'https://give.test:8443/' });
    findElement(form, 'select[name=country]').focus();
    failRequest();
    await waitUntil(() => form.shadowRoot!.querySelector('input[name=country]'));
    await waitUntil(() => getFocusedId(form) === 'country-control');
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
    const form = await testPage.showFilledForm('?country=US&state=CA');
    await waitUntil(() => form.shadowRoot!.querySelectorAll('#country-control option').length > 3);
    await submitForm(form);
    expect(
      [...form.shadowRoot!.querySelectorAll('#notice li')].map((entry) => entry.textContent.trim()),
    ).to.deep.equal(['“Address” is required.', '“City” is required.', '“ZIP code” is required.']);
    findElement(form, '#country-control').focus();
    await selectOption(form, '#country-control', 'DE');
    await waitUntil(() => !form.shadowRoot!.querySelector('[name=state]'));
    expect(getFocusedId(form)).to.equal('country-control');
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
    expect(testPage.requests[0]?.donor).to.deep.equal({
      firstName: 'Ana',
      lastName: 'Souza',
      email: 'ana@example.org',
      address1: 'Hauptstraße 1',
      city: 'Berlin',
      postal: '10115',
      country: 'DE',
    });
  });

  describe('with many projects', () => {
    const formWithProjects: FormDefinition = {
      ...exampleForm,
      projects: [
        { id: '0', name: 'Where it is needed most' },
        ...Array.from({ length: 20 }, (_none, index) => ({
          id: String(index + 1),
          name: `Well at Élder Spring ${index + 1}`,
        })),
      ],
    };
    const listRows = (form: DonationFormElement): (string | undefined)[] =>
      [...form.shadowRoot!.querySelectorAll('.project:not([hidden])')].map((row) =>
        row.textContent.trim().replace('Well at Élder Spring ', ''),
      );
    const openSearch = async (form: DonationFormElement): Promise<void> => {
      await clickControls(form, '.more');
      await waitUntil(() => getFocusedId(form) === 'project.search-control');
    };
    beforeEach(() => {
      testPage.definition = formWithProjects;
    });

    it('shows the default project and four others until the donor opens the search', async () => {
      const form = await testPage.showForm('?projectpreselect=12');
      expect([listRows(form), getText(form, '.more')]).to.deep.equal([
        ['Where it is needed most', '1', '2', '3', '12'],
        'More projects (16)',
      ]);
      await clickControls(form, '[name=project][value="2"]');
      expect(listRows(form)).to.deep.equal(['Where it is needed most', '1', '2', '3', '12']);
      await openSearch(form);
      expect(listRows(form)).to.have.length(21);
      expect(getText(form, '#projects-found')).to.equal('21 projects');
      expect(form.shadowRoot!.querySelector('.more')).to.equal(null);
    });

    it('finds a project by any word without submitting the search', async () => {
      const form = await testPage.showForm();
      await openSearch(form);
      enterText(form, '"project.search"', 'spring elder 12');
      await form.updateComplete;
      expect(listRows(form)).to.deep.equal(['Where it is needed most', '12']);
      expect(getText(form, '#projects-found')).to.equal('1 project');
      findElement(form, '[name="project.search"]').dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }),
      );
      await clickControls(form, '[name=project][value="12"]');
      fillDonor(form);
      await submitForm(form);
      expect(testPage.requests.map((request) => request.gift.projects)).to.deep.equal([
        [{ id: '12', amount: 5_000 }],
      ]);
    });

    it('keeps the selected project visible while the others are searched and scrolled', async () => {
      const form = await testPage.showForm('?projectpreselect=18');
      await openSearch(form);
      const list = findElement(form, '.projects').getBoundingClientRect();
      for (const scrollTop of [0, 400, 10_000]) {
        findElement(form, '.projects').scrollTop = scrollTop;
        const row = findElement(form, '.project:has(:checked)').getBoundingClientRect();
        expect(row.top).to.be.at.least(list.top);
        expect(row.bottom).to.be.at.most(list.bottom);
      }
      enterText(form, '"project.search"', 'zzz');
      await form.updateComplete;
      expect(listRows(form)).to.deep.equal(['18']);
      expect(getText(form, '#projects-found')).to.equal('No projects match “zzz”');
      await clickControls(form, '.more');
      await waitUntil(() => getFocusedId(form) === 'project.search-control');
      expect([listRows(form).length, findElement(form, '[type=search]').value]).to.deep.equal([
        21,
        '',
      ]);
    });

    it('keeps every part of a split donation visible', async () => {
      testPage.definition = { ...formWithProjects, allowSplit: true };
      const form = await testPage.showForm();
      await clickControls(form, '[name="split.enabled"]');
      await openSearch(form);
      for (const id of ['1', '20'])
        await clickControls(form, `[name="split.projects"][value="${id}"]`);
      enterText(form, '"project.search"', 'zzz');
      await form.updateComplete;
      expect(listRows(form).map((row) => row?.split(/\D/)[0])).to.deep.equal(['1', '20']);
      const { scrollHeight, clientHeight } = findElement(form, '.projects');
      expect(scrollHeight).to.equal(clientHeight);
    });
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
    expect(getButtonText(form)).to.equal('Give ¥4,000');
    await selectOption(form, '#currency', 'USD');
    expect(getButtonText(form)).to.equal('Give $4,000');
  });
});
