/**
 * Writes `docs/reference/texts.md`, which lists every text of the form by its key, and
 * `docs/contributing/untranslated.md`, which lists those that a language lacks.
 */
import { writeFileSync } from 'node:fs';
import { ENGLISH_TEXTS } from '../src/core/i18n/text-keys.ts';
import { formatMarkdown } from './format-markdown.ts';
import { FOREIGN_LANGUAGES, listUntranslatedTexts } from './translations.ts';

const escapeCell = (text: string): string => text.replaceAll('|', '\\|');

export async function renderTextsPage(): Promise<string> {
  const rows = [...ENGLISH_TEXTS].map(([key, text]) => `| \`${key}\` | ${escapeCell(text)} |`);
  const introduction = [
    "To replace a text, set it by its key and language in a form's configuration:",
    '`"texts": { "en": { "donor": "Your details" } }`.',
    'The form fills in the placeholders in braces.',
    'Your text may omit a placeholder, but not add one.',
    'Keys that end in `one` or `other` are plural forms;',
    'some languages also have `zero`, `two`, `few`, and `many`.',
  ].join(' ');
  return formatMarkdown(`# The form's texts

${introduction}

| key | English |
|---|---|
${rows.join('\n')}
`);
}

export async function renderUntranslatedPage(): Promise<string> {
  const rows = listUntranslatedTexts().map(({ path, text, languages }) => {
    const isInNone = languages.length === FOREIGN_LANGUAGES.length;
    return `| \`${path}\` | ${escapeCell(text)} | ${isInNone ? 'all' : languages.join(', ')} |`;
  });
  const introduction = [
    'The form shows these texts in English until a translation has them.',
    'To translate one, add its key to the files in `src/core/i18n/locales`, then run `npm run docs:reference`.',
  ].join(' ');
  return formatMarkdown(`# Untranslated texts

${introduction}

${rows.length === 0 ? 'None.' : `| key | English | missing in |\n|---|---|---|\n${rows.join('\n')}`}
`);
}

if (import.meta.main) {
  writeFileSync('docs/reference/texts.md', await renderTextsPage());
  writeFileSync('docs/contributing/untranslated.md', await renderUntranslatedPage());
}
