import { html, nothing, type TemplateResult } from 'lit';
import {
  type CheckboxField,
  type ChoiceField,
  type Field,
  getFirstControlValue,
  type TextField,
} from '@donation-form/core/form-state';
import type { OptionalFieldTexts } from '@donation-form/core/i18n';
import type { View } from '../form/view-model.ts';
import { renderCurrencySigns } from './amount.ts';
import { getErrorBindings } from './field-error.ts';

export function renderOptionalField(
  view: View,
  texts: OptionalFieldTexts,
  field: Field,
): TemplateResult {
  switch (field.type) {
    case 'checkbox':
      return renderCheckbox(view, field);
    case 'select':
      return renderSelect(view, texts, field);
    case 'radios':
    case 'segments':
    case 'checkboxes':
      return renderChoiceGroup(view, field);
    default:
      return renderTextField(view, field);
  }
}

function renderTextField(view: View, field: TextField): TemplateResult {
  const { control, type, inputMode, autocomplete = 'off', maxLength, isRequired, isAmount } = field;
  const value = getFirstControlValue(view.state.optionalFields, control);
  return renderLabeledField(view, field, ({ isInvalid, describedBy }) => {
    if (type === 'textarea')
      return html`
        <textarea
          id="${control}-control"
          name=${control}
          rows="3"
          autocomplete=${autocomplete}
          maxlength=${maxLength ?? nothing}
          ?required=${isRequired}
          aria-invalid=${isInvalid}
          aria-describedby=${describedBy}
          .value=${value}
        ></textarea>`;
    const input = html`<input
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
    return html`
        <span class=${isAmount ? 'amount-input' : ''}>${
          isAmount ? renderCurrencySigns(view.formatMoney, input) : input
        }</span>`;
  });
}

function renderSelect(view: View, texts: OptionalFieldTexts, field: ChoiceField): TemplateResult {
  const { control, options, isRequired } = field;
  const selected = getFirstControlValue(view.state.optionalFields, control);
  return renderLabeledField(
    view,
    field,
    ({ isInvalid, describedBy }) => html`
      <span class="select"><select
        id="${control}-control"
        name=${control}
        autocomplete="off"
        ?required=${isRequired}
        aria-invalid=${isInvalid}
        aria-describedby=${describedBy}
      >
        <option value="" .selected=${selected === ''}>${texts.chooseOption}</option>
        ${options.map(
          ({ value, label }) =>
            html`<option .value=${value} .selected=${value === selected}>${label}</option>`,
        )}
      </select></span>`,
  );
}

function renderLabeledField(
  view: View,
  { control, label, hint, isRequired }: Field,
  renderControl: (error: ReturnType<typeof getErrorBindings>) => TemplateResult,
): TemplateResult {
  const error = getErrorBindings(view, control, getHintId(control, hint));
  return html`
    <div class="field">
      <label class="label" for="${control}-control"><bdi>${label}</bdi>${renderOptionalMark(view, isRequired)}</label>
      ${renderHint(control, hint)}
      ${renderControl(error)}
      ${error.message}
    </div>`;
}

/** Renders a checkbox without a mark, because a checkbox is usually optional. */
function renderCheckbox(
  view: View,
  { control, label, hint, isRequired, value }: CheckboxField,
): TemplateResult {
  const id = `${control}-control`;
  const { isInvalid, describedBy, message } = getErrorBindings(
    view,
    control,
    getHintId(control, hint),
  );
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
      ${renderHint(control, hint)}
      ${message}
    </div>`;
}

function renderChoiceGroup(view: View, field: ChoiceField): TemplateResult {
  const { control, label, hint, isRequired } = field;
  const { describedBy, message } = getErrorBindings(view, control, getHintId(control, hint));
  return html`
    <fieldset class="field" aria-describedby=${describedBy}>
      <legend class="label"><bdi>${label}</bdi>${renderOptionalMark(view, isRequired)}</legend>
      ${renderHint(control, hint)}
      ${renderChoices(field, view.state.optionalFields[control] ?? [])}${message}
    </fieldset>`;
}

/** Renders radio buttons or checkboxes as a list, or radio buttons as a segmented control. */
export function renderChoices(
  { control, type, options }: ChoiceField,
  selected: readonly string[],
): TemplateResult {
  return type === 'segments'
    ? html`
    <div class="segments">
      ${options.map(
        ({ value, label }) => html`<label class="choice"><input
          class="native"
          type="radio"
          name=${control}
          .value=${value}
          .checked=${selected.includes(value)}
        ><span class="face"><bdi>${label}</bdi></span></label>`,
      )}
    </div>`
    : html`
    <div class="check">
      ${options.map(
        ({ value, label }) => html`<label><input
          type=${type === 'checkboxes' ? 'checkbox' : 'radio'}
          name=${control}
          .value=${value}
          .checked=${selected.includes(value)}
        ><bdi>${label}</bdi></label>`,
      )}
    </div>`;
}

const getHintId = (control: string, hint: string | undefined): string | undefined =>
  hint && `${control}-hint`;

const renderHint = (control: string, hint: string | undefined): TemplateResult | typeof nothing =>
  hint ? html`<p class="hint" id="${control}-hint"><bdi>${hint}</bdi></p>` : nothing;

const renderOptionalMark = (
  { texts }: View,
  isRequired: boolean | undefined,
): TemplateResult | typeof nothing =>
  isRequired ? nothing : html` <span class="hint">${texts.optional}</span>`;
