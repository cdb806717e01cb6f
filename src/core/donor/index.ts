export {
  ADDRESS_FIELDS,
  type AddressField,
  type CityLabel,
  isAddressField,
  NEEDED_ANYWHERE,
  type PostalLabel,
  type StateLabel,
} from './address.ts';
export { hasCardNumber } from './card-number.ts';
export { namesSomebody } from './contains-personal-data.ts';
export {
  CUSTOM_VALUE_LENGTH,
  CustomFieldDataFormatter,
  CustomFieldDataType,
  MOST_CUSTOM_FIELDS,
  readCustomValue,
} from './custom-field.ts';
export {
  cleanLine,
  cleanText,
  COMMENT_LENGTH,
  DONOR_FIELD_LENGTHS,
  DONOR_FIELDS,
  type DonorField,
  ORGANIZATION_LENGTH,
  PAGE_LENGTH,
} from './donor.ts';
export { isEmail } from './email.ts';
