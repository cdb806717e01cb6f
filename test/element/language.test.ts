import '../../src/donation-form/button/define.ts';
import '../../src/donation-form/goal/define.ts';
import { expect, oneEvent } from '@open-wc/testing';
import { LANGUAGES } from '../../src/core/i18n/languages.ts';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { exampleForm, fullForm } from './forms.ts';
import {
  clickControls,
  enterText,
  expectAccessible,
  fillDonor,
  findElement,
  getButtonText,
  getText,
  submitForm,
  testPage,
  waitForPaymentField,
  waitUntil,
} from './support.ts';

describe('language of the form', () => {
  const page = document.documentElement.lang;
  afterEach(() => {
    document.documentElement.lang = page;
  });

  it('prefers the attribute, then the page, then the first supported language of the browser', async () => {
    document.documentElement.lang = 'fr-CA';
    expect(
      getText(await testPage.showForm('', { language: 'de-AT' }), '[part=amount] legend'),
    ).to.equal('Wählen Sie einen Betrag');
    const french = await testPage.showForm();
    expect([
      getText(french, '[part=amount] legend'),
      findElement(french, '.root').lang,
    ]).to.deep.equal(['Choisissez un montant', 'fr']);
    document.documentElement.lang = 'tlh';
    expect(
      getText(await testPage.showForm('', { language: 'xx' }), '[part=amount] legend'),
    ).to.equal('Choose an amount');
  });

  it('shows British English on a page in en-GB, with American English for the other texts', async () => {
    document.documentElement.lang = 'en-GB';
    testPage.definition = fullForm;
    const form = await testPage.showForm();
    expect([
      findElement(form, '.root').lang,
      getText(form, '[part=frequency]').includes('One-off'),
      getText(form, '[part=amount] legend'),
    ]).to.deep.equal(['en-GB', true, 'Choose an amount']);
    expect(form.shadowRoot!.textContent).to.contain('In honour of').and.to.contain('organisation');
  });

  it('shows the form, the button, and the goal in the same language of the browser on a page in an unsupported language', async () => {
    document.documentElement.lang = 'xx';
    Object.defineProperty(navigator, 'languages', {
      configurable: true,
      value: ['tlh', 'fr-FR', 'en'],
    });
    try {
      const form = await testPage.showForm();
      const goal = document.createElement('donation-goal');
      goal.setAttribute('endpoint', 'https://give.test/');
      const button = document.createElement('donation-button');
      button.setAttribute('endpoint', 'https://give.test/');
      button.innerHTML = '<a href="/give">Faire un don</a>';
      document.body.append(goal, button);
      await button.open();
      const closeLabel = document.querySelector('.donation-dialog button')!.ariaLabel;
      goal.remove();
      button.remove();
      expect([
        getText(form, '[part=amount] legend'),
        testPage.requestedGoalLanguages,
        closeLabel,
      ]).to.deep.equal(['Choisissez un montant', ['fr'], 'Fermer']);
    } finally {
      Reflect.deleteProperty(navigator, 'languages');
    }
  });

  it("finds the page's language outside of shadow roots", async () => {
    document.documentElement.lang = 'fr';
    const host = document.createElement('div');
    const form = document.createElement('donation-form');
    const outer = host.attachShadow({ mode: 'open' });
    const inner = document.createElement('div');
    outer.append(inner);
    form.endpoint = 'https://give.test/';
    inner.attachShadow({ mode: 'open' }).append(form);
    document.body.append(host);
    await oneEvent(form, 'donation-form-load');
    await form.updateComplete;
    expect(findElement(form, '.root').lang).to.equal('fr');
    host.remove();
  });

  it('shows no text in another language while loading, and requests the definition in its language', async () => {
    const form = document.createElement('donation-form');
    form.endpoint = 'https://give.test/';
    form.language = 'de';
    const shownTexts = new Set<string>();
    document.body.append(form);
    const recordText = (): void => {
      shownTexts.add(form.shadowRoot!.textContent.replace(/\s+/g, ' ').trim());
    };
    new MutationObserver(recordText).observe(form.shadowRoot!, {
      childList: true,
      characterData: true,
      subtree: true,
    });
    await oneEvent(form, 'donation-form-load');
    await form.updateComplete;
    recordText();
    expect([...shownTexts].filter((text) => /Amount|loading|One-time/.test(text))).to.deep.equal(
      [],
    );
    expect([...shownTexts].at(-1)).to.contain('Betrag');
    expect(testPage.requestedLanguages).to.deep.equal(['de']);
    form.remove();
  });

  it('supports a different language per form and follows its attribute', async () => {
    const german = await testPage.showForm('', { language: 'de' });
    const english = await testPage.showForm('', { language: 'en' });
    expect([
      getText(german, '[part=donor] legend'),
      getText(english, '[part=donor] legend'),
    ]).to.deep.equal(['Ihre Angaben', 'Your details']);
    enterText(english, 'firstName', 'Ana');
    const loaded = oneEvent(english, 'donation-form-load');
    english.language = 'sv';
    await loaded;
    await english.updateComplete;
    expect([
      findElement(english, '.root').lang,
      findElement(english, '[name=firstName]').value,
    ]).to.deep.equal(['sv', 'Ana']);
  });

  it('keeps values that autofill entered without an event when the language changes', async () => {
    const form = await testPage.showForm();
    findElement(form, '[name=firstName]').value = 'Ana';
    const loaded = oneEvent(form, 'donation-form-load');
    form.language = 'sv';
    await loaded;
    await form.updateComplete;
    expect(findElement(form, '[name=firstName]').value).to.equal('Ana');
  });

  it('is empty if the language changes right after reset()', async () => {
    const form = await testPage.showFilledForm();
    await form.updateComplete;
    const loaded = oneEvent(form, 'donation-form-load');
    form.reset();
    form.language = 'sv';
    await loaded;
    await form.updateComplete;
    expect(findElement(form, '[name=firstName]').value).to.equal('');
  });

  it('formats and parses amounts in the language', async () => {
    testPage.definition = {
      ...exampleForm,
      currencies: [{ ...exampleForm.currencies[0], code: 'EUR' }],
    };
    const form = await testPage.showForm('?amount=60.50', { language: 'de' });
    await waitForPaymentField(form);
    expect([getButtonText(form), findElement(form, '[name=customAmount]').value]).to.deep.equal([
      '60,50 € spenden',
      '60,50',
    ]);
    enterText(form, 'customAmount', '\u200f€ 1.250,- EUR');
    await waitUntil(() => getButtonText(form) === '1.250 € spenden');
    fillDonor(form);
    await submitForm(form);
    expect(
      testPage.requests.map((request) => [request.gift.amount, request.form.language]),
    ).to.deep.equal([[125_000, 'de']]);
    expect(getText(form, '.total')).to.equal('1.250 €');
  });

  for (const language of LANGUAGES) {
    it(`${language}: translates every screen, sets the text direction, and passes axe`, async () => {
      const form = await testPage.showForm('', { language });
      const { direction } = getComputedStyle(findElement(form, 'form'));
      expect([findElement(form, '.root').lang, direction]).to.deep.equal([
        language,
        ['ar', 'he'].includes(language) ? 'rtl' : 'ltr',
      ]);
      await submitForm(form);
      await expectAccessible(form);
      fillDonor(form);
      await submitForm(form);
      expect(getText(form, 'h2')).to.contain('Ana');
      expect(form.shadowRoot!.textContent).not.to.match(/\{\w+\}|undefined/);
      if (!language.startsWith('en'))
        expect(form.shadowRoot!.textContent).not.to.match(/Thank you|Reference|receipt/);
    });
  }

  for (const [language, side] of [
    ['en', 'left'],
    ['de', 'right'],
    ['fr', 'right'],
    ['pt-BR', 'left'],
    ['ar', 'left'],
  ] as const)
    it(`has the currency sign of the suggested amounts at every amount field: ${language}`, async () => {
      testPage.definition = fullForm;
      const form = await testPage.showForm('', { language });
      await waitForPaymentField(form);
      await clickControls(form, '[name="split.enabled"]', '[name="split.projects"]');
      for (const name of ['customAmount', 'split.amount.1', 'custom.106']) {
        const input = findElement(form, `[name="${name}"]`);
        const signs = [...input.parentElement!.querySelectorAll('span')].filter(
          ({ textContent }) => textContent !== '',
        );
        expect(signs.map(({ textContent }) => textContent)).to.deep.equal([getSign(form)]);
        const { left, right } = input.getBoundingClientRect();
        const sign = signs[0]!.getBoundingClientRect();
        expect(side === 'left' ? sign.right <= left : sign.left >= right, name).to.equal(true);
      }
    });
});

/** Returns the currency sign of the first suggested amount. */
const getSign = (form: DonationFormElement): string =>
  getText(form, '.tiles .money').replace(/[\d\s\u200f]/g, '');
