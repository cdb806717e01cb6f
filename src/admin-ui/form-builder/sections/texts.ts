import { html, nothing, type TemplateResult } from 'lit';
import { type Language, LANGUAGES, listPlaceholders } from '@donation-form/core/i18n';
import { type ConfigPath, getEntriesAtPath, getTextAtPath } from '../config-path.ts';
import { EDITABLE_TEXTS, getDefaultText, getLanguageName, LANGUAGE_OPTIONS } from '../labels.ts';
import type { BuilderView } from '../view.ts';
import { renderInput, renderSection, renderSelect } from './fields.ts';

type TextName = keyof typeof EDITABLE_TEXTS;
const TEXT_NAMES = Object.keys(EDITABLE_TEXTS) as TextName[];

export function renderTexts(view: BuilderView): TemplateResult {
  const { language } = view.draft;
  const languageName = getLanguageName(language);
  const translationHint = `In the fields above, you can also enter project names and impact texts in ${languageName}.`;
  return renderSection(
    view,
    'Texts',
    () => html`
      <p class="hint">Replace the built-in texts, which are available in ${LANGUAGES.length}
        languages. The form fills in placeholders in braces. docs/reference/texts.md lists all texts.</p>
      <div class="fields">
        ${renderSelect('language', 'Language of these texts', {
          selected: language,
          options: LANGUAGE_OPTIONS,
          onSelect: (selected) => view.changeDraft({ language: selected as Language }),
        })}
        ${language === 'en' ? nothing : html`<p class="hint">${translationHint}</p>`}
        ${TEXT_NAMES.map((name) => renderText(view, name))}
      </div>
    `,
  );
}

function renderText(view: BuilderView, name: TextName): TemplateResult {
  const { configuration, language } = view.draft;
  const path = `${view.form}.texts.${language}.${name}`;
  const defaultText = getDefaultText(name);
  const placeholders = listPlaceholders(defaultText);
  return renderInput(view, {
    path,
    label: EDITABLE_TEXTS[name],
    language,
    value: getTextAtPath(configuration, path),
    onInput: (text) => (text === '' ? removeText(view, name) : view.setValue(path, text)),
    ...(language === 'en'
      ? { placeholder: defaultText }
      : placeholders.length > 0 && { hint: `Can contain ${placeholders.join(' and ')}` }),
  });
}

/** Removes a text and any enclosing objects that become empty. */
function removeText({ form, draft, setValue }: BuilderView, name: TextName): void {
  const { configuration, language } = draft;
  const texts = `${form}.texts`;
  const isOnlyEntry = (path: ConfigPath, key: string): boolean =>
    getEntriesAtPath(configuration, path).every(([other]) => other === key);
  if (!isOnlyEntry(`${texts}.${language}`, name))
    return setValue(`${texts}.${language}.${name}`, undefined);
  setValue(isOnlyEntry(texts, language) ? texts : `${texts}.${language}`, undefined);
}
