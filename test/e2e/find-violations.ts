import { readFile } from 'node:fs/promises';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright/test';

/** Checks a page and its frames with axe, and describes each element that violates a rule. */
export async function findViolations(page: Page, options: RunOptions = {}): Promise<string[]> {
  const script = await readFile('node_modules/axe-core/axe.min.js', 'utf8');
  for (const frame of page.frames()) await frame.evaluate(script);
  return page.evaluate(async (runOptions) => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    const { violations } = await axe.run(runOptions);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }, options);
}
