import { expect } from '@open-wc/testing';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { exampleForm, fullForm } from './forms.ts';
import {
  clickControls,
  enterText,
  expectAccessible,
  fillDonor,
  findElement,
  getFocusedId,
  getText,
  submitForm,
  testPage,
  waitForPaymentField,
  waitUntil,
} from './support.ts';

const findSuggestion = (form: DonationFormElement): HTMLElement | null =>
  form.shadowRoot!.querySelector('.suggestion button');

/** Enters an address as a donor does, and leaves the field. */
async function enterEmail(form: DonationFormElement, email: string, name = 'email'): Promise<void> {
  const input = findElement(form, `[name="${name}"]`);
  input.focus();
  await waitUntil(() => input.closest('.field')!.querySelector('[role=status]'));
  enterText(form, `"${name}"`, email);
  input.blur();
  await form.updateComplete;
}

describe('suggested corrections of email addresses', () => {
  async function showForm(language = 'en'): Promise<DonationFormElement> {
    const form = await testPage.showForm('', { language });
    await waitForPaymentField(form);
    return form;
  }

  it('replaces the address and keeps the focus in its field', async () => {
    const form = await showForm();
    fillDonor(form);
    await enterEmail(form, 'ana@gmial.com');
    await waitUntil(() => findSuggestion(form));
    expect(getText(form, '.suggestion[role=status]')).to.equal('Did you mean ana@gmail.com?');
    await expectAccessible(form);
    findSuggestion(form)!.click();
    expect([
      findElement(form, '[name=email]').value,
      getFocusedId(form),
      findSuggestion(form),
    ]).to.deep.equal(['ana@gmail.com', 'email-control', null]);
    await submitForm(form);
    expect(testPage.requests.map((request) => request.donor.email)).to.deep.equal([
      'ana@gmail.com',
    ]);
  });

  it('never blocks, and disappears when the donor changes the address', async () => {
    const form = await showForm();
    fillDonor(form);
    await enterEmail(form, 'ana@gmial.com');
    await waitUntil(() => findSuggestion(form));
    enterText(form, 'email', 'ana@gmial.org');
    expect(findSuggestion(form)).to.equal(null);
    await enterEmail(form, 'ana@gmial.com');
    await waitUntil(() => findSuggestion(form));
    await submitForm(form);
    expect(testPage.requests.map((request) => request.donor.email)).to.deep.equal([
      'ana@gmial.com',
    ]);
  });

  it('disappears on reset(), and returns for the next misspelled address', async () => {
    const form = await showForm();
    await enterEmail(form, 'ana@gmial.com');
    await waitUntil(() => findSuggestion(form));
    form.reset();
    await form.updateComplete;
    expect(findSuggestion(form)?.textContent).to.equal(undefined);
    await enterEmail(form, 'ben@hotmial.com');
    await waitUntil(() => findSuggestion(form));
    expect(getText(form, '.suggestion')).to.equal('Did you mean ben@hotmail.com?');
  });

  it('corrects every email field', async () => {
    testPage.definition = { ...exampleForm, allowTribute: true };
    const form = await showForm();
    await clickControls(form, '[name="tribute.kind"][value=honor]');
    await enterEmail(form, 'ben@hotmial.com', 'tribute.notify');
    await waitUntil(() => findSuggestion(form));
    findSuggestion(form)!.click();
    expect(findElement(form, '[name="tribute.notify"]').value).to.equal('ben@hotmail.com');
  });

  it('shows the address from left to right in right-to-left text', async () => {
    testPage.definition = fullForm;
    const form = await showForm('ar');
    await enterEmail(form, 'ana@gmial.com');
    await waitUntil(() => findSuggestion(form));
    expect(getText(form, '.suggestion')).to.equal('هل تقصدون ana@gmail.com؟');
    const button = findSuggestion(form)!;
    const directions = [button, findElement(form, '.suggestion bdi')].map(
      (element) => getComputedStyle(element).direction,
    );
    expect(directions).to.deep.equal(['rtl', 'ltr']);
    const { right } = findElement(form, '.field:has([name=email])').getBoundingClientRect();
    expect(Math.abs(button.getBoundingClientRect().right - right)).to.be.below(1);
  });
});
