import { readFile } from 'node:fs/promises';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright/test';

/**
 * Checks a page and its frames with axe, and describes each element that violates a rule.
 * @param selector selects the part of the page to check.
 */
export async function findViolations(
  page: Page,
  options: RunOptions = {},
  selector = 'html',
): Promise<string[]> {
  const script = await readFile('node_modules/axe-core/axe.min.js', 'utf8');
  for (const frame of page.frames()) await frame.evaluate(script);
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
