import { html, nothing, type TemplateResult } from 'lit';
import { getFirstControlValue } from '@donation-form/core/form-state';
import type { View } from '../form/view-model.ts';
import { renderCurrencySigns } from './amount.ts';
import { getErrorBindings } from './field-error.ts';

export interface TextFieldOptions {
  readonly control: string;
  readonly label: string;
  readonly hint?: string | undefined;
  /** If false, the label marks the field as optional. */
  readonly isRequired?: boolean;
  readonly type?: 'text' | 'email' | 'url' | 'date';
  readonly inputMode?: 'decimal' | 'numeric';
  readonly autocomplete?: 'off' | 'organization';
  /** In characters. */
  readonly maxLength?: number;
  readonly isLong?: boolean;
  /** True to show the currency sign. */
  readonly isAmount?: boolean;
}

export const renderOptionalHint = (
  { texts }: View,
  isRequired: boolean | undefined,
): TemplateResult | typeof nothing =>
  isRequired ? nothing : html` <span class="hint">${texts.optional}</span>`;

/** Renders a text field for an optional field. */
export function renderOptionalTextField(
  view: View,
  {
    control,
    label,
    hint,
    isRequired,
    type = 'text',
    inputMode,
    autocomplete = 'off',
    maxLength,
    isLong,
    isAmount,
  }: TextFieldOptions,
): TemplateResult {
  const id = `${control}-control`;
  const hintId = hint && `${control}-hint`;
  const { isInvalid, describedBy, message } = getErrorBindings(view, control, hintId);
  const input = html`<input
          id=${id}
          name=${control}
          type=${type}
          inputmode=${inputMode ?? nothing}
          autocomplete=${autocomplete}
          maxlength=${maxLength ?? nothing}
          ?required=${isRequired}
          aria-invalid=${isInvalid}
          aria-describedby=${describedBy}
          .value=${getFirstControlValue(view.state.optionalFields, control)}
        >`;
  return html`
    <div class="field">
      <label class="label" for=${id}><bdi>${label}</bdi>${renderOptionalHint(view, isRequired)}</label>
      ${hint ? html`<p class="hint" id=${hintId!}><bdi>${hint}</bdi></p>` : nothing}
      ${
        isLong
          ? html`
        <textarea
          id=${id}
          name=${control}
          rows="3"
          autocomplete=${autocomplete}
          maxlength=${maxLength ?? nothing}
          ?required=${isRequired}
          aria-invalid=${isInvalid}
          aria-describedby=${describedBy}
          .value=${getFirstControlValue(view.state.optionalFields, control)}
        ></textarea>`
          : html`
        <span class=${isAmount ? 'amount-input' : ''}>${
          isAmount ? renderCurrencySigns(view.formatMoney, input) : input
        }</span>`
      }
      ${message}
    </div>`;
}

/**
 * Renders a checkbox for an optional field. @param value the control's value if the checkbox is
 * checked.
 */
export function renderOptionalCheckbox(
  view: View,
  control: string,
  label: string,
  {
    hint,
    isRequired,
    value = 'true',
  }: {
    readonly hint?: string | undefined;
    readonly isRequired?: boolean;
    readonly value?: string;
  } = {},
): TemplateResult {
  const id = `${control}-control`;
  const hintId = hint && `${control}-hint`;
  const { isInvalid, describedBy, message } = getErrorBindings(view, control, hintId);
  return html`
    <div class="check">
      <label for=${id}><input
        type="checkbox"
        id=${id}
        name=${control}
        .value=${value}
        ?required=${isRequired}
        aria-invalid=${isInvalid}
        aria-describedby=${describedBy}
        .checked=${view.state.optionalFields[control]?.includes(value) ?? false}
      ><bdi>${label}</bdi></label>
      ${hint ? html`<p class="hint" id=${hintId!}><bdi>${hint}</bdi></p>` : nothing}
      ${message}
    </div>`;
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/**
 * Renders radio buttons for an optional field as a list, or as a segmented control if `isRow` is
 * true.
 */
export function renderOptionalRadios(
  control: string,
  options: readonly Choice[],
  selected: string,
  { isRow = false } = {},
): TemplateResult {
  return isRow
    ? html`
    <div class="segments">
      ${options.map(
        ({ value, label }) => html`<label class="choice"><input
          class="native"
          type="radio"
          name=${control}
          .value=${value}
          .checked=${value === selected}
        ><span class="face"><bdi>${label}</bdi></span></label>`,
      )}
    </div>`
    : html`
    <div class="check">
      ${options.map(
        ({ value, label }) => html`<label><input
          type="radio"
          name=${control}
          .value=${value}
          .checked=${value === selected}
        ><bdi>${label}</bdi></label>`,
      )}
    </div>`;
}
