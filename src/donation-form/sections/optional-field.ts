import { html, type TemplateResult } from 'lit';
import {
  type CheckboxField,
  type ChoiceField,
  type Field,
  getFirstControlValue,
} from '@donation-form/core/form-state';
import type { View } from '../form/view-model.ts';
import { renderCurrencySigns, renderSegments } from './amount.ts';
import { getErrorBindings } from './field-error.ts';
import {
  getHintId,
  renderField,
  renderHint,
  renderLabel,
  renderOptions,
  renderSelect,
  renderTextControl,
} from './labeled-field.ts';
import { getOptionalTexts } from './optional-texts.ts';

/** @param selected values of the selected choices. */
export function renderOptionalField(
  view: View,
  field: Field,
  selected = view.state.optionalFields[field.control] ?? [],
): TemplateResult {
  const value = getFirstControlValue(view.state.optionalFields, field.control);
  switch (field.type) {
    case 'checkbox':
      return renderCheckbox(view, field);
    case 'select': {
      const empty = { value: '', label: getOptionalTexts(view).chooseOption };
      const options = renderOptions([empty, ...field.options], value);
      return renderField(view, field, (bindings) => renderSelect(field, options, bindings));
    }
    case 'radios':
    case 'segments':
    case 'checkboxes':
      return renderChoiceGroup(view, field, selected);
    default:
      return renderField(view, field, (bindings) => {
        const input = renderTextControl(field, value, bindings);
        return field.isAmount ? renderAmountInput(view, input) : input;
      });
  }
}

export function renderAmountInput({ formatMoney }: View, input: TemplateResult): TemplateResult {
  return html`<span class="amount-input">${renderCurrencySigns(formatMoney, input)}</span>`;
}

/** Renders a checkbox without a mark, because a checkbox is usually optional. */
export function renderCheckbox(
  view: View,
  { control, label, isRequired, value, hint: fieldHint }: CheckboxField,
  hint: string | TemplateResult | undefined = fieldHint,
): TemplateResult {
  const id = `${control}-control`;
  const { isInvalid, describedBy, message } = getErrorBindings(
    view,
    control,
    getHintId({ control, hint }),
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
      ${renderHint({ control, hint })}
      ${message}
    </div>`;
}

function renderChoiceGroup(
  view: View,
  field: ChoiceField,
  selected: readonly string[],
): TemplateResult {
  const { describedBy, message } = getErrorBindings(view, field.control, getHintId(field));
  return html`
    <fieldset class="field" aria-describedby=${describedBy}>
      <legend class="label">${renderLabel(view, field)}</legend>
      ${renderHint(field)}
      ${renderChoices(field, selected)}${message}
    </fieldset>`;
}

/** Renders radio buttons or checkboxes as a list, or radio buttons as a segmented control. */
export function renderChoices(
  { control, type, options }: ChoiceField,
  selected: readonly string[],
): TemplateResult {
  return type === 'segments'
    ? renderSegments(
        options.map(
          ({ value, label }) => html`<label class="choice"><input
          class="native"
          type="radio"
          name=${control}
          .value=${value}
          .checked=${selected.includes(value)}
        ><span class="face"><bdi>${label}</bdi></span></label>`,
        ),
      )
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
