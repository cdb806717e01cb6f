import { hasCardNumber, CustomFieldDataType, type DonorField } from '@donation-form/core/donor';
import { TRIBUTE_KINDS } from '@donation-form/core/donation';
import { firstOf, isTicked } from './form-values.ts';
import type { FormState, FormContext } from './form-state.ts';

/**
 * Phone and postal code are numbers themselves, and an e-mail address, a state and a country are
 * checked otherwise.
 */
const FREE_FIELDS: readonly DonorField[] = [
  'firstName',
  'lastName',
  'address1',
  'address2',
  'city',
];
const FREE_TYPES: readonly CustomFieldDataType[] = [
  CustomFieldDataType.Text,
  CustomFieldDataType.Paragraph,
];

/**
 * The controls of free text in which the donor wrote what looks like a card number: that must reach
 * nobody but the payment processor.
 */
export function cardNumbersIn(state: FormState, { definition }: FormContext): string[] {
  const { donor, comment, more } = state;
  const { donorFields, allowTribute, allowOrganizations, customFields } = definition;
  const isTribute =
    allowTribute && TRIBUTE_KINDS.some((kind) => kind === firstOf(more, 'tribute.kind'));
  const isOrganization = allowOrganizations && isTicked(more, 'organization.is');
  const others = [
    ...(isTribute ? ['tribute.name', 'tribute.message'] : []),
    ...(isOrganization ? ['organization.name'] : []),
    ...customFields
      .filter(({ label, type }) => label !== undefined && FREE_TYPES.includes(type))
      .map(({ id }) => `custom.${id}`),
  ];
  return [
    ...donorFields
      .map(({ name }) => name)
      .filter((name) => FREE_FIELDS.includes(name) && hasCardNumber(donor[name] ?? '')),
    ...(hasCardNumber(comment) ? ['comment'] : []),
    ...others.filter((control) => hasCardNumber(firstOf(more, control))),
  ];
}
