/** What donors set their browsers to, so that they can read and use a page. */
import { expect, type Page } from 'playwright/test';
import { card, fillCard, fillDonor, form, giveButton, test, type World } from './world.ts';

async function open(page: Page, world: World, formId: 'main' | 'whole'): Promise<void> {
  world.pages.set(
    '/shown',
    (await (await fetch(world.page)).text()).replace(
      '<donation-form ',
      `<donation-form form-id="${formId}" `,
    ),
  );
  await page.goto(`${world.page}/shown`);
  await expect(card(page).getByLabel('Card number')).toBeVisible();
}

/** Opens what the form `whole` has, and shows every message. */
async function openAll(page: Page): Promise<void> {
  await form(page).getByRole('radio', { name: 'In honour' }).check();
  for (const name of ['Divide my gift over several projects', 'I give for an organisation'])
    await form(page).getByRole('checkbox', { name }).check();
  for (const name of ['Village wells', 'River watch'])
    await form(page).getByRole('checkbox', { name }).check();
  await form(page).getByRole('combobox', { name: 'Country' }).selectOption('US');
  await expect(form(page).getByLabel('ZIP code')).toBeVisible();
  await giveButton(page).press('Enter');
  await expect(form(page).locator('#notice')).toBeFocused();
}

/** What reaches out of the window sideways, in the form and around it. */
const tooWide = (page: Page): Promise<string[]> =>
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
  'at 400 % on a window of 1,280 pixels nothing scrolls sideways, and the whole form can be used',
  { tag: '@chromium' },
  async ({ page, world }) => {
    await page.setViewportSize({ width: 320, height: 256 });
    await open(page, world, 'whole');
    expect(await tooWide(page)).toEqual([]);
    await openAll(page);
    expect(await tooWide(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);

    await open(page, world, 'main');
    await form(page).getByRole('radio', { name: '$75' }).check();
    await fillDonor(page);
    await fillCard(page);
    await giveButton(page).click();
    await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeInViewport();
    expect(await tooWide(page)).toEqual([]);
  },
);

test(
  'with letters of twice the size nothing is cut',
  { tag: '@chromium' },
  async ({ page, world }) => {
    await page.setViewportSize({ width: 640, height: 900 });
    await page.addInitScript(() => {
      document.addEventListener('DOMContentLoaded', () => {
        document.documentElement.style.setProperty('font-size', '200%', 'important');
      });
    });
    await open(page, world, 'whole');
    await openAll(page);
    expect(
      await form(page).evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize)),
    ).toBe(32);
    expect(
      await form(page).evaluate((element) =>
        [...element.shadowRoot!.querySelectorAll('form *')]
          .filter(
            (part) =>
              part.getBoundingClientRect().right > element.getBoundingClientRect().right + 5,
          )
          .map((part) => part.outerHTML.slice(0, 120)),
      ),
    ).toEqual([]);
  },
);

test(
  'where a donor asked for less motion, nothing in the form moves, also while it sends',
  { tag: '@chromium' },
  async ({ page, world }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open(page, world, 'main');
    const moving = (): Promise<string[]> =>
      form(page).evaluate((element) =>
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
    expect(await moving()).toEqual([]);
    await fillDonor(page);
    await fillCard(page);
    await page.route(`${world.endpoint}/donations`, (route) =>
      new Promise((resolve) => {
        setTimeout(resolve, 1_000);
      }).then(() => route.continue()),
    );
    await giveButton(page).click();
    await expect(giveButton(page)).toHaveText('Sending your gift…');
    expect(await moving()).toEqual([]);
    await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
    expect(await moving()).toEqual([]);
  },
);

test(
  'in forced colours, what is chosen, what has focus and what is wrong differ by more than colour',
  { tag: '@chromium' },
  async ({ page, world }) => {
    await page.emulateMedia({ forcedColors: 'active' });
    await open(page, world, 'whole');
    const face = (name: RegExp) =>
      form(page).getByRole('radio', { name }).locator('xpath=following-sibling::*[1]');
    await expect(face(/^\$50 /)).toHaveCSS('border-width', '3px');
    await expect(face(/^\$25 /)).toHaveCSS('border-width', '1px');
    await form(page).getByRole('radio', { name: 'Once' }).press('ArrowRight');
    await expect(face(/^Weekly$/)).toHaveCSS('outline-style', 'solid');
    await expect(face(/^Weekly$/)).toHaveCSS('outline-width', '3px');
    await openAll(page);
    await expect(form(page).getByLabel('First name')).toHaveCSS('border-style', 'solid');
    await expect(form(page).getByLabel('Whose name')).toHaveCSS('border-style', 'dashed');
    await expect(form(page).locator('#notice')).toHaveCSS('outline-style', 'solid');
    await expect(card(page).getByLabel('Card number')).toHaveCSS('border-style', 'solid');
    await open(page, world, 'main');
    await giveButton(page).click();
    await expect(form(page).locator('#notice')).toBeFocused();
    await fillDonor(page);
    await fillCard(page);
    await giveButton(page).click();
    await expect(page.getByRole('heading', { name: 'Thank you, Ana!' })).toBeVisible();
  },
);
