import type { AddressField } from '../donor/address.ts';
import type { AddressTexts } from '../i18n/en-address.ts';

/** Response body of `GET /countries`: the ISO 3166-1 alpha-2 and alpha-3 codes. */
export type CountryList = { code: string; alpha3: string }[];

/** Response body of a request such as `GET /countries/DE`: the address without the country. */
export interface AddressFormat {
  /** Fields in display order. Fields in the same array share a row. */
  lines: AddressField[][];
  /** Fields that a deliverable address requires. */
  required: AddressField[];
  labels: {
    city: keyof AddressTexts['cityLabels'];
    state: keyof AddressTexts['stateLabels'];
    postal: keyof AddressTexts['postalLabels'];
  };
  /**
   * If absent, the state is free text. `code` is the second part of the ISO 3166-2 code, if any.
   */
  states?: { code: string; name: string; latin?: string | undefined }[] | undefined;
  /** Matches entire uppercase postal codes; if absent, any postal code is valid. */
  postal?: { pattern: string; example: string } | undefined;
}
