import type { TemplateResult } from 'lit';
import type { FormDefinition } from '@donation-form/core/schemas';
import { addressProblems, readCountry, stateAfter, withinCountry } from '../state/address.ts';
import type { Edits, FormState } from '../state/form-state.ts';
import { ADDRESS_FIELDS } from '@donation-form/core/donor';
import { enAddress, type AddressTexts, type FormTexts } from '@donation-form/core/i18n';
import { AddressSource } from './address-format-loader.ts';
import { addressSection, addressWords } from './address.ts';
import type { FieldError, View } from '../form/view-model.ts';

/** Changes what the donor entered, given that and what is shown. */
export type Change = (change: (edits: Edits, state: FormState) => Edits) => void;

/**
 * The address of a form that asks for the country: its fields are those of the country, in its
 * order.
 */
export class Address {
  readonly #form: FormTexts;
  readonly #texts: AddressTexts;
  readonly #fields: FormDefinition['donorFields'];
  readonly #source: AddressSource;

  /**
   * @param base the endpoint's address, ending in a slash.
   * @param form the texts of the plain form.
   * @param texts those of addresses, in the form's language; English where absent.
   */
  constructor(
    base: string,
    language: string,
    { donorFields }: FormDefinition,
    change: Change,
    form: FormTexts,
    texts: AddressTexts = enAddress,
  ) {
    this.#form = form;
    this.#texts = texts;
    this.#fields = donorFields;
    this.#source = new AddressSource(base, language, (former) =>
      change((edits, { donor: { country = '', state = '' } }) => {
        const { countries, format } = this.#source;
        const names = new Intl.DisplayNames('en', { type: 'region' });
        const code = countries
          ? (readCountry(country, countries, (one) => names.of(one) ?? one) ?? '')
          : country;
        const now = stateAfter(state, former, format);
        return {
          ...edits,
          donor: {
            ...edits.donor,
            ...(code !== country && { country: code }),
            ...(now !== state && { state: now }),
          },
        };
      }),
    );
    this.#source.nameCountriesWhenIdle();
  }

  /** Whether a control is one of the address. */
  asks(control: string): boolean {
    return control === 'country' || ADDRESS_FIELDS.some((name) => name === control);
  }

  section({ state: { donor }, fieldErrors }: View): TemplateResult {
    void this.#source.choose(donor.country ?? '');
    return addressSection({
      form: this.#form,
      texts: this.#texts,
      source: this.#source,
      fields: this.#fields,
      donor,
      fieldErrors,
    });
  }

  flagsOf({ donor }: FormState): FieldError[] {
    const { format } = this.#source;
    return addressProblems(donor, format, this.#fields).map((problem) => ({
      control: problem.control,
      message: addressWords(problem, this.#form, this.#texts, format),
    }));
  }

  /** What is shown, but what the chosen country's addresses do not have. */
  within(state: FormState): FormState {
    return { ...state, donor: withinCountry(state.donor, this.#source.format) };
  }
}
