import { mkdir, writeFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { type Language, LANGUAGES } from '../../../src/core/i18n/languages.ts';
import { applyVariant, getClip, reachState } from '../reach-state.ts';
import { test } from '../stage.ts';
import { STATES } from '../states.ts';

/** Takes a picture of every state of the form in one language, and saves the texts in it. */
const language = process.env.REVIEW_LANGUAGE as Language;
const folder = process.env.REVIEW_FOLDER!;
if (!LANGUAGES.includes(language)) throw new Error(`Unknown language: ${language}`);

const PHONE = { scheme: 'light', width: 390 } as const;

for (const state of STATES)
  test(state.title, async ({ page }) => {
    await reachState(state, { language, page, variant: PHONE });
    await applyVariant(page, PHONE);
    await mkdir(folder, { recursive: true });
    await page.screenshot({
      path: `${folder}/${state.name}.png`,
      clip: await getClip(state, page),
    });
    await writeFile(`${folder}/${state.name}.txt`, await collectTexts(page));
  });

/** Returns the visible texts and the labels for screen readers, of the page and of its frames. */
async function collectTexts(page: Page): Promise<string> {
  const texts = await Promise.all(
    page.frames().map((frame) =>
      frame.evaluate(() => {
        const roots = [
          document,
          ...[...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? []),
        ];
        const elements = roots.flatMap((root) => [...root.querySelectorAll('*')]);
        const attributes = ['aria-label', 'placeholder', 'title', 'alt'];
        return elements
          .filter(({ localName }) => localName !== 'style' && localName !== 'script')
          .flatMap((element) => [
            element.shadowRoot ? '' : element.textContent,
            ...attributes.map((name) => element.getAttribute(name) ?? ''),
          ])
          .map((text) => text.replaceAll(/\s+/g, ' ').trim())
          .join('\n');
      }),
    ),
  );
  return texts.join('\n');
}
