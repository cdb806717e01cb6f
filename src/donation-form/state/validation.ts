import { cleanLine, type DonorField, isEmail } from '@donation-form/core/donor';
import {
  amountProblem,
  isNeeded,
  type AmountProblem,
  type FormState,
  type FormContext,
} from './form-state.ts';

/** What is wrong with a control, by its name in the form. */
export type FormProblem =
  | { readonly control: 'amount'; readonly code: AmountProblem }
  | { readonly control: DonorField; readonly code: 'missing' | 'not-an-email' };

/**
 * What keeps the gift from being sent, in the order of the form; the form's rarer parts have
 * problems of their own.
 */
export function problemsOf(state: FormState, context: FormContext): FormProblem[] {
  const amount = amountProblem(state, context);
  const donor = context.definition.donorFields.flatMap(({ name, required }): FormProblem[] => {
    const text = cleanLine(state.donor[name] ?? '');
    if (text === '')
      return required && isNeeded(name, state, context.definition)
        ? [{ control: name, code: 'missing' }]
        : [];
    return name === 'email' && !isEmail(text) ? [{ control: name, code: 'not-an-email' }] : [];
  });
  return [...(amount ? [{ control: 'amount', code: amount } as const] : []), ...donor];
}
