import { readFile } from 'node:fs/promises';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright/test';

const axeScript = readFile('node_modules/axe-core/axe.min.js', 'utf8');

/** Rules to check again after only the color scheme has changed. */
export const COLOR_RULES: RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'] };

/**
 * Checks a page and its frames with axe, and describes each element that violates a rule.
 * @param selector selects the part of the page to check.
 */
export async function findViolations(
  page: Page,
  options: RunOptions = {},
  selector = 'html',
): Promise<string[]> {
  for (const frame of page.frames())
    if (!(await frame.evaluate("'axe' in globalThis"))) await frame.evaluate(await axeScript);
  return page.evaluate(
    async ([runOptions, root]) => {
      const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
      // axe describes the elements of other results, too, unless they are left out.
      const { violations } = await axe.run(root, { resultTypes: ['violations'], ...runOptions });
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
    },
    [options, selector] as const,
  );
}

/** Checks a page in light colors, and its contrast in dark ones, which remain. */
export async function findViolationsInBothSchemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  const inLight = await findViolations(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  return [...inLight, ...(await findViolations(page, COLOR_RULES))];
}
