import { html, nothing, type TemplateResult } from 'lit';
import {
  isVisibleCustomField,
  type VisibleCustomField,
  getFirstControlValue,
} from '@donation-form/core/form-state';
import {
  MAX_CUSTOM_VALUE_LENGTH,
  CustomFieldDataFormatter,
  CustomFieldDataType,
} from '@donation-form/core/donor';
import type { OptionalFieldTexts } from '@donation-form/core/i18n';
import type { View } from '../form/view-model.ts';
import { getErrorBindings } from './field-error.ts';
import {
  renderOptionalCheckbox,
  renderOptionalHint,
  renderOptionalRadios,
  renderOptionalTextField,
  type Choice,
} from './optional-field-controls.ts';

/** Renders the organization's custom fields according to their data types and formatters. */
export function renderCustomFields(view: View, texts: OptionalFieldTexts): TemplateResult[] {
  return view.context.definition.customFields
    .filter(isVisibleCustomField)
    .map((field) => renderCustomField(view, texts, field));
}

function renderCustomField(
  view: View,
  texts: OptionalFieldTexts,
  field: VisibleCustomField,
): TemplateResult {
  const { type, formatter, label, hint, required: isRequired, options = [] } = field;
  const control = `custom.${field.id}`;
  const maxLength = MAX_CUSTOM_VALUE_LENGTH;
  const { Boolean, Date, Decimal, Integer, Link, List, Multiselect, Paragraph } =
    CustomFieldDataType;
  const { None, BooleanButton, Currency, CurrencyWithDecimals, ListRadio } =
    CustomFieldDataFormatter;
  const commonOptions = { control, label, hint, isRequired };
  switch (type) {
    case Boolean: {
      if (formatter === None)
        return renderOptionalCheckbox(view, control, label, { hint, isRequired });
      return renderChoiceGroup(
        view,
        field,
        renderOptionalRadios(
          control,
          [
            { value: 'true', label: texts.yes },
            { value: 'false', label: texts.no },
          ],
          getFirstControlValue(view.state.optionalFields, control),
          { isRow: formatter === BooleanButton },
        ),
      );
    }
    case List:
      return formatter === ListRadio
        ? renderChoiceGroup(
            view,
            field,
            renderOptionalRadios(
              control,
              options,
              getFirstControlValue(view.state.optionalFields, control),
            ),
          )
        : renderSelect(view, texts, field);
    case Multiselect:
      return renderChoiceGroup(view, field, renderCheckboxes(view, control, options));
    case Date:
      return renderOptionalTextField(view, { ...commonOptions, type: 'date' });
    case Link:
      return renderOptionalTextField(view, { ...commonOptions, type: 'url', maxLength });
    case Paragraph:
      return renderOptionalTextField(view, { ...commonOptions, isLong: true, maxLength });
    case Integer:
    case Decimal:
      return renderOptionalTextField(view, {
        ...commonOptions,
        inputMode: type === Integer ? 'numeric' : 'decimal',
        maxLength: 30,
        isAmount: formatter === Currency || formatter === CurrencyWithDecimals,
      });
    default:
      return renderOptionalTextField(view, { ...commonOptions, maxLength });
  }
}

/** Renders a group of controls with one label. */
function renderChoiceGroup(
  view: View,
  { id, label, hint, required }: VisibleCustomField,
  content: TemplateResult,
): TemplateResult {
  const control = `custom.${id}`;
  const hintId = hint && `${control}-hint`;
  const { describedBy, message } = getErrorBindings(view, control, hintId);
  return html`
    <fieldset class="field" aria-describedby=${describedBy}>
      <legend class="label"><bdi>${label}</bdi>${renderOptionalHint(view, required)}</legend>
      ${hint ? html`<p class="hint" id=${hintId!}><bdi>${hint}</bdi></p>` : nothing}
      ${content}${message}
    </fieldset>`;
}

function renderCheckboxes(
  { state }: View,
  control: string,
  options: readonly Choice[],
): TemplateResult {
  return html`
    <div class="check">
      ${options.map(
        ({ value, label }) => html`<label><input
          type="checkbox"
          name=${control}
          .value=${value}
          .checked=${state.optionalFields[control]?.includes(value) ?? false}
        ><bdi>${label}</bdi></label>`,
      )}
    </div>`;
}

function renderSelect(
  view: View,
  texts: OptionalFieldTexts,
  { id, label, hint, required, options = [] }: VisibleCustomField,
): TemplateResult {
  const control = `custom.${id}`;
  const hintId = hint && `${control}-hint`;
  const { isInvalid, describedBy, message } = getErrorBindings(view, control, hintId);
  const selected = getFirstControlValue(view.state.optionalFields, control);
  return html`
    <div class="field">
      <label class="label" for="${control}-control"><bdi>${label}</bdi>${renderOptionalHint(view, required)}</label>
      ${hint ? html`<p class="hint" id=${hintId!}><bdi>${hint}</bdi></p>` : nothing}
      <span class="select"><select
        id="${control}-control"
        name=${control}
        autocomplete="off"
        ?required=${required}
        aria-invalid=${isInvalid}
        aria-describedby=${describedBy}
      >
        <option value="" .selected=${selected === ''}>${texts.chooseOption}</option>
        ${options.map(
          (option) =>
            html`<option .value=${option.value} .selected=${option.value === selected}>${option.label}</option>`,
        )}
      </select></span>
      ${message}
    </div>`;
}
