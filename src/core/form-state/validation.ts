import { cleanDonorField, type DonorField, isEmail } from '../donor/index.ts';
import {
  validateAmount,
  isDonorFieldRequired,
  type AmountErrorCode,
  type FormState,
  type FormContext,
} from './form-state.ts';

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
