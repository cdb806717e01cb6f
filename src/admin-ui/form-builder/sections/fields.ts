import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { problemSign } from '@donation-form/donation-form/internal';
import type { Language } from '@donation-form/core/i18n';
import { field } from '../../field.ts';
import { listAt, movedUp, textAt, valueAt, type Json, type Place } from '../file.ts';
import { withWords, wordsIn, wordsShown } from '../translations.ts';
import { problemAt, type View } from '../view.ts';
import { directionOf, nameOf } from '../words.ts';

interface FieldOptions {
  readonly place: Place;
  readonly label: string;
  readonly hint?: string;
  readonly isHalf?: boolean;
  /** What is empty is taken out of the file. */
  readonly isOptional?: boolean;
  readonly inputMode?: 'text' | 'decimal' | 'email';
}

export const valueOf = ({ target }: Event): string => (target as HTMLInputElement).value;

/** A field for a text of the file. */
export function textField(
  view: View,
  { place, isOptional = false, ...rest }: FieldOptions,
): TemplateResult {
  return plainField(view, {
    place,
    ...rest,
    value: textAt(view.draft.file, place),
    write: (text) => view.set(place, isOptional && text === '' ? undefined : text),
  });
}

/** A field for words that donors read, in the language that is written now. */
export function wordsField(
  view: View,
  { place, label, isOptional = false, ...rest }: FieldOptions,
): TemplateResult {
  const { file, language } = view.draft;
  const words = valueAt(file, place);
  return plainField(view, {
    place,
    label: language === 'en' ? label : `${label}, in ${nameOf(language)}`,
    language,
    ...rest,
    value: wordsIn(words, language),
    placeholder: wordsShown(words, language),
    write: (text) =>
      view.set(place, withWords(words, language, text) ?? (isOptional ? undefined : '')),
  });
}

interface PlainOptions extends Omit<FieldOptions, 'isOptional'> {
  readonly value: string;
  readonly placeholder?: string;
  /** Which one the text is written in; absent: none, as of names and numbers. */
  readonly language?: Language;
  readonly write: (text: string) => void;
}

/** A field for a text that is written somewhere. */
export function plainField(
  view: View,
  {
    place,
    label,
    hint,
    isHalf = false,
    inputMode = 'text',
    value,
    placeholder = '',
    language,
    write,
  }: PlainOptions,
): TemplateResult {
  view.fields.set(place, label);
  return field(
    { id: place, label, hint, isHalf, problem: problemAt(view, place) },
    (describedBy, isInvalid) => html`
    <input id=${place} type="text" inputmode=${inputMode} autocomplete="off" autocapitalize="off" placeholder=${placeholder} lang=${language ?? nothing} dir=${language === undefined ? nothing : directionOf(language)} aria-invalid=${isInvalid} aria-describedby=${describedBy}
      .value=${live(value)} @input=${(event: Event) => write(valueOf(event))} @change=${(event: Event) => write(valueOf(event).trim())}>`,
  );
}

interface SelectOptions {
  readonly id: string;
  readonly label: string;
  readonly chosen: string;
  readonly options: readonly (readonly [value: string, words: string])[];
  readonly choose: (value: string) => void;
}

export function selectField({ id, label, chosen, options, choose }: SelectOptions): TemplateResult {
  return field(
    { id, label },
    () => html`
    <span class="select"><select id=${id} @change=${(event: Event) => choose(valueOf(event))}>
      ${options.map(([value, words]) => html`<option value=${value} ?selected=${value === chosen}>${words}</option>`)}
    </select></span>`,
  );
}

interface TickOptions {
  readonly label: string;
  readonly isTicked: boolean;
  readonly tick: (isTicked: boolean) => void;
}

/** A yes or no. */
export function tickField({ label, isTicked, tick }: TickOptions): TemplateResult {
  return html`<label class="tick"><input type="checkbox" .checked=${live(isTicked)} @change=${({ target }: Event) => tick((target as HTMLInputElement).checked)}><span>${label}</span></label>`;
}

interface ChoiceOptions<Value extends string> {
  readonly name: string;
  readonly label: string;
  readonly chosen: Value;
  readonly options: readonly (readonly [value: Value, words: string])[];
  readonly choose: (value: Value) => void;
}

/** A choice of few, beside each other. */
export function segments<Value extends string>({
  name,
  label,
  chosen,
  options,
  choose,
}: ChoiceOptions<Value>): TemplateResult {
  return html`<fieldset class="segments"><legend class="unseen">${label}</legend>${options.map(
    ([value, words]) => html`
    <label><input type="radio" name=${name} .checked=${live(value === chosen)} @change=${() => choose(value)}><span>${words}</span></label>`,
  )}</fieldset>`;
}

/** What is wrong with a list as a whole. @param label what it is a list of. */
export function listProblem(
  { answer, fields }: View,
  list: Place,
  label: string,
): TemplateResult | typeof nothing {
  const words =
    answer && 'problems' in answer
      ? answer.problems.find(({ at }) => at === list)?.words
      : undefined;
  if (words === undefined) return nothing;
  fields.set(list, label);
  return html`<p class="problem" id=${list} tabindex="-1">${problemSign}<span>${words}</span></p>`;
}

/** What can be done with an entry of a list. @param name of the entry, such as `amount 2`. */
export function entryActions(view: View, list: Place, index: number, name: string): TemplateResult {
  return html`<div class="entry-actions">
    ${index === 0 ? nothing : html`<button class="quiet" type="button" aria-label="Move up ${name}" @click=${() => view.set(list, movedUp(listAt(view.draft.file, list), index))}>Move up</button>`}
    <button class="quiet" type="button" aria-label="Remove ${name}" @click=${() => view.remove(list, index)}>Remove</button>
  </div>`;
}

/** Adds an entry to a list. */
export function addButton(
  view: View,
  list: Place,
  words: string,
  entry: Json,
  first: Place,
): TemplateResult {
  return html`<button class="quiet add" type="button" id="${list}-add" @click=${() => view.add(list, entry, first)}>${words}</button>`;
}
