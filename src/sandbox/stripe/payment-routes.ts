import { Stripe } from 'stripe';
import { z } from 'zod';
import { assertValidAmount, parseCurrency } from './amounts.ts';
import type { Api } from './api.ts';
import {
  booleanString,
  defineParams,
  emailAddress,
  integer,
  metadata,
  nonEmptyString,
  paginationParams,
  url,
} from './params.ts';
import {
  type ActivatedTypes,
  PAYMENT_METHOD_OPTIONS,
  PAYMENT_METHOD_TYPES,
} from './payment-method-types.ts';
import type { Payments } from './payments.ts';
import type { Store, StripeObject } from './store.ts';
import {
  createInvalidRequestError,
  createMissingError,
  InvalidParameterError,
} from './stripe-error.ts';
import {
  getTestNumber,
  getTestPaymentMethod,
  TEST_PAYMENT_METHOD_IDS,
} from './test-payment-methods.ts';

/** Payment intent fields that Stripe.js is allowed to read. */
const PUBLIC_FIELDS = [
  'id',
  'object',
  'amount',
  'canceled_at',
  'cancellation_reason',
  'capture_method',
  'client_secret',
  'confirmation_method',
  'created',
  'currency',
  'description',
  'last_payment_error',
  'livemode',
  'next_action',
  'payment_method',
  'payment_method_types',
  'processing',
  'receipt_email',
  'setup_future_usage',
  'shipping',
  'source',
  'status',
];

export const toList = <Thing extends StripeObject>(
  url: string,
  data: Thing[],
): Stripe.ApiList<Thing> => ({
  object: 'list',
  data,
  has_more: false,
  url,
});

const DEFAULT_PAGE_SIZE = 10;
const MAX_PAGE_SIZE = 100;

/**
 * Returns one page of a list, newest first (https://docs.stripe.com/api/pagination).
 * @throws StripeApiError if the list does not contain the cursor.
 */
function paginateItems<Thing extends StripeObject>(
  url: string,
  {
    limit = DEFAULT_PAGE_SIZE,
    starting_after,
    ending_before,
  }: {
    readonly limit?: number | undefined;
    readonly starting_after?: string | undefined;
    readonly ending_before?: string | undefined;
  },
  all: readonly Thing[],
): Stripe.ApiList<Thing> {
  if (limit < 1 || limit > MAX_PAGE_SIZE)
    throw new InvalidParameterError(
      'parameter_invalid_integer',
      'limit',
      `This value must be ${limit < 1 ? 'greater than or equal to 1' : `less than or equal to ${MAX_PAGE_SIZE}`}.`,
    );
  const findIndex = (id: string, param: string): number => {
    const index = all.findIndex((one) => one.id === id);
    if (index < 0) throw createMissingError(400, 'object', id, param);
    return index;
  };
  const end = ending_before === undefined ? all.length : findIndex(ending_before, 'ending_before');
  const start =
    starting_after === undefined
      ? Math.max(0, ending_before === undefined ? 0 : end - limit)
      : findIndex(starting_after, 'starting_after') + 1;
  const data = all.slice(start, Math.min(start + limit, end));
  return {
    object: 'list',
    data,
    has_more: ending_before === undefined ? start + data.length < all.length : start > 0,
    url,
  };
}

const CREATED_FILTER = z
  .strictObject({
    gt: integer.optional(),
    gte: integer.optional(),
    lt: integer.optional(),
    lte: integer.optional(),
  })
  .default({});

const matchesCreated =
  ({ gt = -1, gte = 0, lt = Infinity, lte = Infinity }: z.output<typeof CREATED_FILTER>) =>
  ({ created }: { readonly created: number }): boolean =>
    created > gt && created >= gte && created < lt && created <= lte;

