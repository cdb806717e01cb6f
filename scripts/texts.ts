/**
 * Writes `docs/texts.md`: every text of the form, by the name under which a configuration replaces
 * it.
 */
import { writeFileSync } from 'node:fs';
import { ENGLISH_TEXTS } from '../src/core/i18n/names.ts';
import { formatMarkdown } from './format-markdown.ts';

export async function page(): Promise<string> {
  const rows = [...ENGLISH_TEXTS].map(
    ([name, text]) => `| \`${name}\` | ${text.replaceAll('|', '\\|')} |`,
  );
  return formatMarkdown(`# The form's texts

Every text can be replaced, for each language, in the endpoint's configuration: \`"texts": { "en": { "donor": "Your details" } }\` in a form. What stands in braces is filled in; a text may leave it out, and has no others. Names that end in \`one\` and \`other\` depend on a number; languages with more forms have \`zero\`, \`two\`, \`few\` and \`many\`, too.

| name | English |
|---|---|
${rows.join('\n')}
`);
}

if (import.meta.main) writeFileSync('docs/texts.md', await page());
