/**
 * Writes `docs/reference/texts.md`, which lists every text of the form by its key, and
 * `docs/contributing/untranslated.md`, which lists those that a language lacks.
 */
import { writeFileSync } from 'node:fs';
import { ENGLISH_TEXTS } from '../src/core/i18n/text-keys.ts';
import { formatMarkdown } from './format-markdown.ts';
import { FOREIGN_LANGUAGES, listUntranslatedTexts } from './translations.ts';

const escapeCell = (text: string): string => text.replaceAll('|', '\\|');

/** Maximum length of a text that the page shows. For longer texts, it lists only the keys. */
const MAX_LENGTH = 36;

/** Example of custom texts in two languages, as in a form's configuration. */
export const CUSTOM_TEXTS = {
  texts: {
    en: {
      donor: 'About you',
      'fields.firstName': 'Given name',
      give: 'Donate {amount}',
    },
    de: {
      donor: 'Über Sie',
      give: '{amount} geben',
    },
  },
};

const INTRODUCTION = `# The form's texts

To replace texts, set them by language and key in [the form's configuration](configuration.md#form). Do not split keys at their dots:

\`\`\`json
${JSON.stringify(CUSTOM_TEXTS, null, 2)}
\`\`\`

- The form fills in placeholders in braces. Your text can omit placeholders, but cannot add any. A text can have up to 500 characters.
- Keys that end in \`one\` or \`other\` are plural forms. Some languages also have \`zero\`, \`two\`, \`few\`, and \`many\`.
- Texts in \`en\` also apply to \`en-GB\`.

## Labels and buttons

| key | text |
| --- | --- |`;

export async function renderTextsPage(): Promise<string> {
  const texts = [...ENGLISH_TEXTS];
  const rows = texts
    .filter(([, text]) => text.length <= MAX_LENGTH)
    .map(([key, text]) => `| \`${key}\` | ${escapeCell(text)} |`);
  const longKeys = texts
    .filter(([, text]) => text.length > MAX_LENGTH)
    .map(([key]) => `\`${key}\``);
  return formatMarkdown(`${INTRODUCTION}
${rows.join('\n')}

## Messages

[The source](../../src/core/i18n) has the English messages for these keys.

${longKeys.join(', ')}
`);
}

export async function renderUntranslatedPage(): Promise<string> {
  const rows = listUntranslatedTexts().map(({ path, text, languages }) => {
    const isInNone = languages.length === FOREIGN_LANGUAGES.length;
    return `| \`${path}\` | ${escapeCell(text)} | ${isInNone ? 'all' : languages.join(', ')} |`;
  });
  const introduction = [
    'In some languages, the form shows these texts in English.',
    'To translate a text, add its key to the files in `src/core/i18n/locales`, and run `npm run docs:reference`.',
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
