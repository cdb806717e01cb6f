import { html, nothing, type TemplateResult } from 'lit';
import { firstOf } from '../state/form-values.ts';
import type { View } from '../form/view-model.ts';
import { fieldProblem } from './field-error.ts';

/** A field of one of the form's rarer parts. */
export interface MoreField {
  readonly control: string;
  readonly label: string;
  readonly hint?: string | undefined;
  /** True: nothing marks it as optional. */
  readonly isRequired?: boolean;
  readonly type?: 'text' | 'email' | 'url' | 'date';
  readonly inputMode?: 'decimal' | 'numeric';
  readonly autocomplete?: 'off' | 'organization';
  /** In characters. */
  readonly maxLength?: number;
  readonly isLong?: boolean;
  /** What stands before the field, such as a currency's sign. */
  readonly sign?: string | undefined;
}

export const optional = (
  { texts }: View,
  isRequired: boolean | undefined,
): TemplateResult | typeof nothing =>
  isRequired ? nothing : html` <span class="hint">${texts.optional}</span>`;

export function textField(
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
    sign,
  }: MoreField,
): TemplateResult {
  const id = `${control}-control`;
  const hintId = hint && `${control}-hint`;
  const { isInvalid, describedBy, message } = fieldProblem(view, control, hintId);
  return html`
    <div class="field">
      <label class="label" for=${id}><bdi>${label}</bdi>${optional(view, isRequired)}</label>
      ${hint ? html`<p class="hint" id=${hintId!}><bdi>${hint}</bdi></p>` : nothing}
      ${
        isLong
          ? html`
        <textarea id=${id} name=${control} rows="3" maxlength=${maxLength ?? nothing} ?required=${isRequired} aria-invalid=${isInvalid} aria-describedby=${describedBy} .value=${firstOf(view.state.more, control)}></textarea>`
          : html`
        <span class=${sign ? 'signed' : ''}>${sign ? html`<span class="sign-text" aria-hidden="true">${sign}</span>` : nothing}<input id=${id} name=${control} type=${type} inputmode=${inputMode ?? nothing} autocomplete=${autocomplete} maxlength=${maxLength ?? nothing} ?required=${isRequired}
          aria-invalid=${isInvalid} aria-describedby=${describedBy} .value=${firstOf(view.state.more, control)}></span>`
      }
      ${message}
    </div>`;
}

/** A box to tick, with its words. @param value what a ticked box stands for. */
export function box(
  view: View,
  control: string,
  words: string,
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
  const { isInvalid, describedBy, message } = fieldProblem(view, control, hintId);
  return html`
    <div class="check">
      <label for=${id}><input type="checkbox" id=${id} name=${control} .value=${value} ?required=${isRequired} aria-invalid=${isInvalid} aria-describedby=${describedBy} .checked=${view.state.more[control]?.includes(value) ?? false}><bdi>${words}</bdi></label>
      ${hint ? html`<p class="hint" id=${hintId!}><bdi>${hint}</bdi></p>` : nothing}
      ${message}
    </div>`;
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Radios as segments in a row, or as a list. @param chosen the value of the one that is chosen. */
export function radios(
  control: string,
  choices: readonly Choice[],
  chosen: string,
  { isRow = false } = {},
): TemplateResult {
  return isRow
    ? html`
    <div class="segments">
      ${choices.map(({ value, label }) => html`<label class="choice"><input class="native" type="radio" name=${control} .value=${value} .checked=${value === chosen}><span class="face"><bdi>${label}</bdi></span></label>`)}
    </div>`
    : html`
    <div class="check">
      ${choices.map(({ value, label }) => html`<label><input type="radio" name=${control} .value=${value} .checked=${value === chosen}><bdi>${label}</bdi></label>`)}
    </div>`;
}
