import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from 'playwright/test';
import { FOREIGN_LANGUAGES } from '../../scripts/translations.ts';
import { getTextDirection } from '../../src/core/i18n/languages.ts';
import { findViolations, findViolationsInBothSchemes } from './find-violations.ts';
import { findForm, findSubmitButton, test } from './world.ts';

const isWiderThanWindow = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > innerWidth);

const readBox = async (element: Locator) => (await element.boundingBox())!;

test('the event log covers no part of the page, and the story stays in view on a desktop', async ({
  page,
  world,
}) => {
  for (const [width, isDocked] of [
    [390, false],
    [1_280, true],
  ] as const)
    await test.step(`${width} px wide`, async () => {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(world.page);
      await expect(findSubmitButton(page)).toBeVisible();
      for (const isOpen of [false, true]) {
        if (isOpen) await page.getByText('Event log').click();
        const log = await readBox(page.locator('.event-log'));
        for (const part of ['.top', '.intro', '.card']) {
          const box = await readBox(page.locator(part));
          const isBeside = box.x + box.width <= log.x;
          expect(isBeside || box.y >= log.y + log.height, part).toBe(true);
          if (isOpen) expect(isBeside, part).toBe(isDocked);
        }
        expect(await isWiderThanWindow(page)).toBe(false);
      }
      expect(await findViolations(page)).toEqual([]);
    });
  await page.reload();
  await page.getByLabel('Email', { exact: true }).scrollIntoViewIfNeeded();
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 });
  await expect(page.locator('.scene')).toBeInViewport({ ratio: 1 });
});

test('no demo page scrolls sideways on a phone with double text size', async ({ page, world }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['/', '/full-form.html', '/themes.html']) {
    await page.goto(world.page + path);
    await expect(findSubmitButton(page).first()).toBeVisible();
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    expect(await isWiderThanWindow(page), path).toBe(false);
  }
});

/** The long tests show every language. */
const LANGUAGES = process.env.LONG_TESTS ? FOREIGN_LANGUAGES : (['ar', 'de'] as const);

test('the page with all parts is complete in the languages it offers', async ({ page, world }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`${world.page}/full-form.html`);
  await expect(findSubmitButton(page)).toBeVisible();
  const readTexts = () => page.locator('[data-text]').allTextContents();
  const readFormTexts = () => findForm(page).locator('label, legend').allTextContents();
  const english = await readTexts();
  await page.getByText('Configuration keys').click();
  const select = page.locator('#language');
  for (const language of LANGUAGES) {
    await select.selectOption(language);
    const { form } = JSON.parse(
      await readFile(`src/core/i18n/locales/${language}.json`, 'utf8'),
    ) as { form: { give: string } };
    await expect(findSubmitButton(page)).toContainText(form.give.replace('{amount}', '').trim());
    await expect(page.locator('html')).toHaveAttribute('dir', getTextDirection(language));
    const texts = await readTexts();
    expect(texts.filter((text, index) => text === english[index])).toEqual([]);
    if (language === 'ar')
      expect(
        (await readFormTexts()).filter((text) => !/\p{Script=Arabic}|^US|\d/u.test(text)),
      ).toEqual([]);
    expect(await isWiderThanWindow(page)).toBe(false);
    // One language of each direction: the elements are the same in all.
    if (['ar', 'de'].includes(language)) expect(await findViolations(page)).toEqual([]);
  }
  await select.selectOption('en-GB');
  expect(await readTexts()).toEqual(english);
});

test('the page with all parts lists the configuration key of each part', async ({
  page,
  world,
}) => {
  await page.setViewportSize({ width: 1_280, height: 800 });
  await page.goto(`${world.page}/full-form.html`);
  const {
    organizations: [{ payments, forms }],
  } = JSON.parse(await readFile('demo/donation-form.config.json', 'utf8')) as {
    organizations: [{ payments: object[]; forms: { id: string; currencies: object[] }[] }];
  };
  const form = forms.find(({ id }) => id === 'full')!;
  const isPart = (key: string): boolean =>
    !['id', 'name', 'code', 'minimum', 'maximum'].includes(key);
  const keys = Object.keys({ ...form, ...form.currencies[0], payments }).filter(isPart);
  expect((await page.locator('.keys code').allTextContents()).sort()).toEqual(keys.sort());
  await findSubmitButton(page).scrollIntoViewIfNeeded();
  await expect(page.getByText('Suggested amounts')).toBeInViewport();
});

test('the sandbox console is accessible and short on a phone, and has two equal columns elsewhere', async ({
  page,
  world,
}) => {
  await page.setViewportSize({ width: 1_280, height: 800 });
  await page.goto(world.sandbox);
  const ends = new Map<number, number>();
  for (const section of await page.locator('.columns > section').all()) {
    const { x, y, height } = await readBox(section);
    ends.set(x, Math.max(ends.get(x) ?? 0, y + height));
  }
  expect(ends.size).toBe(2);
  const [left, right] = [...ends.values()];
  expect(Math.abs(left! - right!)).toBeLessThan(300);

  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(4_300);
  for (const details of await page.locator('summary').all()) await details.click();
  expect(await isWiderThanWindow(page)).toBe(false);
  expect(await findViolationsInBothSchemes(page)).toEqual([]);
});
