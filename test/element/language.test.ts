import { expect } from '@open-wc/testing';
import { LANGUAGES } from '../../src/core/i18n/language.ts';
import { exampleForm } from '../example-form.ts';
import { Stage, accessible, fill, inside, press, ready, type, words } from './support.ts';

describe('donation-form, in its language', () => {
  let stage: Stage;
  const page = document.documentElement.lang;
  beforeEach(() => {
    stage = new Stage();
  });
  afterEach(() => {
    stage.end();
    document.documentElement.lang = page;
  });

  it("takes the language of its attribute before the page's, the page's before the browser's, and the first that it speaks", async () => {
    document.documentElement.lang = 'fr-CA';
    expect(words(await stage.show('', { language: 'de-AT' }), '[part=amount] legend')).to.equal(
      'Betrag',
    );
    const french = await stage.show();
    expect([words(french, '[part=amount] legend'), inside(french, '.root').lang]).to.deep.equal([
      'Montant',
      'fr',
    ]);
    document.documentElement.lang = 'tlh';
    expect(words(await stage.show('', { language: 'xx' }), '[part=amount] legend')).to.equal(
      'Amount',
    );
  });

  it("takes the page's language through shadow roots", async () => {
    document.documentElement.lang = 'fr';
    const host = document.createElement('div');
    const form = document.createElement('donation-form');
    const outer = host.attachShadow({ mode: 'open' });
    const inner = document.createElement('div');
    outer.append(inner);
    form.endpoint = 'https://give.test/';
    inner.attachShadow({ mode: 'open' }).append(form);
    document.body.append(host);
    await new Promise((resolve) => {
      form.addEventListener('donation-form-load', resolve);
    });
    await form.updateComplete;
    expect(inside(form, '.root').lang).to.equal('fr');
    host.remove();
  });

  it('shows no word of another language while its own is on the way, and asks the endpoint for the form in it', async () => {
    const form = document.createElement('donation-form');
    form.endpoint = 'https://give.test/';
    form.language = 'de';
    const seen = new Set<string>();
    document.body.append(form);
    const look = (): void => {
      seen.add(form.shadowRoot!.textContent.replace(/\s+/g, ' ').trim());
    };
    new MutationObserver(look).observe(form.shadowRoot!, {
      childList: true,
      characterData: true,
      subtree: true,
    });
    await new Promise((resolve) => {
      form.addEventListener('donation-form-load', resolve);
    });
    await form.updateComplete;
    look();
    expect([...seen].filter((text) => /Amount|loading|Once/.test(text))).to.deep.equal([]);
    expect([...seen].at(-1)).to.contain('Betrag');
    expect(stage.languages).to.deep.equal(['de']);
    form.remove();
  });

  it('speaks another language in each form of a page, and changes it when the attribute does', async () => {
    const german = await stage.show('', { language: 'de' });
    const english = await stage.show('', { language: 'en' });
    expect([
      words(german, '[part=donor] legend'),
      words(english, '[part=donor] legend'),
    ]).to.deep.equal(['Über Sie', 'About you']);
    type(english, 'firstName', 'Ana');
    const loaded = new Promise((resolve) => {
      english.addEventListener('donation-form-load', resolve);
    });
    english.language = 'sv';
    await loaded;
    await english.updateComplete;
    expect([
      inside(english, '.root').lang,
      inside(english, '[name=firstName]').value,
    ]).to.deep.equal(['sv', 'Ana']);
  });

  it('writes amounts as the language does, and reads them so', async () => {
    stage.definition = {
      ...exampleForm,
      currencies: [{ ...exampleForm.currencies[0], code: 'EUR' }],
    };
    const form = await stage.show('?amount=60.50', { language: 'de' });
    await ready(form);
    expect([
      words(form, 'button[type=submit]'),
      inside(form, '[name=customAmount]').value,
    ]).to.deep.equal(['60,50 € spenden', '60,50']);
    type(form, 'customAmount', '1.250');
    await form.updateComplete;
    expect(words(form, 'button[type=submit]')).to.equal('1.250 € spenden');
    fill(form);
    await press(form);
    expect(
      stage.posted.map(({ request }) => [request.gift.amount, request.form.language]),
    ).to.deep.equal([[125_000, 'de']]);
    expect(words(form, '.sum')).to.equal('1.250 €');
  });

  for (const language of LANGUAGES) {
    it(`${language}: is shown in it from the first label to the thank-you, in its direction, and passes axe`, async () => {
      const form = await stage.show('', { language });
      const { direction } = getComputedStyle(inside(form, 'form'));
      expect([inside(form, '.root').lang, direction]).to.deep.equal([
        language,
        ['ar', 'he'].includes(language) ? 'rtl' : 'ltr',
      ]);
      await press(form);
      await accessible(form);
      fill(form);
      await press(form);
      expect(words(form, 'h2')).to.contain('Ana');
      expect(form.shadowRoot!.textContent).not.to.match(/\{\w+\}|undefined/);
      if (language !== 'en')
        expect(form.shadowRoot!.textContent).not.to.match(/Thank you|Reference|receipt/);
    });
  }
});
