import type { StripeError } from '@stripe/stripe-js';
import { withTimeLimit } from './time-limit.ts';
import type { Confirmation } from './payment-field.ts';

/**
 * Timeout, in milliseconds, for a call that requires no action by the donor. The form offers
 * another way to pay much sooner.
 */
const TIMEOUT = 20_000;

/** Timeout, in milliseconds, for loading a field. A field that loads late is still useful. */
export const LOAD_TIMEOUT = 60_000;

/**
 * Returns the result of a call to Stripe, or rejects if Stripe does not respond in time.
 * @param action requested action, as a verb phrase for the error message.
 */
export function limitCallTime<Result>(
  call: Promise<Result>,
  action: string,
  timeout = TIMEOUT,
): Promise<Result> {
  return withTimeLimit(call, timeout, `Stripe did not ${action} in ${timeout / 1_000} seconds.`);
}

/** Calls a function, and converts a synchronous error to a rejected promise. */
export const runAsync = async <Result>(call: () => Result | Promise<Result>): Promise<Result> =>
  call();

/**
 * Converts a Stripe error to a problem. Logs the error unless the donor can correct its cause. The
 * field itself shows validation and card errors, and the form shows an error for an invalid email.
 */
export function toStripeProblem({ type, code, message }: StripeError): Confirmation {
  if (type === 'validation_error' || type === 'card_error') return { problem: 'incomplete' };
  if (code === 'email_invalid') return { problem: 'email-invalid' };
  console.error(`donation-form: Stripe did not create a token (${code ?? type}): ${message ?? ''}`);
  return { problem: 'failed' };
}
