import { expect } from 'playwright/test';
import { findProblemsOfLargeText } from './layout-problems.ts';
import { applyVariant, getClip, reachState } from './reach-state.ts';
import { test } from './stage.ts';
import { getFileName, getLanguage, listVariants, STATES } from './states.ts';

for (const state of STATES) {
  for (const [direction, variants] of Map.groupBy(
    listVariants(state),
    (variant) => variant.direction,
  )) {
    test(`${state.title}, ${direction}`, async ({ page }) => {
      await reachState(state, { language: getLanguage(direction), page, variant: variants[0]! });
      for (const variant of variants) {
        await applyVariant(page, variant);
        await expect
          .soft(page)
          .toHaveScreenshot(getFileName(state, variant), { clip: await getClip(state, page) });
      }
      expect(await findProblemsOfLargeText(page)).toEqual([]);
    });
  }
}
