import type { LitElement, TemplateResult } from 'lit';
import { ADDRESS_FIELDS } from '@donation-form/core/donor';
import {
  convertStateToFormat,
  type Edits,
  type FieldError,
  findCountryCode,
  findStateCode,
  type FormState,
  removeUnusedAddressFields,
  validateAddress,
} from '@donation-form/core/form-state';
import { type AddressTexts, enAddress } from '@donation-form/core/i18n';
import type { ValidatedForm, View } from '../form/view-model.ts';
import { getAddressErrorMessage, renderAddress } from './address.ts';
import { AddressFormatLoader } from './address-format-loader.ts';

export type EditsUpdater = (update: (edits: Edits, state: FormState) => Edits) => void;

interface AddressFieldsOptions {
  readonly endpointUrl: string;
  readonly language: string;
  readonly updateEdits: EditsUpdater;
  readonly texts?: AddressTexts | undefined;
  readonly element: LitElement;
}

/** The address fields that the selected country uses, in its order. */
export class AddressFields {
  readonly #texts: AddressTexts;
  readonly #formatLoader: AddressFormatLoader;

  constructor(options: AddressFieldsOptions) {
    const { endpointUrl, language, updateEdits, element } = options;
    this.#texts = options.texts ?? enAddress;
    this.#formatLoader = new AddressFormatLoader(endpointUrl, language, (previousFormat) => {
      const focused = element.shadowRoot!.activeElement;
      updateEdits((edits, { donor: { country = '', state = '' } }) => {
        const { countries, format } = this.#formatLoader;
        const names = new Intl.DisplayNames('en', { type: 'region' });
        const code = countries
          ? (findCountryCode(country, countries, (isoCode) => names.of(isoCode) ?? isoCode) ?? '')
          : country;
        const newState = convertStateToFormat(state, previousFormat, format);
        return {
          ...edits,
          donor: {
            ...edits.donor,
            ...(code !== country && { country: code }),
            ...(newState !== state && { state: newState }),
          },
        };
      });
      if (focused) void restoreFocus(element, focused);
    });
    this.#formatLoader.loadCountriesWhenIdle();
  }

  hasControl(control: string): boolean {
    return control === 'country' || ADDRESS_FIELDS.some((name) => name === control);
  }

  render(view: View): TemplateResult {
    void this.#formatLoader.selectCountry(view.state.donor.country ?? '');
    return renderAddress(view, this.#texts, this.#formatLoader);
  }

  findErrors({ state, context, texts }: ValidatedForm): FieldError[] {
    const { format } = this.#formatLoader;
    return validateAddress(state.donor, format, context!.definition.donorFields).map((problem) => ({
      control: problem.control,
      message: getAddressErrorMessage(problem, texts, this.#texts, format),
    }));
  }

  /** Finds the state's code, or an empty string for an unknown state of a country with a list. */
  async resolveStateCode({ country = '', state = '' }: FormState['donor']): Promise<string> {
    await this.#formatLoader.selectCountry(country);
    const { format } = this.#formatLoader;
    return format?.states ? (findStateCode(state, format) ?? '') : state;
  }

  removeUnusedFields(state: FormState): FormState {
    return { ...state, donor: removeUnusedAddressFields(state.donor, this.#formatLoader.format) };
  }
}

/** Focuses the control that replaces the focused one, such as a text field instead of a list. */
async function restoreFocus(element: LitElement, focused: Element): Promise<void> {
  await element.updateComplete;
  if (!focused.isConnected) element.shadowRoot!.getElementById(focused.id)?.focus();
}
