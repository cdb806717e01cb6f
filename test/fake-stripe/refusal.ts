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

/** An answer in Stripe's shape of an error. */
export class Refusal extends Error {
  readonly status: number;
  readonly error: StripeError;

  constructor(status: number, error: StripeError) {
    super(error.message);
    this.status = status;
    this.error = error;
  }
}

/**
 * A call that cannot be understood: refused before anything of it is done, so that its idempotency
 * key stays free.
 */
export class Misunderstanding extends Refusal {
  constructor(code: string | undefined, param: string, message: string) {
    super(400, {
      type: 'invalid_request_error',
      ...(code !== undefined && { code }),
      param,
      message,
    });
  }
}

export const missing = (status: 400 | 404, thing: string, id: string, param: string): Refusal =>
  new Refusal(status, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    param,
    message: `No such ${thing}: '${id}'`,
  });

export const refused = (
  message: string,
  rest: Omit<StripeError, 'type' | 'message'> = {},
): Refusal => new Refusal(400, { type: 'invalid_request_error', message, ...rest });
