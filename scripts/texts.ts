/** Writes `docs/texts.md`, which lists every text of the form by its key. */
import { writeFileSync } from 'node:fs';
import { ENGLISH_TEXTS } from '../src/core/i18n/text-keys.ts';
import { formatMarkdown } from './format-markdown.ts';

export async function renderTextsPage(): Promise<string> {
  const rows = [...ENGLISH_TEXTS].map(
    ([key, text]) => `| \`${key}\` | ${text.replaceAll('|', '\\|')} |`,
  );
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

if (import.meta.main) writeFileSync('docs/texts.md', await renderTextsPage());
