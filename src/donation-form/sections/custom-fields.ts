import { html, nothing, type TemplateResult } from 'lit';
import { isShown, type ShownField } from '../state/custom-fields.ts';
import { firstOf } from '../state/form-values.ts';
import {
  CUSTOM_VALUE_LENGTH,
  CustomFieldDataFormatter,
  CustomFieldDataType,
} from '@donation-form/core/donor';
import { currencySign } from '@donation-form/core/money';
import type { MoreTexts } from '@donation-form/core/i18n';
import type { View } from '../form/view-model.ts';
import { fieldProblem } from './field-error.ts';
import { box, optional, radios, textField, type Choice } from './fields.ts';

/** The organisation's own fields, each as its data type and its formatter ask for it. */
export function customFields(view: View, texts: MoreTexts): TemplateResult[] {
  return view.context.definition.customFields
    .filter(isShown)
    .map((field) => customField(view, texts, field));
}

function customField(view: View, texts: MoreTexts, field: ShownField): TemplateResult {
  const { type, formatter, label, hint, required: isRequired, options = [] } = field;
  const control = `custom.${field.id}`;
  const maxLength = CUSTOM_VALUE_LENGTH;
  const { Boolean, Date, Decimal, Integer, Link, List, Multiselect, Paragraph } =
    CustomFieldDataType;
  const { None, BooleanButton, Currency, CurrencyWithDecimals, ListRadio } =
    CustomFieldDataFormatter;
  const text = { control, label, hint, isRequired };
  switch (type) {
    case Boolean: {
      if (formatter === None) return box(view, control, label, { hint, isRequired });
      return choices(
        view,
        field,
        radios(
          control,
          [
            { value: 'true', label: texts.yes },
            { value: 'false', label: texts.no },
          ],
          firstOf(view.state.more, control),
          { isRow: formatter === BooleanButton },
        ),
      );
    }
    case List:
      return formatter === ListRadio
        ? choices(view, field, radios(control, options, firstOf(view.state.more, control)))
        : select(view, texts, field);
    case Multiselect:
      return choices(view, field, boxes(view, control, options));
    case Date:
      return textField(view, { ...text, type: 'date' });
    case Link:
      return textField(view, { ...text, type: 'url', maxLength });
    case Paragraph:
      return textField(view, { ...text, isLong: true, maxLength });
    case Integer:
    case Decimal: {
      const isMoney = formatter === Currency || formatter === CurrencyWithDecimals;
      return textField(view, {
        ...text,
        inputMode: type === Integer ? 'numeric' : 'decimal',
        maxLength: 30,
        sign: isMoney ? currencySign(view.context.settings.currency.code) : undefined,
      });
    }
    default:
      return textField(view, { ...text, maxLength });
  }
}

/** Several controls under one question. */
function choices(
  view: View,
  { id, label, hint, required }: ShownField,
  content: TemplateResult,
): TemplateResult {
  const control = `custom.${id}`;
  const hintId = hint && `${control}-hint`;
  const { describedBy, message } = fieldProblem(view, control, hintId);
  return html`
    <fieldset class="field" aria-describedby=${describedBy}>
      <legend class="label"><bdi>${label}</bdi>${optional(view, required)}</legend>
      ${hint ? html`<p class="hint" id=${hintId!}><bdi>${hint}</bdi></p>` : nothing}
      ${content}${message}
    </fieldset>`;
}

function boxes({ state }: View, control: string, options: readonly Choice[]): TemplateResult {
  return html`
    <div class="check">
      ${options.map(({ value, label }) => html`<label><input type="checkbox" name=${control} .value=${value} .checked=${state.more[control]?.includes(value) ?? false}><bdi>${label}</bdi></label>`)}
    </div>`;
}

function select(
  view: View,
  texts: MoreTexts,
  { id, label, hint, required, options = [] }: ShownField,
): TemplateResult {
  const control = `custom.${id}`;
  const hintId = hint && `${control}-hint`;
  const { isInvalid, describedBy, message } = fieldProblem(view, control, hintId);
  const chosen = firstOf(view.state.more, control);
  return html`
    <div class="field">
      <label class="label" for="${control}-control"><bdi>${label}</bdi>${optional(view, required)}</label>
      ${hint ? html`<p class="hint" id=${hintId!}><bdi>${hint}</bdi></p>` : nothing}
      <span class="select"><select id="${control}-control" name=${control} ?required=${required} aria-invalid=${isInvalid} aria-describedby=${describedBy}>
        <option value="" .selected=${chosen === ''}>${texts.choose}</option>
        ${options.map((option) => html`<option .value=${option.value} .selected=${option.value === chosen}>${option.label}</option>`)}
      </select></span>
      ${message}
    </div>`;
}
