import type { DonationRequest, FormDefinition } from '@donation-form/core/schemas';
import { cleanLine } from '@donation-form/core/donor';

export function getRequiredPayerFields({ donorFields }: FormDefinition): ('name' | 'email')[] {
  const isRequired = (field: string): boolean =>
    donorFields.some(({ name, required }) => required && name === field);
  return [
    ...(isRequired('firstName') && isRequired('lastName') ? ['name' as const] : []),
    ...(isRequired('email') ? ['email' as const] : []),
  ];
}

export function toPayer({
  firstName = '',
  lastName = '',
  organization,
  email,
}: DonationRequest['donor']): { readonly name?: string; readonly email?: string } {
  const name = organization ?? cleanLine(`${firstName} ${lastName}`);
  return { ...(name && { name }), ...(email && { email }) };
}
