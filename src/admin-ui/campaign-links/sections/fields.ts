import { html, nothing, type TemplateResult } from 'lit';
import { explainIgnoredValue } from '@donation-form/core/settings';
import { renderField } from '../../field.ts';
import type { LinkFields } from '../link-fields.ts';
import type { LinkView } from '../view.ts';

interface TextFieldOptions {
  readonly hint?: string;
  readonly type?: 'text' | 'url';
  readonly inputMode?: 'text' | 'decimal';
  readonly isRequired?: boolean;
  readonly isHalfWidth?: boolean;
  readonly suggestions?: readonly string[];
}

export function renderLinkTextField(
  view: LinkView,
  name: keyof LinkFields,
  label: string,
  {
    hint,
    type = 'text',
    inputMode = 'text',
    isRequired = false,
    isHalfWidth = false,
    suggestions = [],
  }: TextFieldOptions = {},
): TemplateResult {
  const problem = name === 'page' ? view.pageProblem : findFieldProblem(view, name);
  return renderField(
    { id: name, label, hint, problem, isHalfWidth },
    (describedBy, isInvalid) => html`
    <input id=${name} name=${name} type=${type}
      inputmode=${inputMode === 'text' ? nothing : inputMode} autocomplete="off"
      autocapitalize="off" spellcheck="false" enterkeyhint="done" maxlength="2000"
      ?required=${isRequired} aria-invalid=${isInvalid} aria-describedby=${describedBy}
      list=${suggestions.length > 0 ? `${name}-suggestions` : nothing}>
    ${
      suggestions.length > 0
        ? html`<datalist id="${name}-suggestions">${suggestions.map(
            (value) => html`<option value=${value}></option>`,
          )}</datalist>`
        : nothing
    }`,
  );
}

/** Renders a menu, if there is a choice. */
export function renderLinkSelect(
  name: keyof LinkFields,
  label: string,
  emptyLabel: string,
  options: readonly (readonly [value: string, label: string])[],
): TemplateResult | typeof nothing {
  if (options.length < 2) return nothing;
  return renderField(
    { id: name, label },
    () => html`
    <select id=${name} name=${name}>
      <option value="">${emptyLabel}</option>
      ${options.map(([value, optionLabel]) => html`<option value=${value}>${optionLabel}</option>`)}
    </select>`,
  );
}

function findFieldProblem(
  { fields, check, form }: LinkView,
  name: keyof LinkFields,
): string | undefined {
  if (fields[name] === undefined) return undefined;
  const ignored = check.ignored.find(({ setting }) => setting === name);
  if (!ignored) return undefined;
  const [, index] = /\[(\d+)\]/.exec(ignored.name) ?? [];
  const subject = index === undefined ? 'this value' : `entry ${Number(index) + 1}`;
  return `The form ignores ${subject}: ${explainIgnoredValue(ignored, form, check.settings.currency)}.`;
}
