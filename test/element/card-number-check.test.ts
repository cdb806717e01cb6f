import { expect } from '@open-wc/testing';
import type { CustomFieldOffer } from '../../src/core/schemas/form-definition.ts';
import { fullForm } from './forms.ts';
import {
  clickControls,
  enterText,
  expectAccessible,
  fillDonor,
  findElement,
  getText,
  submitForm,
  testPage,
  waitForPaymentField,
  waitUntil,
} from './support.ts';

const CARD = '4242 4242 4242 4242';
const MESSAGE =
  'This looks like a card number. Please remove it and enter card details only under Payment.';
const createCustomField = (
  id: string,
  type: CustomFieldOffer['type'],
  label?: string,
): CustomFieldOffer => ({
  id,
  type,
  formatter: 0,
  required: false,
  ...(label && { label }),
});

describe('card numbers in text fields', () => {
  it('are reported in every text field on submit, and nothing is sent', async () => {
    testPage.definition = {
      ...fullForm,
      customFields: [
        createCustomField('text', 3, 'A text'),
        createCustomField('long', 7, 'A long text'),
        createCustomField('hidden', 3),
        createCustomField('count', 6, 'A number'),
      ],
    };
    const form = await testPage.showForm('', { language: 'en' });
    await waitForPaymentField(form);
    findElement(form, '[name="tribute.kind"][value=honor]').click();
    await clickControls(form, '[name="organization.enabled"]');
    enterText(form, 'country', 'DE');
    await waitUntil(() => form.shadowRoot!.querySelector('[name=postal]'));
    const textControls = [
      'firstName',
      'lastName',
      'address1',
      'address2',
      'city',
      'comment',
      'tribute.name',
      'tribute.message',
      'organization.name',
      'custom.text',
      'custom.long',
    ];
    const controlNames = [
      ...form.shadowRoot!.querySelectorAll<HTMLInputElement>('input[type=text], textarea'),
    ]
      .map(({ name }) => name)
      .filter((name) => textControls.includes(name));
    for (const name of controlNames) enterText(form, `"${name}"`, `mine: ${CARD}`);
    for (const name of ['phone', 'custom.count']) enterText(form, `"${name}"`, CARD);
    await form.updateComplete;
    await submitForm(form);
    const invalidControls = [...form.shadowRoot!.querySelectorAll('.error')]
      .filter((problem) => problem.textContent === MESSAGE)
      .map(({ id }) => id.replace('-error', ''));
    expect(invalidControls.sort()).to.deep.equal(controlNames.sort());
    expect(controlNames).to.include.members([
      'firstName',
      'comment',
      'tribute.message',
      'organization.name',
      'custom.text',
      'custom.long',
      'city',
    ]);
    expect(testPage.postedDonations.length).to.equal(0);
    expect([
      findElement(form, '#comment').getAttribute('aria-invalid'),
      findElement(form, '#comment').getAttribute('aria-describedby'),
    ]).to.deep.equal(['true', 'comment-error']);
    await expectAccessible(form);
  });

  it('are reported on blur until removed', async () => {
    const form = await testPage.showForm();
    await waitForPaymentField(form);
    enterText(form, 'comment', `For the wells ${CARD}`);
    await form.updateComplete;
    expect(form.shadowRoot!.querySelector('#comment-error')).to.equal(null);
    findElement(form, '#comment').dispatchEvent(
      new FocusEvent('focusout', { bubbles: true, composed: true }),
    );
    await form.updateComplete;
    expect(getText(form, '#comment-error')).to.equal(MESSAGE);
    enterText(form, 'comment', 'For the wells');
    await form.updateComplete;
    expect(form.shadowRoot!.querySelector('#comment-error')).to.equal(null);
    fillDonor(form);
    await submitForm(form);
    expect(testPage.requests[0]?.gift.comment).to.equal('For the wells');
  });
});
