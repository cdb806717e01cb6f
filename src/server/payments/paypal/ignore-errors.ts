import { PaymentNotFoundError } from '../payment-gateway.ts';
import { PayPalError } from './client.ts';

/**
 * Returns `undefined` if the error means that the app lacks permission for the call.
 * @throws any other error.
 */
export function ignoreForbiddenError(error: unknown): undefined {
  if (!(error instanceof PayPalError) || error.status !== 403) throw error;
}

/**
 * Returns `undefined` if the error means that PayPal does not have the object.
 * @throws any other error.
 */
export function ignoreNotFoundError(error: unknown): undefined {
  if (!(error instanceof PayPalError) || error.status !== 404) throw error;
}

/**
 * Converts PayPal's 404 error to {@link PaymentNotFoundError}, and returns any other error
 * unchanged.
 */
export function convertNotFoundError(error: unknown): unknown {
  return error instanceof PayPalError && error.status === 404
    ? new PaymentNotFoundError(
        'PayPal has no record of the object that the event refers to. Check that clientId and ' +
          'clientSecret belong to the PayPal app and environment that sent the event.',
        { cause: error },
      )
    : error;
}
