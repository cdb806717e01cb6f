import { expect, type Page } from 'playwright/test';
import * as definitions from './definitions.ts';
import { Stage, test } from './stage.ts';
import {
  STATES,
  imageOf,
  languageIn,
  looksOf,
  type Direction,
  type Look,
  type State,
} from './states.ts';

for (const state of STATES) {
  for (const direction of ['ltr', 'rtl'] as const) {
    test(`${state.title}, ${direction}`, async ({ page }) => {
      const looks = looksOf(state).filter((look) => look.direction === direction);
      await reach(state, direction, page, looks[0]!);
      for (const look of looks) {
        await wear(page, look);
        await expect
          .soft(page)
          .toHaveScreenshot(imageOf(state, look), { clip: await placeOf(state, page) });
      }
    });
  }
}

async function reach(
  { form, prepare, act, until }: State,
  direction: Direction,
  page: Page,
  look: Look,
): Promise<void> {
  const language = languageIn(direction);
  const stage = new Stage(page, language, definitions[form](language));
  prepare?.(stage);
  await wear(page, look);
  await stage.open();
  await act?.(stage);
  await page.mouse.move(0, 0);
  if (until) await stage.form.locator(until).first().waitFor({ state: 'attached' });
}

async function wear(page: Page, { scheme, width }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await page.setViewportSize({ width, height: 900 });
}

/**
 * Where on the page the state's parts are, with room for what stands out from them. All of the page
 * is in view then: browsers do not draw a frame of another origin that is not.
 */
async function placeOf(
  { parts }: State,
  page: Page,
): Promise<{ x: number; y: number; width: number; height: number }> {
  await settle(page);
  await page.setViewportSize({
    ...page.viewportSize()!,
    height: await page.evaluate(() => document.documentElement.scrollHeight),
  });
  await settle(page);
  return page.evaluate((selectors) => {
    const root = document.querySelector('donation-form')!.shadowRoot!;
    const main = document.querySelector('main')!.getBoundingClientRect();
    const [first, last] = selectors?.map((selector) =>
      root.querySelector(selector)!.getBoundingClientRect(),
    ) ?? [main, main];
    const room = selectors ? 16 : 0;
    const top = Math.max(0, Math.floor(first!.top - room));
    return {
      x: Math.floor(main.left),
      y: top,
      width: Math.ceil(main.width),
      height: Math.ceil(last!.bottom + room) - top,
    };
  }, parts);
}

/**
 * The card frame says its height after its width has changed, and takes its colours after the
 * form's have.
 */
async function settle(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => setTimeout(resolve, 60));
      }),
  );
}
