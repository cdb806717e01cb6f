/** Renders controls with their labels and error messages. */
import { html, nothing, type TemplateResult } from 'lit';
import type { DirectiveResult } from 'lit/directive.js';
import type { ChoiceField, Field, TextField } from '@donation-form/core/form-state';
import type { View } from '../form/view-model.ts';
import { getErrorBindings } from './field-error.ts';

type FieldView = Pick<View, 'texts' | 'fieldErrors'>;
type Bindings = ReturnType<typeof getErrorBindings>;

export function renderField(
  view: FieldView,
  field: Pick<Field, 'control' | 'label' | 'hint' | 'isRequired'>,
  renderControl: (bindings: Bindings) => TemplateResult,
  className = '',
): TemplateResult {
  const bindings = getErrorBindings(view, field.control, getHintId(field));
  return html`
    <div class="field ${className}">
      <label class="label" for="${field.control}-control">${renderLabel(view, field)}</label>
      ${renderHint(field)}
      ${renderControl(bindings)}
      ${bindings.message}
    </div>`;
}

export const renderLabel = (
  { texts }: FieldView,
  { label, isRequired }: Pick<Field, 'label' | 'isRequired'>,
): TemplateResult =>
  html`<bdi .textContent=${label}></bdi>${isRequired ? nothing : html` <span class="hint">${texts.optional}</span>`}`;

interface Hinted {
  readonly control: string;
  readonly hint?: string | TemplateResult | undefined;
}

export const getHintId = ({ control, hint }: Hinted): string | undefined =>
  hint && `${control}-hint`;

export const renderHint = ({ control, hint }: Hinted): TemplateResult | typeof nothing =>
  hint ? html`<p class="hint" id="${control}-hint"><bdi>${hint}</bdi></p>` : nothing;

export function renderTextControl(
  { control, type, inputMode, autocomplete = 'off', maxLength, isRequired }: TextField,
  value: string,
  { isInvalid, describedBy }: Bindings,
): TemplateResult {
  return type === 'textarea'
    ? html`<textarea
      id="${control}-control"
      name=${control}
      rows="3"
      autocomplete=${autocomplete}
      maxlength=${maxLength ?? nothing}
      ?required=${isRequired}
      aria-invalid=${isInvalid}
      aria-describedby=${describedBy}
      .value=${value}
    ></textarea>`
    : html`<input
      id="${control}-control"
      name=${control}
      type=${type}
      inputmode=${inputMode ?? nothing}
      autocomplete=${autocomplete}
      maxlength=${maxLength ?? nothing}
      ?required=${isRequired}
      aria-invalid=${isInvalid}
      aria-describedby=${describedBy}
      .value=${value}
    >`;
}

/** @param onOpen called before the list opens. */
export function renderSelect(
  {
    control,
    autocomplete = 'off',
    isRequired,
  }: Pick<TextField, 'control' | 'isRequired'> & {
    readonly autocomplete?: TextField['autocomplete'] | 'country';
  },
  options: TemplateResult[] | DirectiveResult,
  { isInvalid, describedBy }: Bindings,
  onOpen?: () => void,
): TemplateResult {
  return html`<span class="select"><select
    id="${control}-control"
    name=${control}
    autocomplete=${autocomplete}
    ?required=${isRequired}
    aria-invalid=${isInvalid}
    aria-describedby=${describedBy}
    @focus=${onOpen}
    @pointerdown=${onOpen}
  >${options}</select></span>`;
}

export const renderOptions = (options: ChoiceField['options'], selected: string) =>
  options.map(
    ({ value, label }) =>
      html`<option .value=${value} .selected=${value === selected} .textContent=${label}></option>`,
  );
