import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { formatCount, getTextDirection, type Language } from '@donation-form/core/i18n';
import { renderField, renderProblem } from '../../field.ts';
import {
  type ConfigPath,
  getListAtPath,
  getTextAtPath,
  type Json,
  readConfigValue,
} from '../config-path.ts';
import { getLanguageName } from '../labels.ts';
import { getDisplayedText, getTranslation, replaceTranslation } from '../translations.ts';
import { type BuilderView, findProblemMessage } from '../view.ts';

interface FieldOptions {
  readonly hint?: string;
  readonly isHalfWidth?: boolean;
  /** True if an empty field removes the value from the configuration. */
  readonly isOptional?: boolean;
  readonly inputMode?: 'text' | 'decimal' | 'email';
}

export const getInputValue = ({ target }: Event): string => (target as HTMLInputElement).value;

export function renderTextField(
  view: BuilderView,
  path: ConfigPath,
  label: string,
  { isOptional = false, ...options }: FieldOptions = {},
): TemplateResult {
  return renderInput(view, {
    path,
    label,
    ...options,
    value: getTextAtPath(view.draft.configuration, path),
    onInput: (text) => view.setValue(path, isOptional && text === '' ? undefined : text),
  });
}

/** Renders a field for text that donors see, in the language being edited. */
export function renderTranslatedField(
  view: BuilderView,
  path: ConfigPath,
  label: string,
  { isOptional = false, ...options }: FieldOptions = {},
): TemplateResult {
  const { configuration, language } = view.draft;
  const texts = readConfigValue(configuration, path);
  return renderInput(view, {
    path,
    label: language === 'en' ? label : `${label} (${getLanguageName(language)})`,
    language,
    ...options,
    value: getTranslation(texts, language),
    placeholder: getDisplayedText(texts, language),
    onInput: (text) => {
      const replaced = replaceTranslation(texts, language, text);
      view.setValue(path, replaced ?? (isOptional ? undefined : ''));
    },
  });
}

interface InputOptions extends Omit<FieldOptions, 'isOptional'> {
  readonly path: ConfigPath;
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  /** Language of the text. Absent for names and numbers. */
  readonly language?: Language;
  readonly onInput: (text: string) => void;
}

/** Renders a text field for any configuration value. */
export function renderInput(view: BuilderView, options: InputOptions): TemplateResult {
  const { path, label, hint, isHalfWidth = false, inputMode = 'text', language } = options;
  const { value, placeholder = '', onInput } = options;
  view.fieldLabels.set(path, label);
  return renderField(
    { id: path, label, hint, isHalfWidth, problem: findProblemMessage(view, path) },
    (describedBy, isInvalid) => html`
    <input id=${path} type="text" inputmode=${inputMode} autocomplete="off" autocapitalize="off"
      enterkeyhint="done" placeholder=${placeholder} lang=${language ?? nothing}
      dir=${language === undefined ? nothing : getTextDirection(language)} aria-invalid=${isInvalid}
      aria-describedby=${describedBy} .value=${live(value)}
      @input=${(event: Event) => onInput(getInputValue(event))}
      @change=${(event: Event) => onInput(getInputValue(event).trim())}>`,
  );
}

export function renderSelect(
  id: string,
  label: string,
  {
    selected,
    options,
    onSelect,
  }: {
    readonly selected: string;
    readonly options: readonly (readonly [value: string, label: string])[];
    readonly onSelect: (value: string) => void;
  },
): TemplateResult {
  return renderField(
    { id, label },
    () => html`
    <select id=${id} @change=${(event: Event) => onSelect(getInputValue(event))}>
      ${options.map(
        ([value, optionLabel]) =>
          html`<option value=${value} .selected=${value === selected}>${optionLabel}</option>`,
      )}
    </select>`,
  );
}

export function renderCheckbox(
  label: string,
  isChecked: boolean,
  onChange: (isChecked: boolean) => void,
): TemplateResult {
  const notify = ({ target }: Event): void => onChange((target as HTMLInputElement).checked);
  return html`<label class="choice"><input type="checkbox" .checked=${live(isChecked)}
    @change=${notify}><span>${label}</span></label>`;
}

/** Renders a problem with a list as a whole, for example if the list is empty. */
export function renderListProblem(
  { previewResult, fieldLabels }: BuilderView,
  list: ConfigPath,
  label: string,
): TemplateResult | typeof nothing {
  const problems = previewResult && 'problems' in previewResult ? previewResult.problems : [];
  const problem = problems.find(({ path }) => path === list);
  if (!problem) return nothing;
  fieldLabels.set(list, label);
  return html`<div id=${list} tabindex="-1">${renderProblem(problem.message)}</div>`;
}

export function renderEntryActions(
  view: BuilderView,
  list: ConfigPath,
  index: number,
  name: string,
): TemplateResult {
  const isOnlyEntry = getListAtPath(view.draft.configuration, list).length === 1;
  const isFirst = index === 0;
  // The first entry has the button too, because an entry that moves to the top keeps the focus.
  const moveUpButton = html`<button type="button" id="${list}.${index}-up"
    aria-label="Move up ${name}" aria-disabled=${isFirst}
    @click=${isFirst ? nothing : () => view.moveEntryUp(list, index)}>Move up</button>`;
  return html`<div class="entry-actions">
    ${isOnlyEntry ? nothing : moveUpButton}
    <button type="button" aria-label="Remove ${name}"
      @click=${() => view.removeEntry(list, index)}>Remove</button>
  </div>`;
}

export function renderAddButton(
  view: BuilderView,
  list: ConfigPath,
  label: string,
  entry: Json,
  firstField: ConfigPath,
): TemplateResult {
  return html`<button class="add" type="button" id="${list}-add"
    @click=${() => view.addEntry(list, entry, firstField)}>${label}</button>`;
}

/** Renders fields in a collapsible section. The title shows the number of problems in them. */
export function renderSection(
  view: BuilderView,
  title: string,
  renderFields: () => TemplateResult,
  isInitiallyOpen = false,
): TemplateResult {
  const previousLabelCount = view.fieldLabels.size;
  const fields = renderFields();
  const paths = [...view.fieldLabels.keys()].slice(previousLabelCount);
  const problemCount = view.problems.filter(({ path: problemPath }) =>
    paths.some((path) => problemPath === path || problemPath.startsWith(`${path}.`)),
  ).length;
  return html`
    <details class="section" ?open=${isInitiallyOpen}>
      <summary><span>${title}</span>${
        problemCount === 0
          ? nothing
          : html` <span class="problem-count">${formatCount(problemCount, 'problem')}</span>`
      }</summary>
      ${fields}
    </details>`;
}
