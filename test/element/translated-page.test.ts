import { expect } from '@open-wc/testing';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { manyProjects } from '../full-form.ts';
import { exampleForm, fullForm, stubPayment } from './forms.ts';
import { createFormWithPayments, offlinePayment, ownPayment } from './payment-support.ts';
import {
  clickControls,
  createOutcome,
  createProblem,
  enterText,
  fillDonor,
  findElement,
  getButtonText,
  getSubmitButton,
  getText,
  selectCountry,
  selectOption,
  submitForm,
  testPage,
  waitForPaymentField,
  waitUntil,
} from './support.ts';

type Step = (form: DonationFormElement) => unknown;

/**
 * Replaces the text in a form as page translators do: Google Translate and "Translate Web Pages"
 * replace each text node that is not blank with a `<font>` element.
 */
function translateTexts(form: DonationFormElement): void {
  const walker = document.createTreeWalker(form.shadowRoot!, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const text of texts.filter(({ data }) => data.trim() !== '')) {
    const [inner, outer] = [createFont(), createFont()];
    inner.textContent = text.data;
    outer.append(inner);
    text.replaceWith(outer);
  }
}

const createFont = (): Element => document.createElementNS('http://www.w3.org/1999/xhtml', 'font');

/** Lists the texts of a form, without times of day. */
function readTexts(form: DonationFormElement): string[] {
  const walker = document.createTreeWalker(form.shadowRoot!, NodeFilter.SHOW_TEXT);
  const texts: string[] = [];
  while (walker.nextNode())
    texts.push((walker.currentNode as Text).data.replace(/[\d:]+\s?[AP]M/, '').trim());
  return texts.filter(Boolean);
}

/** Shows a form, and waits for everything that it loads later: payment field, summary, countries. */
async function showLoadedForm(): Promise<DonationFormElement> {
  const form = await testPage.showForm();
  await waitForPaymentField(form);
  await waitUntil(() => getText(form, '.summary') !== '');
  const country = form.shadowRoot!.querySelector<HTMLSelectElement>('select[name=country]');
  if (country) await waitUntil(() => country.length > 1);
  return form;
}

const click =
  (selector: string): Step =>
  (form) =>
    clickControls(form, selector);
const select =
  (selector: string, value: string): Step =>
  (form) =>
    selectOption(form, selector, value);
const enter =
  (name: string, text: string): Step =>
  async (form) => {
    enterText(form, name, text);
    await form.updateComplete;
  };

const amountSteps: Readonly<Record<string, Step>> = {
  'another amount': click('[name=amount][value="4"]'),
  'all frequencies': click('.segments button'),
  'another frequency': click('[name=frequency][value=monthly]'),
  'an amount of that frequency': click('[name=amount][value="0"]'),
  'covered fees': click('[name=coverCosts]'),
  'a custom amount': enter('customAmount', '77'),
  'no amount': enter('customAmount', ''),
  'another custom amount': enter('customAmount', '81'),
  'another currency': select('[name=currency]', 'JPY'),
  'a suggested amount': click('[name=amount][value="1"]'),
  'a third currency': select('[name=currency]', 'EUR'),
  'one time': click('[name=frequency]'),
};

const errorSteps: Readonly<Record<string, Step>> = {
  'missing fields': submitForm,
  'too small an amount': enter('customAmount', '1'),
  'its error': submitForm,
  'a shorter list of errors': async (form) => {
    fillDonor(form);
    await submitForm(form);
  },
  'too large an amount': enter('customAmount', '9999999'),
  'another error': submitForm,
  'no text': enter('customAmount', 'x'),
};

