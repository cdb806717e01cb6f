import type { StripeError } from '@stripe/stripe-js';
import type { Confirmation } from './payment-field.ts';
import { withTimeLimit } from './time-limit.ts';

/** For calls without an action by the donor. The form offers another way to pay much sooner. */
const TIMEOUT = 20_000;

/** A field that loads late is still useful. */
export const LOAD_TIMEOUT = 60_000;

/** @param action verb phrase for the error message. */
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

/** Logs the error unless the field or, for an invalid email, the form shows it. */
export function toStripeProblem({ type, code, message }: StripeError): Confirmation {
  if (type === 'validation_error' || type === 'card_error') return { problem: 'incomplete' };
  if (code === 'email_invalid') return { problem: 'email-invalid' };
  console.error(`donation-form: Stripe did not create a token (${code ?? type}): ${message ?? ''}`);
  return { problem: 'failed' };
}
