import type { Stripe } from 'stripe';

export interface StripeError {
  readonly type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
  readonly message: string;
  readonly code?: string;
  readonly param?: string;
  readonly decline_code?: string;
  readonly charge?: string;
  readonly payment_intent?: Stripe.PaymentIntent;
  readonly payment_method?: Stripe.PaymentMethod;
}

/** Error with the body of a Stripe error response. */
export class StripeApiError extends Error {
  readonly status: number;
  readonly error: StripeError;

  constructor(status: number, error: StripeError) {
    super(error.message);
    this.status = status;
    this.error = error;
  }
}

/**
 * Error for an invalid parameter. The call fails before processing starts, so the API saves no
 * response under the call's idempotency key.
 */
export class InvalidParameterError extends StripeApiError {
  constructor(code: string | undefined, param: string, message: string) {
    super(400, {
      type: 'invalid_request_error',
      ...(code !== undefined && { code }),
      param,
      message,
    });
  }
}

export const createMissingError = (
  status: 400 | 404,
  type: string,
  id: string,
  param: string,
): StripeApiError =>
  new StripeApiError(status, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    param,
    message: `No such ${type}: '${id}'`,
  });

export const createInvalidRequestError = (
  message: string,
  rest: Omit<StripeError, 'type' | 'message'> = {},
): StripeApiError => new StripeApiError(400, { type: 'invalid_request_error', message, ...rest });