describe('a form whose texts a page translator has replaced', () => {
  /** Expects a translated form to show the same texts as another form after each step. */
  async function expectSameTexts(
    definition: FormDefinition,
    steps: Readonly<Record<string, Step>>,
  ): Promise<DonationFormElement> {
    testPage.definition = definition;
    const form = await showLoadedForm();
    const other = await showLoadedForm();
    for (const [name, step] of Object.entries(steps)) {
      await form.updateComplete;
      translateTexts(form);
      for (const element of [form, other]) {
        await step(element);
        await element.updateComplete;
      }
      expect(readTexts(form), name).to.deep.equal(readTexts(other));
    }
    return form;
  }

  it('shows the amount that it charges, with its currency, frequency, and fees', async () => {
    const { donorFields } = exampleForm;
    const form = await expectSameTexts(
      { ...fullForm, donorFields, consents: [], customFields: [] },
      amountSteps,
    );
    expect(getButtonText(form)).to.equal('Give €51.02');
    fillDonor(form);
    await submitForm(form);
    expect(testPage.requests[0]?.gift).to.deep.include({
      total: 5_102,
      currency: 'EUR',
    });
  });

  it('shows current errors', () => expectSameTexts(exampleForm, errorSteps));

  it('shows the current project, goal, split, and monthly suggestion', () =>
    expectSameTexts(fullForm, {
      'a smaller amount': click('[name=amount][value="0"]'),
      'a larger amount': click('[name=amount][value="3"]'),
      'a monthly donation': click('.upsell button'),
      'another project': select('#project', '2'),
      'a third project': select('#project', '3'),
      'a split': click('[name="split.enabled"]'),
      'a part': click('[name="split.projects"][value="1"]'),
      'two parts': click('[name="split.projects"][value="2"]'),
      'an amount for a part': enter('"split.amount.1"', '4'),
      'a sum that is too large': enter('"split.amount.2"', '4000'),
      'its error': submitForm,
      'another amount': click('[name=amount][value="2"]'),
    }));

  it('shows the projects that a search finds', () =>
    expectSameTexts(
      { ...exampleForm, projects: manyProjects },
      {
        'a search': click('.more'),
        'one match': enter('"project.search"', 'amber'),
        'no match': enter('"project.search"', 'x'),
        'still no match': enter('"project.search"', 'xy'),
        'all projects': click('.more'),
      },
    ));

  it('shows the current labels of the address, the tribute, and the organization', () =>
    expectSameTexts(fullForm, {
      'an address in the United States': async (form) => {
        await selectCountry(form, 'US');
        await waitUntil(() => getText(form, '.root').includes('ZIP code'));
      },
      'its errors': submitForm,
      'an address in Germany': async (form) => {
        await selectCountry(form, 'DE');
        await waitUntil(() => !form.shadowRoot!.querySelector('select[name=state]'));
      },
      'a postal code': async (form) => {
        enterText(form, 'postal', '1');
        await submitForm(form);
      },
      'a tribute': click('[name="tribute.kind"][value=honor]'),
      'an organization': click('[name="organization.enabled"]'),
      'more errors': submitForm,
    }));

  it('shows the current suggestion for the email', () =>
    expectSameTexts(exampleForm, {
      'one typo': (form) => leaveEmailField(form, 'ana@gmial.com'),
      'another typo': (form) => leaveEmailField(form, 'ana@hotmial.com'),
    }));

  it('shows the current notice, payment provider, definition, and result', async () => {
    const responses = {
      'a declined card': () =>
        testPage.responses.push((request) => createOutcome(request, 'failed', 'card-declined')),
      'a failed payment': () =>
        testPage.responses.push((request) => createOutcome(request, 'failed', 'payment-failed')),
      'too many requests': () => testPage.responses.push(createProblem(429, 'too-many-requests')),
      'a rejected donation': () => testPage.responses.push(createProblem(422, 'total-mismatch')),
      'a network error': () => testPage.responses.push('network error'),
      'another definition': () => {
        testPage.definition = { ...definition, frequencies: ['annually', 'once'] };
        testPage.responses.push(createProblem(409, 'form-outdated'));
      },
      success: () => undefined,
    };
    const definition = createFormWithPayments(stubPayment, ownPayment, offlinePayment);
    const form = await expectSameTexts(definition, {
      'another provider': click('[name="payment.provider"][value=offline]'),
      'the first provider': click('[name="payment.provider"][value=stub]'),
      details: fillDonor,
      ...Object.fromEntries(
        Object.entries(responses).map(([name, respond]) => [
          name,
          (form: DonationFormElement) => {
            respond();
            return submitForm(form);
          },
        ]),
      ),
    });
    expect(getText(form, 'h2')).to.equal('Thank you, Ana!');
  });

  it('keeps its amounts, its button, and its summary from translators', async () => {
    testPage.definition = fullForm;
    const form = await testPage.showForm();
    await waitUntil(() => getText(form, '.summary') !== '');
    await clickControls(form, '[name="split.enabled"]', '[name="split.projects"]');
    const walker = document.createTreeWalker(findElement(form, '.root'), NodeFilter.SHOW_TEXT);
    const translatable: string[] = [];
    while (walker.nextNode())
      if (walker.currentNode.parentElement!.translate)
        translatable.push(walker.currentNode.textContent!);
    expect(translatable.filter((text) => /^[$€¥]\s*[\d.,]+$/.test(text.trim()))).to.deep.equal([]);
    for (const element of [getSubmitButton(form), findElement(form, '.summary')])
      expect(element.translate, element.outerHTML).to.equal(false);
  });
});

async function leaveEmailField(form: DonationFormElement, email: string): Promise<void> {
  const input = findElement(form, '[name=email]');
  input.focus();
  await waitUntil(() => form.shadowRoot!.querySelector('.suggestion'));
  enterText(form, 'email', email);
  input.blur();
  await waitUntil(() => getText(form, '.suggestion').includes(email.replace('mial', 'mail')));
}
