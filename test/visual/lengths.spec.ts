import { expect, type Page } from 'playwright/test';
import { type Language, LANGUAGES } from '../../src/core/i18n/languages.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import {
  createFormWithoutPaymentField,
  createFullForm,
  createPlainForm,
  createSeveralMethodsForm,
  longTexts,
} from './definitions.ts';
import { createOutcome, Stage, test } from './stage.ts';
import { chooseBankTransfer, expandAllAndSubmit } from './states.ts';

const WIDTHS = [280, 360, 768];
/** Space next to the form, in pixels. */
const PAGE_MARGINS = 32;
/**
 * Languages for all screens: long words, long sentences, right to left, diacritics above and below,
 * and no spaces.
 */
const SAMPLE_LANGUAGES: readonly Language[] = ['en', 'de', 'uk', 'ar', 'hi', 'ja'];

const lengthenTexts = (form: FormDefinition): FormDefinition => ({ ...form, texts: longTexts });
const CASES: readonly (readonly [
  name: string,
  language: Language,
  make: (form: FormDefinition) => FormDefinition,
])[] = [
  ...LANGUAGES.map((language) => [language, language, (form: FormDefinition) => form] as const),
  ['English, 40% longer', 'en', lengthenTexts],
];

for (const [name, language, make] of CASES) {
  test(`${name}: an expanded form with validation errors fits every width`, async ({ page }) => {
    const stage = new Stage(page, language, make(createFullForm(language)));
    await stage.open();
    await expandAllAndSubmit(stage);
    await stage.form.locator('#notice').waitFor();
    await expectFits(page);
  });
}

for (const [name, language, make] of CASES.filter(([, language]) =>
  SAMPLE_LANGUAGES.includes(language),
)) {
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

for (const language of SAMPLE_LANGUAGES) {
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

async function expectFits(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width: width + PAGE_MARGINS, height: 900 });
    expect(await page.evaluate(findLayoutProblems), `${width} pixels`).toEqual([]);
  }
}

/**
 * Finds text that is clipped, elements that overflow or overlap, and broken words. Runs in the
 * page.
 */
function findLayoutProblems(): string[] {
  const form = document.querySelector('donation-form')!;
  const root = form.shadowRoot!;
  const problems: string[] = [];
  const frame = form.getBoundingClientRect();
  const isLaidOut = (element: Element): boolean =>
    element.getClientRects().length > 0 &&
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.closest('.visually-hidden, .test-badge, svg, select') &&
    !element.matches('.native, br');
  const describeElement = (element: Element): string =>
    `${element.localName}.${element.className} “${element.textContent.trim().replace(/\s+/g, ' ').slice(0, 40)}”`;
  if (document.documentElement.scrollWidth > innerWidth) problems.push('the page scrolls sideways');
  const hasSpaces = !/^(ja|zh)/.test(form.getAttribute('language')!);
  const elements = [...root.querySelectorAll('*')].filter(isLaidOut);
  for (const element of elements) {
    const { left, right } = element.getBoundingClientRect();
    if (left < frame.left - 1 || right > frame.right + 1)
      problems.push(`overflows: ${describeElement(element)}`);
    const texts = [...element.childNodes].filter(
      (node) => node instanceof Text && node.data.trim() !== '',
    ) as Text[];
    const { display, fontSize } = getComputedStyle(element);
    // Glyphs can be taller than the line in large text.
    if (
      texts.length > 0 &&
      display !== 'inline' &&
      (element.scrollWidth > element.clientWidth + 1 ||
        element.scrollHeight > element.clientHeight + parseFloat(fontSize) / 4)
    )
      problems.push(`clipped: ${describeElement(element)}`);
    for (const text of hasSpaces ? texts : []) {
      for (const { index, 0: word } of text.data.matchAll(/[\p{L}\p{M}]+/gu)) {
        const range = new Range();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        if (new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size > 1)
          problems.push(`broken word: ${word} in ${describeElement(element)}`);
      }
    }
    // Inline text has one box per line.
    // The payment field loads over its placeholder.
    const children = [...element.querySelectorAll(':scope > :not(.bones)')]
      .filter(isLaidOut)
      .map((child) => [child, [...child.getClientRects()]] as const);
    for (const [index, [one, boxes]] of children.entries()) {
      for (const [other, otherBoxes] of children.slice(index + 1)) {
        const doOverlap = (box: DOMRect, otherBox: DOMRect): boolean =>
          Math.min(box.right, otherBox.right) - Math.max(box.left, otherBox.left) > 1.5 &&
          Math.min(box.bottom, otherBox.bottom) - Math.max(box.top, otherBox.top) > 1.5;
        if (boxes.some((box) => otherBoxes.some((otherBox) => doOverlap(box, otherBox))))
          problems.push(`overlap: ${describeElement(one)} and ${describeElement(other)}`);
      }
    }
  }
  const badge = root.querySelector('.test-badge')?.getBoundingClientRect();
  const title = new Range();
  for (const heading of root.querySelectorAll('legend, .title, h2')) {
    title.selectNodeContents(heading);
    const { left, right, top, bottom } = title.getBoundingClientRect();
    if (
      badge &&
      left < badge.right &&
      right > badge.left &&
      top < badge.bottom &&
      bottom > badge.top
    )
      problems.push(`the test badge covers “${heading.textContent}”`);
  }
  return problems;
}
