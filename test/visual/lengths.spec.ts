import { expect, type Page } from 'playwright/test';
import { DONATION_FREQUENCIES } from '../../src/core/donation/frequency.ts';
import { type Language, LANGUAGES } from '../../src/core/i18n/languages.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import {
  createFormWithoutPaymentField,
  createFullForm,
  createPlainForm,
  createSeveralMethodsForm,
  longTexts,
} from './definitions.ts';
import { findLayoutProblems, findProblemsOfLargeText } from './layout-problems.ts';
import { createOutcome, Stage, test } from './stage.ts';
import { chooseBankTransfer, expandAllAndSubmit } from './states.ts';

const WIDTHS = [280, 360, 768];
/** Space next to the form, in pixels. */
const PAGE_MARGINS = 32;
const isLong = process.env.LONG_TESTS !== undefined;
/** Long words, long sentences, right to left, diacritics above and below, and no spaces. */
const SAMPLE_LANGUAGES: readonly Language[] = ['en', 'de', 'uk', 'ar', 'hi', 'ja'];
/** Languages for the form with every section. */
const FORM_LANGUAGES = isLong ? LANGUAGES : SAMPLE_LANGUAGES;
/** Languages for the other screens, whose English texts are also tested 40% longer. */
const SCREEN_LANGUAGES: readonly Language[] = isLong ? SAMPLE_LANGUAGES : ['de', 'ar', 'ja'];
/** Languages that write amounts differently. */
const AMOUNT_LANGUAGES: readonly Language[] = isLong ? SAMPLE_LANGUAGES : ['en', 'ar'];

const lengthenTexts = (form: FormDefinition): FormDefinition => ({ ...form, texts: longTexts });
type Case = readonly [
  name: string,
  language: Language,
  make: (form: FormDefinition) => FormDefinition,
];
const listCases = (languages: readonly Language[]): readonly Case[] => [
  ...languages.map((language): Case => [language, language, (form) => form]),
  ['English, 40% longer', 'en', lengthenTexts],
];

for (const [name, language, make] of listCases(FORM_LANGUAGES)) {
  test(`${name}: an expanded form with validation errors fits every width`, async ({ page }) => {
    const stage = new Stage(page, language, make(createFullForm(language)));
    await stage.open();
    await expandAllAndSubmit(stage);
    await stage.form.locator('#notice').waitFor();
    await expectFits(page);
  });
}

for (const [name, language, make] of listCases(SCREEN_LANGUAGES)) {
  test(`${name}: a declined card and a thank-you page with several projects fit every width`, async ({
    page,
  }) => {
    const stage = new Stage(page, language, make(createPlainForm(language)));
    const { projects } = stage.definition;
    await stage.open();
    stage.respond = (request) => createOutcome(request, 'failed');
    await stage.findControl('coverCosts').check();
    await stage.fillAndSubmit();
    await stage.form.locator('#notice').waitFor();
    await expectFits(page);
    stage.respond = (request) =>
      createOutcome(
        request,
        'succeeded',
        projects.slice(1).map(({ name: project }) => [project, '1500.00']),
      );
    await stage.fillCard();
    await stage.submit();
    await stage.form.locator('[part=thank-you]').waitFor();
    await expectFits(page);
  });

  test(`${name}: payment methods, one more step, and payment instructions fit every width`, async ({
    page,
  }) => {
    const stage = new Stage(page, language, make(createSeveralMethodsForm(language)));
    await stage.open();
    stage.respond = (request) =>
      createOutcome(request, 'requires_action', [], { action: { kind: 'field', secret: 's' } });
    await stage.findControl('comment').fill('4242 4242 4242 4242');
    await stage.submit();
    await stage.form.locator('#comment-error').waitFor();
    await expectFits(page);
    await stage.findControl('comment').fill('');
    await stage.fillAndSubmit();
    await stage.form.locator('[part=requires-action]').waitFor();
    await expectFits(page);
    stage.respondToConfirm = () => 'network-error';
    await stage.form.locator('.steps button').first().click();
    await stage.form.locator('[part=requires-action] .notice').waitFor();
    await expectFits(page);
    stage.respondToConfirm = (request) =>
      createOutcome(request, 'failed', [], { reason: 'not-confirmed' });
    await stage.form.locator('.steps button').first().click();
    // The form scrolls to it.
    await expect(stage.form.locator('#notice')).toBeFocused();
    await chooseBankTransfer(stage);
    await expectFits(page);
    stage.respond = (request) =>
      createOutcome(request, 'processing', [], {
        instructions: stage.definition.payments[1]!.options.instructions,
      });
    await stage.submit();
    await stage.form.locator('[part=thank-you]').waitFor();
    await expectFits(page);
  });

  test(`${name}: hosted checkout and the thank-you page of a monthly donation fit every width`, async ({
    page,
  }) => {
    const stage = new Stage(page, language, make(createFormWithoutPaymentField(language)));
    await stage.open();
    await stage.form.locator('.hosted').waitFor();
    await expectFits(page);
    await stage.form.locator('[name=frequency][value=monthly]').check({ force: true });
    await stage.fillDonor();
    await stage.submit();
    await stage.form.locator('[part=thank-you]').waitFor();
    await expectFits(page);
  });
}

