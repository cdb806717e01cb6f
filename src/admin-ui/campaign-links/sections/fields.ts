import { html, nothing, type TemplateResult } from 'lit';
import { field } from '../../field.ts';
import type { Entries } from '../entries.ts';
import type { View } from '../view.ts';
import { whyIgnored } from '../words.ts';

interface FieldOptions {
  readonly name: keyof Entries;
  readonly label: string;
  readonly hint?: string;
  readonly type?: 'text' | 'url';
  readonly inputMode?: 'text' | 'decimal';
  readonly isRequired?: boolean;
  readonly isHalf?: boolean;
}

/** A text field with its label, its hint, and what is wrong with what stands in it. */
export function textField(
  view: View,
  {
    name,
    label,
    hint,
    type = 'text',
    inputMode = 'text',
    isRequired = false,
    isHalf = false,
  }: FieldOptions,
): TemplateResult {
  const problem = name === 'page' ? view.pageProblem : entryProblem(view, name);
  return field(
    { id: name, label, hint, problem, isHalf },
    (describedBy, isInvalid) => html`
    <input id=${name} name=${name} type=${type} inputmode=${inputMode === 'text' ? nothing : inputMode} autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="2000"
      ?required=${isRequired} aria-invalid=${isInvalid} aria-describedby=${describedBy}>`,
  );
}

/**
 * A choice among what the form offers.
 * @param rest what the first entry, which chooses nothing, is called.
 */
export function selectField({
  name,
  label,
  rest,
  options,
}: {
  readonly name: keyof Entries;
  readonly label: string;
  readonly rest: string;
  readonly options: readonly (readonly [value: string, words: string])[];
}): TemplateResult {
  return html`
    <div class="field">
      <label for=${name}>${label}</label>
      <span class="select"><select id=${name} name=${name}>
        <option value="">${rest}</option>
        ${options.map(([value, words]) => html`<option value=${value}>${words}</option>`)}
      </select></span>
    </div>`;
}

function entryProblem({ entries, check, form }: View, name: keyof Entries): string | undefined {
  if (entries[name] === undefined) return undefined;
  const ignored = check.ignored.find(({ setting }) => setting === name);
  const [, index] = /\[(\d+)\]/.exec(ignored?.name ?? '') ?? [];
  return (
    ignored &&
    `${index === undefined ? 'This' : `Entry ${Number(index) + 1}`} does not count: ${whyIgnored(ignored, form, check.settings.currency)}.`
  );
}
