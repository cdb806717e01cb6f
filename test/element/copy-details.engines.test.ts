import { expect } from '@open-wc/testing';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { exampleForm } from './forms.ts';
import {
  expectAccessible,
  findElement,
  getText,
  submitForm,
  testPage,
  waitUntil,
} from './support.ts';

const IBAN = 'MT84 MALT 0110 0001 2345 MTLC AST0 01S';
const INSTRUCTIONS = `Send $50 to Lanternwell\nIBAN: ${IBAN}\nReference 7K4M9-QXD2P`;

/** Replaces the clipboard with one that records texts, or refuses them. */
function replaceClipboard(writeText: (text: string) => Promise<void>): () => void {
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
  return () => void Reflect.deleteProperty(navigator, 'clipboard');
}

describe('copying payment details', () => {
  let restoreClipboard = (): void => undefined;
  beforeEach(() => {
    testPage.definition = exampleForm;
  });
  afterEach(() => {
    restoreClipboard();
  });

  async function showInstructions(): Promise<DonationFormElement> {
    const form = await testPage.showFilledForm();
    testPage.queueOutcome('processing', undefined, { instructions: INSTRUCTIONS });
    await submitForm(form);
    return form;
  }

  it('copies the account number and the reference, and announces it', async () => {
    const copied: string[] = [];
    restoreClipboard = replaceClipboard((text) => Promise.resolve(void copied.push(text)));
    const form = await showInstructions();
    const buttons = [...form.shadowRoot!.querySelectorAll<HTMLElement>('.copy')];
    for (const button of buttons) button.click();
    await waitUntil(() => getText(form, '.copy-status') === 'Copied');
    expect(copied).to.deep.equal([IBAN, '7K4M9-QXD2P']);
    expect(buttons.map(({ textContent }) => textContent)).to.deep.equal(['Copied', 'Copied']);
    await expectAccessible(form);
  });

  it('selects the text if the page may not write to the clipboard', async () => {
    restoreClipboard = replaceClipboard(() => Promise.reject(new Error('denied')));
    const form = await showInstructions();
    findElement(form, '.copy').click();
    await waitUntil(() => getText(form, '.copy-status').startsWith("We couldn't copy the text."));
    expect(getText(form, '.copy')).to.equal('Copy');
    expect(getSelection()!.toString()).to.equal(IBAN);
  });

  it('copies the reference of a donation', async () => {
    const copied: string[] = [];
    restoreClipboard = replaceClipboard((text) => Promise.resolve(void copied.push(text)));
    const form = await testPage.showFilledForm();
    await submitForm(form);
    findElement(form, '.reference .copy').click();
    await waitUntil(() => getText(form, '.copy-status') === 'Copied');
    expect(copied).to.deep.equal(['7K4M9-QXD2P']);
  });

  it('shows all of a long account number on a page of 320 pixels', async () => {
    const form = await showInstructions();
    form.style.width = '288px';
    const number = findElement(form, '.detail strong');
    expect(number.scrollWidth).to.be.at.most(number.clientWidth);
    expect(form.scrollWidth).to.be.at.most(288);
    expect(findElement(form, '.copy').getBoundingClientRect().right).to.be.at.most(
      form.getBoundingClientRect().right,
    );
  });
});