/** Adds the routes for payments. */
export function addPaymentRoutes(
  api: Api,
  store: Store,
  payments: Payments,
  activatedTypes: ActivatedTypes,
): void {
  api.addRoute(
    'POST',
    '/payment_intents',
    defineParams({
      amount: integer,
      currency: nonEmptyString,
      allowed_payment_method_types: PAYMENT_METHOD_TYPES.optional(),
      metadata: metadata.default({}),
      description: nonEmptyString.max(1_000).optional(),
      receipt_email: emailAddress.optional(),
      setup_future_usage: z.enum(['off_session', 'on_session']).optional(),
      customer: nonEmptyString.optional(),
      confirm: booleanString.default(false),
      payment_method: z.enum(TEST_PAYMENT_METHOD_IDS).optional(),
      return_url: url.optional(),
      payment_method_options: PAYMENT_METHOD_OPTIONS,
      statement_descriptor_suffix: nonEmptyString.max(22).optional(),
    }),
    ({
      params: {
        amount,
        description = null,
        receipt_email = null,
        setup_future_usage = null,
        customer = null,
        allowed_payment_method_types = null,
        payment_method_options = null,
        confirm,
        payment_method,
        return_url,
        metadata,
        ...params
      },
    }) => {
      const currency = parseCurrency(params.currency);
      assertValidAmount(amount, currency);
      if (customer !== null)
        store.getObject('customer', customer, { status: 400, param: 'customer' });
      const intent = payments.createIntent({
        amount,
        currency,
        description,
        receipt_email,
        setup_future_usage,
        customer,
        allowed_payment_method_types,
        payment_method_options:
          payment_method_options as Stripe.PaymentIntent.PaymentMethodOptions | null,
        payment_method_types: activatedTypes.filterTypes(currency, allowed_payment_method_types),
        metadata,
      });
      if (!confirm || !payment_method) return intent;
      const token = payments.createConfirmationToken(
        getTestNumber(payment_method),
        {},
        setup_future_usage,
      );
      return payments.confirmIntent(intent.id, token.id, return_url);
    },
  );
  api.addRoute(
    'GET',
    '/payment_intents',
    defineParams({ created: CREATED_FILTER, ...paginationParams }),
    ({ params: { created, ...page } }) =>
      paginateItems(
        '/v1/payment_intents',
        page,
        store.listObjects('payment_intent').filter(matchesCreated(created)).reverse(),
      ),
  );
  api.addRoute(
    'POST',
    '/test_helpers/confirmation_tokens',
    defineParams({
      payment_method: z.enum(TEST_PAYMENT_METHOD_IDS),
      setup_future_usage: z.enum(['off_session', 'on_session']).optional(),
    }),
    ({ params: { payment_method, setup_future_usage = null } }) =>
      payments.createConfirmationToken(getTestNumber(payment_method), {}, setup_future_usage),
  );
  api.addRoute(
    'GET',
    '/payment_intents/:id',
    defineParams({ client_secret: nonEmptyString.optional() }),
    ({ id, params: { client_secret }, isPublic }) => {
      const intent = store.getObject('payment_intent', id, { param: 'intent' });
      if (client_secret !== undefined ? client_secret !== intent.client_secret : isPublic)
        throw createMissingError(404, 'payment intent', id, 'intent');
      return isPublic
        ? Object.fromEntries(
            Object.entries(intent).filter(([name]) => PUBLIC_FIELDS.includes(name)),
          )
        : intent;
    },
    { open: true },
  );
  api.addRoute(
    'POST',
    '/payment_intents/:id',
    defineParams({ metadata: metadata.default({}) }),
    ({ id, params }) => {
      const intent = store.getObject('payment_intent', id, { param: 'intent' });
      return Object.assign(intent, { metadata: { ...intent.metadata, ...params.metadata } });
    },
  );
  api.addRoute(
    'POST',
    '/payment_intents/:id/confirm',
    defineParams({ confirmation_token: nonEmptyString.optional(), return_url: url.optional() }),
    ({ id, params: { confirmation_token, return_url } }) =>
      payments.confirmIntent(id, confirmation_token, return_url),
  );
  api.addRoute(
    'POST',
    '/payment_intents/:id/cancel',
    defineParams({
      cancellation_reason: z
        .enum(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'])
        .optional(),
    }),
    ({ id, params: { cancellation_reason } }) => {
      if (store.listObjectsByField('invoice_payment', 'payment.payment_intent', id).length > 0)
        throw createInvalidRequestError(
          'You cannot cancel a PaymentIntent that was created by an invoice. Void the invoice instead.',
          {
            code: 'payment_intent_unexpected_state',
            payment_intent: { ...store.getObject('payment_intent', id) },
          },
        );
      return payments.cancelIntent(id, cancellation_reason);
    },
  );
  api.addRoute(
    'POST',
    '/confirmation_tokens',
    defineParams({
      payment_method_data: z.strictObject({
        type: PAYMENT_METHOD_TYPES.element,
        number: nonEmptyString,
        billing_details: z.record(z.string(), z.unknown()).optional(),
      }),
      return_url: url.optional(),
      setup_future_usage: z.enum(['off_session', 'on_session']).optional(),
      use_stripe_sdk: booleanString.optional(),
    }),
    ({
      params: {
        payment_method_data: { type, number, billing_details },
        return_url = null,
        setup_future_usage = null,
      },
    }) => {
      if (getTestPaymentMethod(number).type !== type)
        throw createInvalidRequestError(`This number is not a test number for ${type}.`, {
          param: 'payment_method_data[number]',
        });
      return Object.assign(
        payments.createConfirmationToken(number, billing_details, setup_future_usage),
        { return_url },
      );
    },
    { open: true },
  );

  api.addRoute('GET', '/confirmation_tokens/:id', defineParams({}), ({ id }) =>
    store.getObject('confirmation_token', id),
  );
  api.addRoute(
    'GET',
    '/charges',
    defineParams({
      payment_intent: nonEmptyString.optional(),
      customer: nonEmptyString.optional(),
      created: CREATED_FILTER,
      ...paginationParams,
    }),
    ({ params: { payment_intent, customer, created, ...page } }) =>
      paginateItems(
        '/v1/charges',
        page,
        (payment_intent === undefined
          ? store.listObjectsCreatedBetween(
              'charge',
              created.gte ?? 0,
              created.lt ?? Number.MAX_SAFE_INTEGER,
            )
          : store.listObjectsByField('charge', 'payment_intent', payment_intent)
        )
          .filter(
            (one) => matchesCreated(created)(one) && one.customer === (customer ?? one.customer),
          )
          .reverse(),
      ),
  );
  api.addRoute('GET', '/balance_transactions/:id', defineParams({}), ({ id }) =>
    store.getObject('balance_transaction', id),
  );
  api.addRoute('GET', '/charges/:id', defineParams({}), ({ id }) => store.getObject('charge', id));
  api.addRoute('GET', '/refunds/:id', defineParams({}), ({ id }) => store.getObject('refund', id));
  api.addRoute(
    'GET',
    '/refunds',
    defineParams({
      payment_intent: nonEmptyString.optional(),
      charge: nonEmptyString.optional(),
      ...paginationParams,
    }),
    ({ params: { payment_intent, charge } }) =>
      toList(
        '/v1/refunds',
        (payment_intent === undefined
          ? store.listObjects('refund')
          : store.listObjectsByField('refund', 'payment_intent', payment_intent)
        )
          .filter((one) => one.charge === (charge ?? one.charge))
          .reverse(),
      ),
  );
  api.addRoute(
    'GET',
    '/disputes',
    defineParams({
      payment_intent: nonEmptyString.optional(),
      charge: nonEmptyString.optional(),
      ...paginationParams,
    }),
    ({ params: { payment_intent, charge } }) =>
      toList(
        '/v1/disputes',
        (payment_intent === undefined
          ? store.listObjects('dispute')
          : store.listObjectsByField('dispute', 'payment_intent', payment_intent)
        )
          .filter((one) => one.charge === (charge ?? one.charge))
          .reverse(),
      ),
  );
  api.addRoute('GET', '/disputes/:id', defineParams({}), ({ id }) =>
    store.getObject('dispute', id),
  );
  api.addRoute('GET', '/events/:id', defineParams({}), ({ id }) => store.getObject('event', id));
}
