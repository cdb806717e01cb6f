import { containsCardNumber, CustomFieldDataType, type DonorField } from '../donor/index.ts';
import { TRIBUTE_KINDS } from '../donation/index.ts';
import { getFirstControlValue, isControlChecked } from './form-values.ts';
import type { FormState, FormContext } from './form-state.ts';

/** Free-text fields without digits or validation of their own. */
const FREE_TEXT_FIELDS: readonly DonorField[] = [
  'firstName',
  'lastName',
  'address1',
  'address2',
  'city',
];
const FREE_TEXT_TYPES: readonly CustomFieldDataType[] = [
  CustomFieldDataType.Text,
  CustomFieldDataType.Paragraph,
];

/** Returns the free-text controls that seem to contain a card number. */
export function findCardNumberControls(state: FormState, { definition }: FormContext): string[] {
  const { donor, comment, optionalFields } = state;
  const { donorFields, allowTribute, allowOrganizations, customFields } = definition;
  const isTribute =
    allowTribute &&
    TRIBUTE_KINDS.some((kind) => kind === getFirstControlValue(optionalFields, 'tribute.kind'));
  const isOrganization =
    allowOrganizations && isControlChecked(optionalFields, 'organization.enabled');
  const optionalControls = [
    ...(isTribute ? ['tribute.name', 'tribute.message'] : []),
    ...(isOrganization ? ['organization.name'] : []),
    ...customFields
      .filter(({ label, type }) => label !== undefined && FREE_TEXT_TYPES.includes(type))
      .map(({ id }) => `custom.${id}`),
  ];
  return [
    ...donorFields
      .map(({ name }) => name)
      .filter((name) => FREE_TEXT_FIELDS.includes(name) && containsCardNumber(donor[name] ?? '')),
    ...(containsCardNumber(comment) ? ['comment'] : []),
    ...optionalControls.filter((control) =>
      containsCardNumber(getFirstControlValue(optionalFields, control)),
    ),
  ];
}
