import { expect } from '@open-wc/testing';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { manyProjects } from '../full-form.ts';
import { exampleForm, fullForm } from './forms.ts';
import { TestPage, findElement, selectCountry, waitForPaymentField, waitUntil } from './support.ts';

const listTypedFields = (form: DonationFormElement): HTMLInputElement[] =>
  [
    ...form.shadowRoot!.querySelectorAll<HTMLInputElement>(
      'input:not([type=radio], [type=checkbox]), textarea',
    ),
  ].filter((field) => field.tabIndex >= 0 && field.getClientRects().length > 0);

/** Returns the keyboard of a field, as a phone chooses it. */
const getKeyboard = ({ type, inputMode }: HTMLInputElement): string => inputMode || type;

function getEnterKey(field: HTMLInputElement): string {
  field.blur();
  field.focus();
  return field.enterKeyHint;
}

describe('keyboards on phones', () => {
  let testPage: TestPage;
  beforeEach(() => {
    testPage = new TestPage();
  });
  afterEach(() => testPage.restore());

  it('has a keyboard, autofill, and a label of the Enter key for every field', async () => {
    testPage.definition = { ...fullForm, projects: manyProjects };
    const form = await testPage.showForm();
    for (const control of ['split.enabled', 'organization.enabled'])
      findElement(form, `[name="${control}"]`).click();
    findElement(form, '[name="tribute.kind"][value=honor]').click();
    await selectCountry(form, 'US');
    findElement(form, '[name="split.projects"]').click();
    findElement(form, '.more').click();
    await waitForPaymentField(form);
    await waitUntil(() => findElement(form, '[name=postal]').inputMode);

    const fields = listTypedFields(form);
    const keyboards = Object.fromEntries(fields.map((field) => [field.name, getKeyboard(field)]));
    expect(keyboards).to.include({
      customAmount: 'decimal',
      'split.amount.1': 'decimal',
      'project.search': 'search',
      firstName: 'text',
      email: 'email',
      phone: 'tel',
      postal: 'numeric',
      'tribute.notify': 'email',
      'custom.105': 'numeric',
      'custom.106': 'decimal',
      'custom.108': 'url',
      comment: 'textarea',
    });
    const controls = [...fields, ...form.shadowRoot!.querySelectorAll('select')];
    expect(controls.filter(({ autocomplete }) => autocomplete === '')).to.deep.equal([]);
    const inputs = fields.filter(({ localName }) => localName === 'input');
    expect(inputs.length).to.be.above(15);
    for (const input of inputs)
      expect(getEnterKey(input), input.name).to.equal(input.type === 'search' ? 'search' : 'next');
  });

  it('labels the Enter key of the last field as submitting, if no payment field follows', async () => {
    testPage.definition = {
      ...exampleForm,
      allowComment: false,
      payments: [{ ...exampleForm.payments[0], methods: [], hasField: false }],
    };
    const form = await testPage.showForm();
    const fields = listTypedFields(form);
    await waitUntil(() => getEnterKey(fields[0]!) !== '');
    expect(fields.map((field) => `${field.name}: ${getEnterKey(field)}`)).to.deep.equal([
      'customAmount: next',
      'firstName: next',
      'lastName: next',
      'email: next',
      'phone: go',
    ]);
  });

  it('keeps letters for postal codes that have some', async () => {
    testPage.definition = fullForm;
    const form = await testPage.showForm();
    expect(findElement(form, '[name=postal]').inputMode).to.equal('');
  });
});
