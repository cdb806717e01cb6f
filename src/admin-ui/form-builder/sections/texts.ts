import { html, nothing, type TemplateResult } from 'lit';
import { LANGUAGES, placeholdersOf } from '@donation-form/core/i18n';
import { entriesAt, textAt } from '../file.ts';
import type { View } from '../view.ts';
import { LANGUAGE_OPTIONS, nameOf, OFFERED_TEXTS, ownWords } from '../words.ts';
import { plainField, selectField } from './fields.ts';

const names = Object.keys(OFFERED_TEXTS) as (keyof typeof OFFERED_TEXTS)[];

/** The organisation's own words for texts of the form, in one language at a time. */
export function textsGroup(view: View): TemplateResult {
  const {
    draft: { file, language },
    form,
  } = view;
  const texts = `${form}.texts`;
  const place = `${texts}.${language}`;
  const write = (name: string, text: string): void => {
    const isLast = (at: string, one: string): boolean =>
      entriesAt(file, at).every(([other]) => other === one);
    if (text !== '') return view.set(`${place}.${name}`, text);
    if (!isLast(place, name)) return view.set(`${place}.${name}`, undefined);
    view.set(isLast(texts, language) ? texts : place, undefined);
  };
  return html`
    <fieldset>
      <legend>Words</legend>
      <p class="hint">The form has words of its own in ${LANGUAGES.length} languages; what you write takes their place. What stands in braces is filled in. docs/texts.md has all of them.</p>
      <div class="fields">
        ${selectField({ id: 'language', label: 'Language that you write in', chosen: language, options: LANGUAGE_OPTIONS, choose: (chosen) => view.change({ language: chosen as typeof language }) })}
        ${language === 'en' ? nothing : html`<p class="hint">Names of projects and what gifts do are written in ${nameOf(language)} too, above.</p>`}
        ${names.map((name) =>
          plainField(view, {
            place: `${place}.${name}`,
            label: OFFERED_TEXTS[name],
            language,
            value: textAt(file, `${place}.${name}`),
            write: (text) => write(name, text),
            ...(language === 'en'
              ? { placeholder: ownWords(name) }
              : placeholdersOf(ownWords(name)).length > 0 && {
                  hint: `May hold ${placeholdersOf(ownWords(name)).join(', ')}`,
                }),
          }),
        )}
      </div>
    </fieldset>`;
}
