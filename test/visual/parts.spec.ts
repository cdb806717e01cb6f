import { expect } from 'playwright/test';
import { PART_PICTURES } from './part-pictures.ts';
import { getClip, reachState } from './reach-state.ts';
import { test } from './stage.ts';

/** Width of the page, with room for the labels to the right of the form. */
const WIDTH = 736;

/** Outlines and labels the parts on the page. Runs in the page. */
function outlineParts(parts: readonly string[]): void {
  const root = document.querySelector('donation-form')!.shadowRoot!;
  const color = '#b3261e';
  for (const part of parts) {
    for (const element of root.querySelectorAll(`[part=${part}]`)) {
      const { left, top, right, width, height } = element.getBoundingClientRect();
      const outline = document.createElement('div');
      outline.style.cssText = `position: absolute; box-sizing: border-box; left: ${left - 6}px; top: ${top - 5}px; width: ${width + 12}px; height: ${height + 10}px; border: 2px solid ${color}; border-radius: 4px`;
      const label = document.createElement('div');
      label.textContent = part;
      label.style.cssText = `position: absolute; left: ${right + 10}px; top: ${top - 5}px; color: ${color}; font: bold 15px/1.4 Pinned, sans-serif`;
      document.body.append(outline, label);
    }
  }
}

for (const { name, parts, state } of PART_PICTURES) {
  test(`picture ${name}`, async ({ page }) => {
    await reachState(state, { language: 'en', page, variant: { scheme: 'light', width: WIDTH } });
    await page.addStyleTag({ content: 'main { margin: 0 !important }' });
    const clip = await getClip(state, page);
    await page.evaluate(outlineParts, parts);
    for (const part of parts)
      await expect(page.locator(`donation-form [part=${part}]`).first(), part).toBeVisible();
    await expect(page).toHaveScreenshot(`${name}.png`, { clip: { ...clip, width: WIDTH } });
  });
}
