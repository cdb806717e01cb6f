import { isDatabaseError } from '../../database/database-error.ts';
import { describeError } from '../../lib/describe-error.ts';
import { Problem } from '../../lib/problem.ts';
import {
  InvalidPayloadError,
  InvalidSignatureError,
  PaymentNotFoundError,
  UnverifiedWebhookError,
} from '../../payments/payment-gateway.ts';
import {
  type AppOptions,
  createBodyLimitMiddleware,
  identifyClient,
  MAX_PAYMENT_WEBHOOK_BYTES,
  readText,
  rejectOtherMethods,
  type Router,
} from '../context.ts';
import { sendPortalUnavailablePage } from './pages.ts';

/** Webhooks may also be sent to this path with a trailing slash. */
const WEBHOOK_PATH = '/webhooks/:provider/:organization';

/** Receives payment providers' webhooks, and redirects donors to the customer portal. */
export function addPaymentProviderRoutes(app: Router, options: AppOptions): void {
  const { organizations, donationServices, fraudProtection, serverInfo, log } = options;

  app.on(
    'POST',
    [WEBHOOK_PATH, `${WEBHOOK_PATH}/`],
    (c, next) => {
      c.set('route', WEBHOOK_PATH);
      return next();
    },
    createBodyLimitMiddleware(MAX_PAYMENT_WEBHOOK_BYTES),
    async (c) => {
      const { provider = '', organization: id = '' } = c.req.param() as Record<string, string>;
      const gateway = organizations.find(id)?.payments.get(provider)?.gateway;
      if (!gateway?.verifyAndFetchEvents)
        throw new Problem(
          'not-found',
          'No payment provider receives webhooks at this path. Use ' +
            '/webhooks/<provider>/<organization ID>, with the values from the configuration.',
        );
      c.set('organization', id);
      const { address, network } = identifyClient(c, fraudProtection);
      const paymentEvents = await gateway
        .verifyAndFetchEvents(await readText(c), c.req.raw.headers, {
          // The first 48 bits, because a single customer can have as many as 65,536 /64 networks.
          client: network?.slice(0, 12) ?? address,
          store: serverInfo,
        })
        .catch((error: unknown) => {
          if (error instanceof UnverifiedWebhookError)
            log.warn(
              { provider, organization: id },
              'rejected a webhook that cannot be verified yet; if the payment provider sent it, it ' +
                'will send it again; if this continues, block senders of forged webhooks',
            );
          throw convertWebhookError(error);
        });
      await donationServices.find(id)!.recordPaymentEvents(provider, paymentEvents);
      return c.body(null, 204);
    },
  );

  app.get('/manage', async (c) => {
    const provider = c.req.query('provider');
    const registeredForm = organizations.findForm(c.req.query('id'));
    const organization = (registeredForm ?? organizations.findForm(undefined))?.form.en.definition
      .organization;
    const gateway = [...(registeredForm?.organization.payments ?? [])].find(
      ([name, option]) =>
        option.gateway.getPortalUrl && (provider === undefined || name === provider),
    )?.[1].gateway;
    if (!gateway?.getPortalUrl)
      return sendPortalUnavailablePage(c, registeredForm && organization, 404);
    try {
      return c.redirect(await gateway.getPortalUrl());
    } catch (error) {
      log.error(
        { request: c.get('requestId'), ...describeError(error) },
        "cannot open the payment provider's customer portal",
      );
      return sendPortalUnavailablePage(c, organization, 503);
    }
  });

  rejectOtherMethods(app, WEBHOOK_PATH, `${WEBHOOK_PATH}/`, '/manage');
}

/** Returns errors of the database and faults of our own code unchanged. */
function convertWebhookError(error: unknown): unknown {
  if (error instanceof InvalidSignatureError)
    return new Problem('invalid-signature', error.message);
  if (error instanceof InvalidPayloadError) return new Problem('invalid-payload', error.message);
  if (error instanceof PaymentNotFoundError) return new Problem('not-found', error.message);
  if (error instanceof UnverifiedWebhookError) return new Problem('unavailable', error.message);
  if (isDatabaseError(error) || isProgrammingError(error)) return error;
  return new Problem(
    'unavailable',
    'The payment provider did not return the objects that this webhook refers to. Send the ' +
      'webhook again later.',
    { cause: error },
  );
}

/** Errors of `fetch` have a cause. */
function isProgrammingError(error: unknown): boolean {
  return (error instanceof TypeError || error instanceof RangeError) && error.cause === undefined;
}
