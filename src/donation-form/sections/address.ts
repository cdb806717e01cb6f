import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import {
  type AddressField,
  DONOR_AUTOCOMPLETE,
  type DonorField,
  MAX_DONOR_FIELD_LENGTHS,
} from '@donation-form/core/donor';
import {
  type AddressError,
  type FieldError,
  findStateCode,
  getAddressRows,
  isAddressFieldRequired,
} from '@donation-form/core/form-state';
import { type AddressTexts, fillPlaceholders, type FormTexts } from '@donation-form/core/i18n';
import type { AddressFormat, FormDefinition } from '@donation-form/core/schemas';
import type { AddressFormatLoader } from './address-format-loader.ts';
import { getErrorBindings } from './field-error.ts';

type AddressControl = 'country' | AddressField;

export interface AddressView {
  readonly formTexts: FormTexts;
  readonly texts: AddressTexts;
  readonly formatLoader: AddressFormatLoader;
  /** All donor fields of the form, of which this module renders only the address fields. */
  readonly fields: FormDefinition['donorFields'];
  readonly donor: Readonly<Partial<Record<DonorField, string>>>;
  readonly fieldErrors: readonly FieldError[];
}

const HALF_WIDTH_FIELDS: readonly AddressControl[] = ['city', 'state', 'postal'];

/** Renders the country field, and then the address fields in the country's order. */
export function renderAddress(view: AddressView): TemplateResult {
  const { fields, formatLoader } = view;
  const cells = getAddressRows(fields, formatLoader.displayedFormat).flatMap((line) =>
    line.map((name, index) => ({ name, isRowStart: line.length > 1 && index === 0 })),
  );
  return html`
    ${fields.some(({ name }) => name === 'country') ? renderCountryField(view) : nothing}
    ${repeat(
      cells,
      ({ name }) => name,
      ({ name, isRowStart }) =>
        name === 'state' && formatLoader.displayedFormat?.states
          ? renderStateField(view, formatLoader.displayedFormat, isRowStart)
          : renderAddressField(view, name, isRowStart),
    )}`;
}

/** Until the countries have loaded, the list contains only the selected one. */
function renderCountryField(view: AddressView): TemplateResult {
  const { formatLoader, donor } = view;
  const { country = '' } = donor;
  if (formatLoader.isCountryFreeText) return renderAddressField(view, 'country', false);
  const countries =
    formatLoader.countries ?? (country === '' ? [] : [{ code: country, name: country }]);
  const loadCountries = (): void => {
    void formatLoader.loadCountries();
  };
  return renderField(
    view,
    'country',
    false,
    ({ isInvalid, describedBy }) => html`
    <span class="select"><select
      id="country-control"
      name="country"
      autocomplete="country"
      ?required=${isAddressFieldRequired('country', view.fields, formatLoader.displayedFormat)}
      aria-invalid=${isInvalid}
      aria-describedby=${describedBy}
      @focus=${loadCountries}
      @pointerdown=${loadCountries}
    >
      <option value="" .selected=${country === ''}>${view.texts.chooseRegion}</option>
      ${guard([countries, country], () =>
        countries.map(
          ({ code, name }) =>
            html`<option .value=${code} .selected=${code === country} .textContent=${name}></option>`,
        ),
      )}
    </select></span>`,
  );
}

function renderStateField(
  view: AddressView,
  format: AddressFormat,
  isRowStart: boolean,
): TemplateResult {
  const selected = findStateCode(view.donor.state ?? '', format);
  return renderField(
    view,
    'state',
    isRowStart,
    ({ isInvalid, describedBy }) => html`
    <span class="select"><select
      id="state-control"
      name="state"
      autocomplete=${DONOR_AUTOCOMPLETE.state}
      ?required=${isAddressFieldRequired('state', view.fields, format)}
      aria-invalid=${isInvalid}
      aria-describedby=${describedBy}
    >
      <option value="" .selected=${selected === undefined}>${view.texts.chooseRegion}</option>
      ${format.states?.map(
        ({ code, name, latin }) =>
          html`<option
            .value=${code}
            .selected=${code === selected}
            .textContent=${latin === undefined ? name : `${name} (${latin})`}
          ></option>`,
      )}
    </select></span>`,
  );
}

function renderAddressField(
  view: AddressView,
  name: AddressControl,
  isRowStart: boolean,
): TemplateResult {
  const { fields, formatLoader, donor } = view;
  return renderField(
    view,
    name,
    isRowStart,
    ({ isInvalid, describedBy }) => html`
    <input
      id="${name}-control"
      name=${name}
      type="text"
      inputmode=${name === 'postal' && hasNumericPostalCode(view) ? 'numeric' : nothing}
      autocomplete=${DONOR_AUTOCOMPLETE[name]}
      maxlength=${MAX_DONOR_FIELD_LENGTHS[name]}
      ?required=${isAddressFieldRequired(name, fields, formatLoader.displayedFormat)}
      aria-invalid=${isInvalid}
      aria-describedby=${describedBy}
      .value=${donor[name] ?? ''}
    >`,
  );
}

function hasNumericPostalCode({ formatLoader: { displayedFormat } }: AddressView): boolean {
  return /^\d+$/.test(displayedFormat?.postal?.example ?? '');
}

function renderField(
  { formTexts, texts, formatLoader: { displayedFormat: format }, fields, fieldErrors }: AddressView,
  name: AddressControl,
  isRowStart: boolean,
  renderControl: (error: ReturnType<typeof getErrorBindings>) => TemplateResult,
): TemplateResult {
  const label = getFieldLabel(name, formTexts, texts, format);
  const error = getErrorBindings({ fieldErrors }, name);
  const isRequiredByForm = fields.some((field) => field.name === name && field.required);
  return html`
    <div class="field ${HALF_WIDTH_FIELDS.includes(name) ? 'half' : ''} ${isRowStart ? 'row-start' : ''}">
      <label class="label" for="${name}-control"><span .textContent=${label}></span>${
        (format ? isAddressFieldRequired(name, fields, format) : isRequiredByForm)
          ? nothing
          : html` <span class="hint">${formTexts.optional}</span>`
      }</label>
      ${renderControl(error)}
      ${error.message}
    </div>`;
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
