import type { Page } from 'playwright/test';
import type { Language } from '../../src/core/i18n/languages.ts';
import * as definitions from './definitions.ts';
import { Stage } from './stage.ts';
import type { State, Variant } from './states.ts';

/** Opens a form and performs the donor's actions until the state is reached. */
export async function reachState(
  { formFactory, prepare, act, readySelector }: State,
  {
    language,
    page,
    variant,
  }: {
    readonly language: Language;
    readonly page: Page;
    readonly variant: Pick<Variant, 'scheme' | 'width'>;
  },
): Promise<void> {
  const stage = new Stage(page, language, definitions[formFactory](language));
  prepare?.(stage);
  await applyVariant(page, variant);
  await stage.open();
  await act?.(stage);
  await page.mouse.move(0, 0);
  if (readySelector) await stage.form.locator(readySelector).first().waitFor({ state: 'attached' });
}

export async function applyVariant(
  page: Page,
  { scheme, width }: Pick<Variant, 'scheme' | 'width'>,
): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await page.setViewportSize({ width, height: 900 });
}

/**
 * Returns the position of the state's parts on the page, with a margin for outlines. Also makes the
 * whole page visible, since browsers do not draw off-screen frames of other origins.
 */
export async function getClip(
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
