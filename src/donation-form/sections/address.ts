import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import {
  type AddressField,
  DONOR_AUTOCOMPLETE,
  MAX_DONOR_FIELD_LENGTHS,
} from '@donation-form/core/donor';
import {
  type AddressError,
  findStateCode,
  getAddressRows,
  isAddressFieldRequired,
} from '@donation-form/core/form-state';
import { type AddressTexts, fillPlaceholders, type FormTexts } from '@donation-form/core/i18n';
import type { AddressFormat } from '@donation-form/core/schemas';
import type { View } from '../form/view-model.ts';
import type { AddressFormatLoader } from './address-format-loader.ts';
import { renderField, renderOptions, renderSelect, renderTextControl } from './labeled-field.ts';

type AddressControl = 'country' | AddressField;

interface Address {
  readonly view: View;
  readonly addressTexts: AddressTexts;
  readonly formatLoader: AddressFormatLoader;
}

/** Lists contain codes, unlike text fields. */
const SELECT_AUTOCOMPLETE = { ...DONOR_AUTOCOMPLETE, country: 'country' } as const;

const HALF_WIDTH_FIELDS: readonly AddressControl[] = ['city', 'state', 'postal'];

/** Renders the country field, and then the address fields in the country's order. */
export function renderAddress(
  view: View,
  addressTexts: AddressTexts,
  formatLoader: AddressFormatLoader,
): TemplateResult {
  const fields = view.context.definition.donorFields;
  const address = { view, addressTexts, formatLoader };
  const cells = getAddressRows(fields, formatLoader.displayedFormat).flatMap((line) =>
    line.map((name, index) => ({ name, isRowStart: line.length > 1 && index === 0 })),
  );
  return html`
    ${fields.some(({ name }) => name === 'country') ? renderAddressField(address, 'country') : nothing}
    ${repeat(
      cells,
      ({ name }) => name,
      ({ name, isRowStart }) => renderAddressField(address, name, isRowStart ? 'row-start' : ''),
    )}`;
}

function renderAddressField(
  address: Address,
  control: AddressControl,
  className = '',
): TemplateResult {
  const { view, addressTexts, formatLoader } = address;
  const fields = view.context.definition.donorFields;
  const format = formatLoader.displayedFormat;
  const isRequired = isAddressFieldRequired(control, fields, format);
  const options = renderRegionOptions(address, control);
  const label = getFieldLabel(control, view.texts, addressTexts, format);
  const isRequiredByForm = fields.some(({ name, required }) => name === control && required);
  return renderField(
    view,
    { control, label, isRequired: format ? isRequired : isRequiredByForm },
    (bindings) =>
      options
        ? renderSelect(
            { control, autocomplete: SELECT_AUTOCOMPLETE[control], isRequired },
            options,
            bindings,
            control === 'country' ? () => void formatLoader.loadCountries() : undefined,
          )
        : renderTextControl(
            {
              control,
              label,
              type: 'text',
              ...(control === 'postal' &&
                hasNumericPostalCode(format) && { inputMode: 'numeric' as const }),
              autocomplete: DONOR_AUTOCOMPLETE[control],
              maxLength: MAX_DONOR_FIELD_LENGTHS[control],
              isRequired,
            },
            view.state.donor[control] ?? '',
            bindings,
          ),
    `${HALF_WIDTH_FIELDS.includes(control) ? 'half' : ''} ${className}`,
  );
}

/** Returns `undefined` if the donor enters the value as text. */
function renderRegionOptions(
  { view, addressTexts, formatLoader }: Address,
  control: AddressControl,
): Parameters<typeof renderSelect>[1] | undefined {
  const { country = '', state = '' } = view.state.donor;
  const { countries, displayedFormat: format } = formatLoader;
  const empty = { value: '', label: addressTexts.chooseRegion };
  if (control === 'state' && format?.states) {
    const states = format.states.map(({ code, name, latin }) => ({
      value: code,
      label: latin === undefined ? name : `${name} (${latin})`,
    }));
    return renderOptions([empty, ...states], findStateCode(state, format) ?? '');
  }
  if (control !== 'country' || formatLoader.isCountryFreeText) return undefined;
  // Until the countries have loaded, the list contains only the selected one.
  const listed = countries ?? (country === '' ? [] : [{ code: country, name: country }]);
  return guard([listed, country], () =>
    renderOptions(
      [empty, ...listed.map(({ code, name }) => ({ value: code, label: name }))],
      country,
    ),
  );
}

function hasNumericPostalCode(format: AddressFormat | undefined): boolean {
  return /^\d+$/.test(format?.postal?.example ?? '');
}

export function getAddressErrorMessage(
  { control, code }: AddressError,
  formTexts: FormTexts,
  texts: AddressTexts,
  format: AddressFormat | undefined,
): string {
  return fillPlaceholders(
    code === 'missing' ? texts.addressFieldRequired : texts.postalCodeInvalid,
    {
      field: getFieldLabel(control, formTexts, texts, format),
      example: format?.postal?.example,
    },
  );
}

function getFieldLabel(
  name: AddressControl,
  { fields }: FormTexts,
  texts: AddressTexts,
  format: AddressFormat | undefined,
): string {
  if (name === 'city') return texts.cityLabels[format?.labels.city ?? 'city'];
  if (name === 'state') return format ? texts.stateLabels[format.labels.state] : fields.state;
  return name === 'postal' ? texts.postalLabels[format?.labels.postal ?? 'postal'] : fields[name];
}
