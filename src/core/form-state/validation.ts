import {
  cleanDonorField,
  containsCardNumber,
  CustomFieldDataType,
  type DonorField,
  isEmail,
} from '../donor/index.ts';
import {
  type AmountErrorCode,
  type FormContext,
  type FormState,
  isDonorFieldRequired,
  isOrganizationGift,
  validateAmount,
} from './form-state.ts';
import { getFirstControlValue } from './form-values.ts';
import { getTributeKind } from './tribute.ts';

export type FormError =
  | { readonly control: 'amount'; readonly code: AmountErrorCode }
  | { readonly control: DonorField; readonly code: 'missing' | 'not-an-email' };

/** Returns the form's errors in display order, excluding errors in the optional sections. */
export function validateForm(state: FormState, context: FormContext): FormError[] {
  const amountCode = validateAmount(state, context);
  const donorErrors = context.definition.donorFields.flatMap(({ name, required }): FormError[] => {
    const value = cleanDonorField(name, state.donor[name]);
    if (value === '')
      return required && isDonorFieldRequired(name, state, context.definition)
        ? [{ control: name, code: 'missing' }]
        : [];
    return name === 'email' && !isEmail(value) ? [{ control: name, code: 'not-an-email' }] : [];
  });
  return [
    ...(amountCode ? [{ control: 'amount', code: amountCode } as const] : []),
    ...donorErrors,
  ];
}

/** Excludes fields that normally contain digits, such as the phone number and postal code. */
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

export function findCardNumberControls(state: FormState, { definition }: FormContext): string[] {
  const { donor, comment, optionalFields } = state;
  const { donorFields, customFields } = definition;
  const optionalControls = [
    ...(getTributeKind(state, definition) ? ['tribute.name', 'tribute.message'] : []),
    ...(isOrganizationGift(state, definition) ? ['organization.name'] : []),
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
