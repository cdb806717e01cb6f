export {
  ADDRESS_FIELDS,
  type AddressField,
  type CityLabel,
  isAddressField,
  DEFAULT_REQUIRED_FIELDS,
  type PostalLabel,
  type StateLabel,
} from './address.ts';
export { containsCardNumber } from './card-number.ts';
export { containsPersonalData } from './contains-personal-data.ts';
export {
  MAX_CUSTOM_VALUE_LENGTH,
  CustomFieldDataFormatter,
  CustomFieldDataType,
  MAX_CUSTOM_FIELDS,
  parseCustomValue,
} from './custom-field.ts';
export {
  cleanLine,
  cleanText,
  MAX_COMMENT_LENGTH,
  MAX_CONSENT_LENGTH,
  MAX_DONOR_FIELD_LENGTHS,
  DONOR_FIELDS,
  type DonorField,
  MAX_ORGANIZATION_LENGTH,
  MAX_PAGE_URL_LENGTH,
  MAX_TEXT_LENGTH,
} from './donor.ts';
export { DONOR_AUTOCOMPLETE, DONOR_INPUT_TYPES } from './donor-inputs.ts';
export { cleanDonorField, cleanEmail, isEmail } from './email.ts';
export { suggestEmail } from './suggest-email.ts';
