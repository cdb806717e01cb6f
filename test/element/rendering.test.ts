import { expect } from '@open-wc/testing';
import { enForm } from '../../src/core/i18n/en-form.ts';
import { findElement, getButtonText, testPage, waitUntil } from './support.ts';

/** Counts how often the form reads a text. */
function countReads<Texts extends object>(texts: Texts, name: keyof Texts & string): () => number {
  const text = texts[name];
  let reads = 0;
  Object.defineProperty(texts, name, {
    get: () => {
      reads += 1;
      return text;
    },
  });
  return () => reads;
}

describe('rendering', () => {
  it('renders neither the donor fields nor the frequencies again after a click on an amount', async () => {
    const countDonorFields = countReads(enForm.fields, 'email');
    const countFrequencies = countReads(enForm.frequencies, 'monthly');
    const form = await testPage.showForm();
    // The last scripts have changed the form.
    await waitUntil(() => form.shadowRoot!.querySelector('[name=website]'));
    await form.updateComplete;
    const before = [countDonorFields(), countFrequencies()];
    expect(Math.min(...before)).to.be.greaterThan(0);
    findElement(form, '[name=amount][value="2"]').click();
    await form.updateComplete;
    expect(getButtonText(form)).to.contain('$75');
    expect([countDonorFields(), countFrequencies()]).to.deep.equal(before);
  });
});
