/** Browser settings that donors need to read and use a page. */
import { chromium, expect, type Page } from 'playwright/test';
import sharp from 'sharp';
import * as launchOptions from '../browsers.ts';
import { findLayoutProblems } from '../visual/layout-problems.ts';
import {
  fillCard,
  fillDonor,
  findCardFrame,
  findForm,
  findSubmitButton,
  test,
  type World,
} from './world.ts';

async function openForm(page: Page, world: World, formId: 'main' | 'full'): Promise<void> {
  world.pages.set(
    '/shown',
    (await (await fetch(world.page)).text()).replace(
      '<donation-form ',
      `<donation-form form-id="${formId}" `,
    ),
  );
  await page.goto(`${world.page}/shown`);
  // The payment field loads when it comes near the viewport.
  await findSubmitButton(page).scrollIntoViewIfNeeded();
  await expect(findCardFrame(page).getByLabel('Card number')).toBeVisible();
}

/** Expands the sections of the full form and shows all validation errors. */
async function expandAllAndShowErrors(page: Page): Promise<void> {
  await findForm(page).getByRole('radio', { name: 'In honor of' }).check();
  for (const name of ['Support more than one project', "I'm giving on behalf of an organization"])
    await findForm(page).getByRole('checkbox', { name }).check();
  for (const name of ['Village wells', 'River watch'])
    await findForm(page).getByRole('checkbox', { name }).check();
  await findForm(page).getByRole('combobox', { name: 'Country' }).selectOption('US');
  await expect(findForm(page).getByLabel('ZIP code')).toBeVisible();
  await findSubmitButton(page).press('Enter');
  await expect(findForm(page).locator('#notice')).toBeFocused();
}

/** Lists elements that extend beyond the window's left or right edge. */
const findOverflow = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const elements = [
      ...document.querySelectorAll('body *'),
      ...document.querySelector('donation-form')!.shadowRoot!.querySelectorAll('form *, .screen *'),
    ];
    return elements
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        return width > 1 && (left < 0 || right > window.innerWidth);
      })
      .map((element) => element.outerHTML.slice(0, 120));
  });

test(
  'at 400% zoom, nothing scrolls sideways, and the form is usable',
  { tag: '@chromium' },
  async ({ page, world }) => {
    await page.setViewportSize({ width: 320, height: 256 });
    await openForm(page, world, 'full');
    expect(await findOverflow(page)).toEqual([]);
    await expandAllAndShowErrors(page);
    expect(await findOverflow(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);

    await openForm(page, world, 'main');
    await findForm(page).getByRole('radio', { name: '$75' }).check();
    await fillDonor(page);
    await fillCard(page);
    await findSubmitButton(page).click();
    await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeInViewport();
    expect(await findOverflow(page)).toEqual([]);
  },
);

test('at double text size, no text is clipped', { tag: '@chromium' }, async ({ page, world }) => {
  await page.setViewportSize({ width: 640, height: 900 });
  await page.addInitScript(() => {
    document.addEventListener('DOMContentLoaded', () => {
      document.documentElement.style.setProperty('font-size', '200%', 'important');
    });
  });
  await openForm(page, world, 'full');
  await expandAllAndShowErrors(page);
  expect(
    await findForm(page).evaluate((element) =>
      Number.parseFloat(getComputedStyle(element).fontSize),
    ),
  ).toBe(32);
  expect(
    await findForm(page).evaluate((element) =>
      [...element.shadowRoot!.querySelectorAll('form *')]
        .filter(
          (part) => part.getBoundingClientRect().right > element.getBoundingClientRect().right + 5,
        )
        .map((part) => part.outerHTML.slice(0, 120)),
    ),
  ).toEqual([]);
});

test(
  "with a minimum text size of 30 px in the browser's settings, no text is clipped or covered",
  { tag: '@chromium' },
  async ({ world }) => {
    const browser = await chromium.launch({
      ...launchOptions.chromium,
      args: [...launchOptions.chromium.args!, '--blink-settings=minimumFontSize=30'],
    });
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    await openForm(page, world, 'main');
    await findForm(page).evaluate((form) => form.setAttribute('language', 'en'));
    await findSubmitButton(page).click();
    await expect(findForm(page).locator('#notice')).toBeFocused();
    await expect(findForm(page).locator('.hint').first()).toHaveCSS('font-size', '30px');
    expect(await page.evaluate(findLayoutProblems, '*')).toEqual([]);
    await browser.close();
  },
);

test(
  'with reduced motion, nothing in the form moves, even while it is submitted',
  { tag: '@chromium' },
  async ({ page, world }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await openForm(page, world, 'main');
    const listAnimatedElements = (): Promise<string[]> =>
      findForm(page).evaluate((element) =>
        [...element.shadowRoot!.querySelectorAll('*')]
          .filter((part) => {
            const { animationName, transitionDuration, transitionProperty } =
              getComputedStyle(part);
            return (
              animationName !== 'none' ||
              (transitionProperty !== 'none' && transitionDuration !== '0s')
            );
          })
          .map((part) => part.outerHTML.slice(0, 120)),
      );
    expect(await listAnimatedElements()).toEqual([]);
    await fillDonor(page);
    await fillCard(page);
    await page.route(`${world.endpoint}/donations`, (route) =>
      new Promise((resolve) => {
        setTimeout(resolve, 1_000);
      }).then(() => route.continue()),
    );
    await findSubmitButton(page).click();
    await expect(findSubmitButton(page)).toHaveText('Sending your donation…');
    expect(await listAnimatedElements()).toEqual([]);
    await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
    expect(await listAnimatedElements()).toEqual([]);
  },
);

test(
  'in forced colors mode, selection, focus, errors, and the bar of the goal do not rely on color alone',
  { tag: '@chromium' },
  async ({ page, world }) => {
    await page.emulateMedia({ forcedColors: 'active' });
    await openForm(page, world, 'full');
    const findRadioFace = (name: RegExp) =>
      findForm(page).getByRole('radio', { name }).locator('xpath=following-sibling::*[1]');
    await expect(findRadioFace(/^\$50 /)).toHaveCSS('border-width', '3px');
    await expect(findRadioFace(/^\$25 /)).toHaveCSS('border-width', '1px');
    await findForm(page).getByRole('radio', { name: 'One-time' }).press('ArrowRight');
    await expect(findRadioFace(/^Monthly$/)).toHaveCSS('outline-style', 'solid');
    await expect(findRadioFace(/^Monthly$/)).toHaveCSS('outline-width', '3px');
    await expandAllAndShowErrors(page);
    await expect(findForm(page).getByLabel('First name')).toHaveCSS('border-style', 'solid');
    await expect(findForm(page).getByLabel('Their name')).toHaveCSS('border-style', 'dashed');
    await expect(findForm(page).locator('#notice')).toHaveCSS('outline-style', 'solid');
    await expect(findCardFrame(page).getByLabel('Card number')).toHaveCSS('border-style', 'solid');
    await openForm(page, world, 'main');
    const bar = page.locator('donation-goal progress').first();
    await expect(bar).toBeVisible();
    const picture = await sharp(await bar.screenshot())
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height } = picture.info;
    const readColor = (x: number): number[] => {
      const start = (Math.floor(height / 2) * width + Math.floor(x)) * 3;
      return [...picture.data.subarray(start, start + 3)];
    };
    expect(readColor(width * 0.1)).not.toEqual(readColor(width * 0.95));
  },
);
