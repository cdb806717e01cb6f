import { findEnglishText } from '../src/core/i18n/text-keys.ts';

/** A picture of the form, with the texts in it. */
export interface Screen {
  readonly title: string;
  readonly description: string;
  /** File name of the picture. */
  readonly image: string;
  /** Visible texts and labels for screen readers, one per line. */
  readonly texts: string;
}

/** Renders an HTML page that shows each screen beside its translated texts. */
export function renderReviewPage(
  language: string,
  translations: ReadonlyMap<string, string>,
  screens: readonly Screen[],
): string {
  const remaining = new Map(translations);
  const sections = screens.map((screen) => {
    const found = [...remaining].filter(([, text]) => isShown(text, screen.texts));
    for (const [key] of found) remaining.delete(key);

    return found.length === 0
      ? ''
      : `<section><h2>${escapeHtml(screen.title)}</h2><p>${escapeHtml(screen.description)}</p>
<div class="screen"><img src="${screen.image}" alt="">${renderTable(found)}</div></section>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Translation: ${language}</title>
<style>
body { max-width: 80rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif }
.screen { display: grid; grid-template-columns: auto 1fr; gap: 1.5rem; align-items: start }
img { width: 390px; border: 1px solid #ccc }
table { border-collapse: collapse }
td, th { padding: 0.4rem 0.6rem; border-bottom: 1px solid #ccc; text-align: start; vertical-align: top }
code, .english { color: #555 }
</style>
<h1>Translation: ${language}</h1>
<p>Each text stands beside the first screen that shows it. Is it natural? Does it fit?</p>
${sections.join('\n')}
<section><h2>On no screen above</h2>${renderTable([...remaining])}</section></html>`;

  function renderTable(texts: readonly (readonly [string, string])[]): string {
    const rows = texts.map(
      ([key, text]) =>
        `<tr><td lang="${language}" dir="auto">${escapeHtml(text)}</td>` +
        `<td class="english">${escapeHtml(findEnglishText(key) ?? '')}</td>` +
        `<td><code>${key}</code></td></tr>`,
    );
    return `<table><tr><th>${language}</th><th>English</th><th>key</th></tr>${rows.join('\n')}</table>`;
  }
}

/** Returns the translated texts by key, without the formats of amounts. */
export function listTranslations(translation: object): Map<string, string> {
  const texts = new Map<string, string>();
  const addTexts = (value: object, prefix: string): void => {
    for (const [name, text] of Object.entries(value) as [string, string | object][]) {
      const key = prefix + name;
      if (typeof text === 'object') addTexts(text, `${key}.`);
      else if (findEnglishText(key) !== undefined) texts.set(key, text);
    }
  };
  for (const section of Object.values(translation) as object[]) addTexts(section, '');
  return texts;
}

/** Returns true if a screen has a text as whole words, with any values for its placeholders. */
function isShown(text: string, screen: string): boolean {
  const [first = '', ...rest] = text.split(/\{\w+\}/).map(normalize);
  if ([first, ...rest].join('').trim() === '') return false;
  const pattern = [first, ...rest].map(escapeRegExp).join('[^\\n]*');
  return new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'u').test(normalize(screen));
}

/** Removes invisible marks, and replaces no-break spaces. */
function normalize(text: string): string {
  return text.replaceAll(/\p{Cf}/gu, '').replaceAll(/[^\S\n]+/g, ' ');
}

const escapeRegExp = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
