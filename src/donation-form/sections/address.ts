import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { AddressFormat, FormDefinition } from '@donation-form/core/schemas';
import { addressLines, isNeeded, readState, type AddressProblem } from '../state/address.ts';
import { type AddressField, DONOR_FIELD_LENGTHS, type DonorField } from '@donation-form/core/donor';
import { type AddressTexts, type FormTexts, fill } from '@donation-form/core/i18n';
import type { AddressSource } from './address-format-loader.ts';
import type { FieldError } from '../form/view-model.ts';
import { fieldProblem } from './field-error.ts';

type Control = 'country' | AddressField;

/** All that an address is drawn from. */
export interface AddressParts {
  readonly form: FormTexts;
  readonly texts: AddressTexts;
  readonly source: AddressSource;
  /** The fields that the form asks for; those of the address are drawn. */
  readonly fields: FormDefinition['donorFields'];
  readonly donor: Readonly<Partial<Record<DonorField, string>>>;
  readonly fieldErrors: readonly FieldError[];
}

/** What browsers know each field by: HTML, 'Autofill'. */
const AUTOCOMPLETE = {
  address1: 'address-line1',
  address2: 'address-line2',
  city: 'address-level2',
  state: 'address-level1',
  postal: 'postal-code',
} as const satisfies Record<AddressField, string>;
/** Fields that stand beside their neighbour where there is room. */
const HALF: readonly Control[] = ['city', 'state', 'postal'];

/**
 * The fields of an address, for the grid of the donor's fields: the country, and what its addresses
 * are made of in the country's order.
 */
export function addressSection(parts: AddressParts): TemplateResult {
  const { fields, source } = parts;
  const places = addressLines(fields, source.drawn).flatMap((line) =>
    line.map((name, index) => ({ name, isRowStart: line.length > 1 && index === 0 })),
  );
  return html`
    ${fields.some(({ name }) => name === 'country') ? countryField(parts) : nothing}
    ${repeat(
      places,
      ({ name }) => name,
      ({ name, isRowStart }) =>
        name === 'state' && source.drawn?.states
          ? stateField(parts, source.drawn, isRowStart)
          : textField(parts, name, AUTOCOMPLETE[name], isRowStart),
    )}`;
}

/** The list is built when it is needed; until then it holds the chosen country alone. */
function countryField(parts: AddressParts): TemplateResult {
  const {
    source,
    donor: { country = '' },
  } = parts;
  if (source.isCountryTyped) return textField(parts, 'country', 'country-name', false);
  const countries = source.countries ?? (country === '' ? [] : [{ code: country, name: country }]);
  const nameCountries = (): void => {
    void source.nameCountries();
  };
  return field(
    parts,
    'country',
    false,
    ({ isInvalid, describedBy }) => html`
    <span class="select"><select id="country-control" name="country" autocomplete="country" ?required=${isNeeded('country', parts.fields, source.drawn)}
      aria-invalid=${isInvalid} aria-describedby=${describedBy} @focus=${nameCountries} @pointerdown=${nameCountries}>
      <option value="" .selected=${country === ''}>${parts.texts.choose}</option>
      ${countries.map(({ code, name }) => html`<option .value=${code} .selected=${code === country}>${name}</option>`)}
    </select></span>`,
  );
}

function stateField(
  parts: AddressParts,
  format: AddressFormat,
  isRowStart: boolean,
): TemplateResult {
  const chosen = readState(parts.donor.state ?? '', format);
  return field(
    parts,
    'state',
    isRowStart,
    ({ isInvalid, describedBy }) => html`
    <span class="select"><select id="state-control" name="state" autocomplete=${AUTOCOMPLETE.state} ?required=${isNeeded('state', parts.fields, format)}
      aria-invalid=${isInvalid} aria-describedby=${describedBy}>
      <option value="" .selected=${chosen === undefined}>${parts.texts.choose}</option>
      ${format.states?.map(({ code, name, latin }) => html`<option .value=${code} .selected=${code === chosen}>${name}${latin === undefined ? nothing : ` (${latin})`}</option>`)}
    </select></span>`,
  );
}

function textField(
  parts: AddressParts,
  name: Control,
  autocomplete: 'country-name' | (typeof AUTOCOMPLETE)[AddressField],
  isRowStart: boolean,
): TemplateResult {
  const { fields, source, donor } = parts;
  return field(
    parts,
    name,
    isRowStart,
    ({ isInvalid, describedBy }) => html`
    <input id="${name}-control" name=${name} type="text" autocomplete=${autocomplete} maxlength=${DONOR_FIELD_LENGTHS[name]} ?required=${isNeeded(name, fields, source.drawn)}
      aria-invalid=${isInvalid} aria-describedby=${describedBy} .value=${donor[name] ?? ''}>`,
  );
}

/** A control between its label and what is wrong with it. */
function field(
  { form, texts, source: { drawn }, fields, fieldErrors }: AddressParts,
  name: Control,
  isRowStart: boolean,
  control: (problem: ReturnType<typeof fieldProblem>) => TemplateResult,
): TemplateResult {
  const label = labelOf(name, form, texts, drawn);
  const problem = fieldProblem({ fieldErrors }, name);
  const isAsked = fields.some((asked) => asked.name === name && asked.required);
  return html`
    <div class="field ${HALF.includes(name) ? 'half' : ''} ${isRowStart ? 'row-start' : ''}">
      <label class="label" for="${name}-control">${label}${(drawn ? isNeeded(name, fields, drawn) : isAsked) ? nothing : html` <span class="hint">${form.optional}</span>`}</label>
      ${control(problem)}
      ${problem.message}
    </div>`;
}

/** What is wrong with a field, in words. */
export function addressWords(
  { control, code }: AddressProblem,
  form: FormTexts,
  texts: AddressTexts,
  format: AddressFormat | undefined,
): string {
  return fill(code === 'missing' ? texts.missing : texts.notAPostal, {
    label: labelOf(control, form, texts, format),
    example: format?.postal?.example,
  });
}

function labelOf(
  name: Control,
  { fields }: FormTexts,
  texts: AddressTexts,
  format: AddressFormat | undefined,
): string {
  if (name === 'city') return texts.cityLabels[format?.labels.city ?? 'city'];
  if (name === 'state') return format ? texts.stateLabels[format.labels.state] : fields.state;
  return name === 'postal' ? texts.postalLabels[format?.labels.postal ?? 'postal'] : fields[name];
}
