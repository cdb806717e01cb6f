import { cleanLine } from '@donation-form/core/donor';
import type { DonationRequest, FormDefinition } from '@donation-form/core/schemas';
import type { Payer } from '../payment-fields/payment-field.ts';

export function getRequiredPayerFields({ donorFields }: FormDefinition): ('name' | 'email')[] {
  const isRequired = (field: string): boolean =>
    donorFields.some(({ name, required }) => required && name === field);
  return [
    ...(isRequired('firstName') && isRequired('lastName') ? ['name' as const] : []),
    ...(isRequired('email') ? ['email' as const] : []),
  ];
}

export function toPayer(donor: DonationRequest['donor']): Pick<Payer, 'name' | 'email'> {
  const { firstName = '', lastName = '', organization, email } = donor;
  const name = organization ?? cleanLine(`${firstName} ${lastName}`);
  return { ...(name && { name }), ...(email && { email }) };
}