/** Pixels between the widths at which rows of amounts are measured. */
const WIDTH_STEP = isLong ? 20 : 40;
const AMOUNTS = [25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000];

for (const language of ['en', 'de', 'ar', 'ja'] as const) {
  test(`${language}: no number of amounts and frequencies leaves a gap at any width`, async ({
    page,
  }) => {
    const form = createFormWithoutPaymentField(language);
    const currencies: typeof form.currencies = [{ ...form.currencies[0], maximum: 1_000_000 }];
    const stage = new Stage(page, language, { ...form, currencies });
    await stage.open();
    await page.setViewportSize({ width: 800, height: 900 });
    await page.evaluate(`globalThis.findLayoutProblems = ${String(findLayoutProblems)}`);
    const problems: string[] = [];
    for (const count of [2, 3, 4, 5, 6, 7]) {
      for (const allowCustomAmount of count === 2 ? [true, false] : [true]) {
        const frequencies = DONATION_FREQUENCIES.slice(
          0,
          count,
        ) as unknown as typeof form.frequencies;
        await stage.replaceForm({ ...form, currencies, frequencies, allowCustomAmount });
        const more = stage.form.locator('.segments button');
        for (let isExpanded = false; ; isExpanded = true) {
          const found = await page.evaluate(tryAmountsAndWidths, {
            amounts: AMOUNTS,
            step: WIDTH_STEP,
          });
          problems.push(...found.map((problem) => `${count} frequencies, ${problem}`));
          if (isExpanded || count < 5) break;
          await more.click();
        }
      }
    }
    expect(problems).toEqual([]);
  });
}

/** Shows two to nine amounts at widths from 240 to 560 pixels. Runs in the page. */
async function tryAmountsAndWidths({
  amounts,
  step,
}: {
  readonly amounts: readonly number[];
  readonly step: number;
}): Promise<string[]> {
  const form = document.querySelector('donation-form')!;
  const root = form.shadowRoot!;
  const problems: string[] = [];
  for (let count = 2; count <= amounts.length; count++) {
    form.amounts = amounts.slice(0, count);
    await form.updateComplete;
    const labels = Array.from(
      root.querySelectorAll('.tiles span.money'),
      (label) => label.textContent,
    );
    const tiles = [...root.querySelectorAll('.tiles .choice')];
    for (let width = 240; width <= 560; width += step) {
      form.style.width = `${width}px`;
      const found = globalThis.findLayoutProblems('[part=frequency] *, [part=amount] *');
      const [first, , third] = tiles.map((tile) => tile.getBoundingClientRect().top);
      const isShort = labels.every((label) => label.length < 8);
      const hasThree = count > 2 && tiles.length !== 4;
      if (first !== third && isShort && hasThree) found.push('fewer than three columns');
      problems.push(...found.map((problem) => `${count} amounts, ${width} pixels: ${problem}`));
    }
  }
  return problems;
}

for (const language of AMOUNT_LANGUAGES) {
  test(`${language}: a hundred suggested amounts fit every width`, async ({ page }) => {
    const form = createPlainForm(language);
    const [currency] = form.currencies;
    const giftArray = Array.from({ length: 100 }, (_, index) => ({
      value: (index + 1) * 10_000,
    }));
    const maximum = 1_000_000;
    const stage = new Stage(page, language, {
      ...form,
      currencies: [{ ...currency, giftArray, maximum }],
    });
    await stage.open();
    await expectFits(page);
  });
}

declare global {
  var findLayoutProblems: typeof import('./layout-problems.ts').findLayoutProblems;
}

async function expectFits(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width: width + PAGE_MARGINS, height: 900 });
    expect(await page.evaluate(findLayoutProblems, '*'), `${width} pixels`).toEqual([]);
  }
  expect(await findProblemsOfLargeText(page)).toEqual([]);
}
