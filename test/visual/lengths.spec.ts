import { expect, type Page } from 'playwright/test';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import { LANGUAGES, type Language } from '../../src/core/i18n/language.ts';
import {
  formOfSeveralWays,
  formWithoutField,
  longTexts,
  plainForm,
  wholeForm,
} from './definitions.ts';
import { outcome, Stage, test } from './stage.ts';
import { chooseTransfer, openAllAndPress } from './states.ts';

const WIDTHS = [280, 360, 768];
/** Beside the form. */
const MARGINS = 32;
/**
 * The languages that all screens are looked at in: long words, long sentences, from right to left,
 * a script with marks above and below, and one without spaces.
 */
const TELLING: readonly Language[] = ['en', 'de', 'uk', 'ar', 'hi', 'ja'];

const long = (form: FormDefinition): FormDefinition => ({ ...form, texts: longTexts });
const CASES: readonly (readonly [
  name: string,
  language: Language,
  make: (form: FormDefinition) => FormDefinition,
])[] = [
  ...LANGUAGES.map((language) => [language, language, (form: FormDefinition) => form] as const),
  ['English that is 40 % longer', 'en', long],
];

for (const [name, language, make] of CASES) {
  test(`${name}: a whole form with everything said has room at every width`, async ({ page }) => {
    const stage = new Stage(page, language, make(wholeForm(language)));
    await stage.open();
    await openAllAndPress(stage);
    await stage.form.locator('#notice').waitFor();
    await expectRoom(page);
  });
}

for (const [name, language, make] of CASES.filter(([, language]) => TELLING.includes(language))) {
  test(`${name}: a declined card and a thank-you in parts have room at every width`, async ({
    page,
  }) => {
    const stage = new Stage(page, language, make(plainForm(language)));
    const { projects } = stage.definition;
    await stage.open();
    stage.answer = (request) => outcome(request, 'declined');
    await stage.control('coverCosts').check();
    await stage.give();
    await stage.form.locator('#notice').waitFor();
    await expectRoom(page);
    stage.answer = (request) =>
      outcome(
        request,
        'succeeded',
        projects.slice(1).map(({ name: project }) => [project, '1500.00']),
      );
    await stage.press();
    await stage.form.locator('[part=thanks]').waitFor();
    await expectRoom(page);
  });

  test(`${name}: ways to pay, one more step and how to pay have room at every width`, async ({
    page,
  }) => {
    const stage = new Stage(page, language, make(formOfSeveralWays(language)));
    await stage.open();
    stage.answer = (request) =>
      outcome(request, 'action', [], { action: { kind: 'field', secret: 's' } });
    await stage.control('comment').fill('4242 4242 4242 4242');
    await stage.press();
    await stage.form.locator('#comment-problem').waitFor();
    await expectRoom(page);
    await stage.control('comment').fill('');
    await stage.give();
    await stage.form.locator('[part=action]').waitFor();
    await expectRoom(page);
    stage.confirmed = () => 'no answer';
    await stage.form.locator('.steps button').first().click();
    await stage.form.locator('[part=action] .notice').waitFor();
    await expectRoom(page);
    stage.confirmed = (request) => outcome(request, 'declined', [], { reason: 'not-confirmed' });
    await stage.form.locator('.steps button').first().click();
    await chooseTransfer(stage);
    await expectRoom(page);
    stage.answer = (request) =>
      outcome(request, 'pending', [], {
        instructions: stage.definition.payments[1]!.options.instructions,
      });
    await stage.press();
    await stage.form.locator('[part=thanks]').waitFor();
    await expectRoom(page);
  });

  test(`${name}: the processor's own page and a monthly thank-you have room at every width`, async ({
    page,
  }) => {
    const stage = new Stage(page, language, make(formWithoutField(language)));
    await stage.open();
    await stage.form.locator('.hosted').waitFor();
    await expectRoom(page);
    await stage.form.locator('[name=frequency][value=monthly]').check({ force: true });
    await stage.fillDonor();
    await stage.press();
    await stage.form.locator('[part=thanks]').waitFor();
    await expectRoom(page);
  });
}

async function expectRoom(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width: width + MARGINS, height: 900 });
    expect(await page.evaluate(findTroubles), `${width} pixels`).toEqual([]);
  }
}

/**
 * What is cut off, sticks out, lies on its neighbour, or is a word on two lines. Runs in the page.
 */
function findTroubles(): string[] {
  const form = document.querySelector('donation-form')!;
  const root = form.shadowRoot!;
  const troubles: string[] = [];
  const frame = form.getBoundingClientRect();
  const isLaidOut = (element: Element): boolean =>
    element.getClientRects().length > 0 &&
    !element.closest('.unseen, svg, select') &&
    !element.matches('.native, br');
  const called = (element: Element): string =>
    `${element.localName}.${element.className} “${element.textContent.trim().replace(/\s+/g, ' ').slice(0, 40)}”`;
  if (document.documentElement.scrollWidth > innerWidth) troubles.push('the page scrolls sideways');
  const hasSpaces = !/^(ja|zh)/.test(form.getAttribute('language')!);
  const elements = [...root.querySelectorAll('*')].filter(isLaidOut);
  for (const element of elements) {
    const { left, right } = element.getBoundingClientRect();
    if (left < frame.left - 1 || right > frame.right + 1)
      troubles.push(`sticks out: ${called(element)}`);
    const texts = [...element.childNodes].filter(
      (node) => node instanceof Text && node.data.trim() !== '',
    ) as Text[];
    const { display, fontSize } = getComputedStyle(element);
    // Letters of a large line may be taller than the line.
    if (
      texts.length > 0 &&
      display !== 'inline' &&
      (element.scrollWidth > element.clientWidth + 1 ||
        element.scrollHeight > element.clientHeight + parseFloat(fontSize) / 4)
    )
      troubles.push(`is cut: ${called(element)}`);
    for (const text of hasSpaces ? texts : []) {
      for (const { index, 0: word } of text.data.matchAll(/[\p{L}\p{M}]+/gu)) {
        const range = new Range();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        if (new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top))).size > 1)
          troubles.push(`is broken: ${word}`);
      }
    }
    // A text that goes over several lines has a box for each.
    const children = [...element.children]
      .filter(isLaidOut)
      .map((child) => [child, [...child.getClientRects()]] as const);
    for (const [index, [one, boxes]] of children.entries()) {
      for (const [other, otherBoxes] of children.slice(index + 1)) {
        const isOver = (box: DOMRect, otherBox: DOMRect): boolean =>
          Math.min(box.right, otherBox.right) - Math.max(box.left, otherBox.left) > 1.5 &&
          Math.min(box.bottom, otherBox.bottom) - Math.max(box.top, otherBox.top) > 1.5;
        if (boxes.some((box) => otherBoxes.some((otherBox) => isOver(box, otherBox))))
          troubles.push(`overlap: ${called(one)} and ${called(other)}`);
      }
    }
  }
  return troubles;
}
