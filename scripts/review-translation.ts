/**
 * `npm run review-translation -- de` writes a page that shows each translated text of a language
 * beside the screen where donors read it, so that a native speaker can review the language.
 */
import { spawnSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { STATES } from '../test/visual/states.ts';
import { listTranslations, renderReviewPage, type Screen } from './translation-review-page.ts';
import { completeTranslation, TRANSLATED_LANGUAGES } from './translations.ts';

const language = TRANSLATED_LANGUAGES.find((known) => known === process.argv[2]);
if (language === undefined)
  throw new Error(
    `Unknown language: ${process.argv[2] ?? ''}. Choose one of ${TRANSLATED_LANGUAGES.join(', ')}.`,
  );
const folder = resolve('test-results', `translation-${language}`);
await rm(folder, { recursive: true, force: true });
const { status } = spawnSync(
  'playwright',
  ['test', '--config', 'test/visual/review/playwright.config.ts'],
  {
    stdio: 'inherit',
    env: { ...process.env, REVIEW_LANGUAGE: language, REVIEW_FOLDER: folder },
  },
);
if (status !== 0) throw new Error('Cannot take the pictures. Run npm run build and try again.');
const screens = await Promise.all(
  STATES.map(async ({ name, title, description }): Promise<Screen> => ({
    title,
    description,
    image: `${name}.png`,
    texts: await readFile(`${folder}/${name}.txt`, 'utf8'),
  })),
);
const translation = JSON.parse(completeTranslation(language)) as object;
const page = `${folder}/index.html`;
await writeFile(page, renderReviewPage(language, listTranslations(translation), screens));
console.log(`Open ${page} in a browser.`);
