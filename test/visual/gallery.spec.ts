import { expect, type Page } from 'playwright/test';
import * as definitions from './definitions.ts';
import { Stage, test } from './stage.ts';
import {
  STATES,
  getFileName,
  getLanguage,
  listVariants,
  type Direction,
  type Variant,
  type State,
} from './states.ts';

for (const state of STATES) {
  for (const direction of ['ltr', 'rtl'] as const) {
    test(`${state.title}, ${direction}`, async ({ page }) => {
      const variants = listVariants(state).filter((variant) => variant.direction === direction);
      await reachState(state, direction, page, variants[0]!);
      for (const variant of variants) {
        await applyVariant(page, variant);
        await expect
          .soft(page)
          .toHaveScreenshot(getFileName(state, variant), { clip: await getClip(state, page) });
      }
    });
  }
}

async function reachState(
  { formFactory, prepare, act, readySelector }: State,
  direction: Direction,
  page: Page,
  variant: Variant,
): Promise<void> {
  const language = getLanguage(direction);
  const stage = new Stage(page, language, definitions[formFactory](language));
  prepare?.(stage);
  await applyVariant(page, variant);
  await stage.open();
  await act?.(stage);
  await page.mouse.move(0, 0);
  if (readySelector) await stage.form.locator(readySelector).first().waitFor({ state: 'attached' });
}

async function applyVariant(page: Page, { scheme, width }: Variant): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await page.setViewportSize({ width, height: 900 });
}

/**
 * Returns the position of the state's parts on the page, with a margin for outlines. Also makes the
 * whole page visible, since browsers do not draw off-screen frames of other origins.
 */
async function getClip(
  { parts }: State,
  page: Page,
): Promise<{ x: number; y: number; width: number; height: number }> {
  await waitForCardFrame(page);
  await page.setViewportSize({
    ...page.viewportSize()!,
    height: await page.evaluate(() => document.documentElement.scrollHeight),
  });
  await waitForCardFrame(page);
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
      height: Math.min(Math.ceil(last!.bottom + room), Math.round(main.bottom)) - top,
    };
  }, parts);
}

/** Waits until the card frame has reported its new height and applied the form's colors. */
async function waitForCardFrame(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        requestAnimationFrame(() => setTimeout(resolve, 60));
      }),
  );
}
