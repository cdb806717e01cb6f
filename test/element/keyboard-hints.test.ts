import { expect } from '@open-wc/testing';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { manyProjects } from '../full-form.ts';
import { exampleForm, fullForm } from './forms.ts';
import { findElement, selectCountry, testPage, waitForPaymentField, waitUntil } from './support.ts';

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

  it("does not treat the Enter key that ends an input method's composition as Enter", async () => {
    const form = await testPage.showForm();
    const field = findElement(form, '[name=firstName]');
    await waitUntil(() => getEnterKey(field) !== '');
    const pressEnter = (keyCode: number, isComposing = false): string => {
      field.focus();
      const options = { key: 'Enter', keyCode, isComposing, bubbles: true, cancelable: true };
      field.dispatchEvent(new KeyboardEvent('keydown', options));
      return (form.shadowRoot!.activeElement as HTMLInputElement).name;
    };
    // Safari has already ended the composition.
    expect(pressEnter(229)).to.equal('firstName');
    expect(pressEnter(13, true)).to.equal('firstName');
    expect(pressEnter(13)).to.equal('lastName');
  });
});

describe('keys that the donor types', () => {
  it("do not reach the page's shortcuts, except Tab, Escape, and keys with Ctrl or Meta", async () => {
    const form = await testPage.showForm();
    const button = document.createElement('button');
    button.slot = 'payment';
    form.append(button);
    await waitUntil(() => getEnterKey(findElement(form, '[name=firstName]')) !== '');
    const keys: string[] = [];
    const recordKey = ({ type, key }: KeyboardEvent): number => keys.push(`${type} ${key}`);
    const types = ['keydown', 'keypress', 'keyup'] as const;
    for (const type of types) document.addEventListener(type, recordKey);
    const press = (target: Element, key: string, init: KeyboardEventInit = {}): void => {
      for (const type of types)
        target.dispatchEvent(
          new KeyboardEvent(type, { key, bubbles: true, composed: true, ...init }),
        );
    };
    for (const selector of ['[name=firstName]', 'textarea', '[name=amount]', '[type=submit]'])
      for (const key of ['a', 'A', ' ', 'ArrowLeft', 'Home', 'Backspace'])
        press(findElement(form, selector), key);
    press(findElement(form, '[name=email]'), '@', { ctrlKey: true, altKey: true });
    expect(keys).to.deep.equal([]);
    press(findElement(form, '[name=firstName]'), 'Tab');
    press(findElement(form, '[name=firstName]'), 'Escape');
    press(findElement(form, '[name=firstName]'), 'k', { ctrlKey: true });
    press(findElement(form, '[name=firstName]'), 'j', { metaKey: true });
    press(button, 'b');
    expect(keys.filter((key) => key.startsWith('keydown'))).to.deep.equal(
      ['Tab', 'Escape', 'k', 'j', 'b'].map((key) => `keydown ${key}`),
    );
    for (const type of types) document.removeEventListener(type, recordKey);
  });
});
