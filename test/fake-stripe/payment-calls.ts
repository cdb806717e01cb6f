import { Stripe } from 'stripe';
import { z } from 'zod';
import { checkAmount, checkedCurrency } from './amounts.ts';
import type { Api } from './api.ts';
import { meansOf } from './means.ts';
import { METHOD_TYPES, typesFor } from './payment-types.ts';
import type { Payments } from './payments.ts';
import { Misunderstanding, missing, refused } from './refusal.ts';
import { address, email, flag, metadata, pages, shape, text, whole } from './shapes.ts';
import type { Kept, Store } from './store.ts';

/** What Stripe.js may see of a payment intent. */
const PUBLIC = [
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

export const listOf = <Thing extends Kept>(url: string, data: Thing[]): Stripe.ApiList<Thing> => ({
  object: 'list',
  data,
  has_more: false,
  url,
});

const USUAL_PAGE = 10;
const LARGEST_PAGE = 100;

/**
 * A part of a list, the newest first, as Stripe pages: https://docs.stripe.com/api/pagination.
 * @throws a refusal of an id that is not in it.
 */
function pageOf<Thing extends Kept>(
  url: string,
  {
    limit = USUAL_PAGE,
    starting_after,
    ending_before,
  }: {
    readonly limit?: number | undefined;
    readonly starting_after?: string | undefined;
    readonly ending_before?: string | undefined;
  },
  all: readonly Thing[],
): Stripe.ApiList<Thing> {
  if (limit < 1 || limit > LARGEST_PAGE)
    throw new Misunderstanding(
      'parameter_invalid_integer',
      'limit',
      `This value must be ${limit < 1 ? 'greater than or equal to 1' : `less than or equal to ${LARGEST_PAGE}`}.`,
    );
  const at = (id: string, param: string): number => {
    const index = all.findIndex((one) => one.id === id);
    if (index < 0) throw missing(400, 'object', id, param);
    return index;
  };
  const before = ending_before === undefined ? all.length : at(ending_before, 'ending_before');
  const start =
    starting_after === undefined
      ? Math.max(0, ending_before === undefined ? 0 : before - limit)
      : at(starting_after, 'starting_after') + 1;
  const data = all.slice(start, Math.min(start + limit, before));
  return {
    object: 'list',
    data,
    has_more: ending_before === undefined ? start + data.length < all.length : start > 0,
    url,
  };
}

/** The calls about single payments. */
export function paymentCalls(api: Api, store: Store, payments: Payments): void {
  api.on(
    'POST',
    '/payment_intents',
    shape({
      amount: whole,
      currency: text,
      allowed_payment_method_types: METHOD_TYPES.optional(),
      metadata: metadata.default({}),
      description: text.max(1_000).optional(),
      receipt_email: email.optional(),
      setup_future_usage: z.enum(['off_session', 'on_session']).optional(),
      customer: text.optional(),
    }),
    ({
      params: {
        amount,
        description = null,
        receipt_email = null,
        setup_future_usage = null,
        customer = null,
        allowed_payment_method_types = null,
        metadata,
        ...params
      },
    }) => {
      const currency = checkedCurrency(params.currency);
      checkAmount(amount, currency);
      if (customer !== null) store.get('customer', customer, { status: 400, param: 'customer' });
      return payments.create({
        amount,
        currency,
        description,
        receipt_email,
        setup_future_usage,
        customer,
        allowed_payment_method_types,
        payment_method_types: typesFor(currency, allowed_payment_method_types),
        metadata,
      });
    },
  );
  api.on(
    'GET',
    '/payment_intents/:id',
    shape({ client_secret: text.optional() }),
    ({ id, params: { client_secret }, isPublic }) => {
      const intent = store.get('payment_intent', id, { param: 'intent' });
      if (client_secret !== undefined ? client_secret !== intent.client_secret : isPublic)
        throw missing(404, 'payment intent', id, 'intent');
      return isPublic
        ? Object.fromEntries(Object.entries(intent).filter(([name]) => PUBLIC.includes(name)))
        : intent;
    },
    { open: true },
  );
  api.on(
    'POST',
    '/payment_intents/:id/confirm',
    shape({ confirmation_token: text.optional(), return_url: address.optional() }),
    ({ id, params: { confirmation_token, return_url } }) =>
      payments.confirm(id, confirmation_token, return_url),
  );
  api.on(
    'POST',
    '/payment_intents/:id/cancel',
    shape({
      cancellation_reason: z
        .enum(['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'])
        .optional(),
    }),
    ({ id, params: { cancellation_reason } }) => {
      if (store.all('invoice_payment').some(({ payment }) => payment.payment_intent === id))
        throw refused(
          'You cannot cancel a PaymentIntent that was created by an invoice. Void the invoice instead.',
          {
            code: 'payment_intent_unexpected_state',
            payment_intent: { ...store.get('payment_intent', id) },
          },
        );
      return payments.cancel(id, cancellation_reason);
    },
  );
  api.on(
    'POST',
    '/confirmation_tokens',
    shape({
      payment_method_data: z.strictObject({
        type: METHOD_TYPES.element,
        number: text,
        billing_details: z.record(z.string(), z.unknown()).optional(),
      }),
      return_url: address.optional(),
      setup_future_usage: z.enum(['off_session', 'on_session']).optional(),
      use_stripe_sdk: flag.optional(),
    }),
    ({
      params: {
        payment_method_data: { type, number, billing_details },
        return_url = null,
        setup_future_usage = null,
      },
    }) => {
      if (meansOf(number).type !== type)
        throw refused(`This number is not one of a ${type}.`, {
          param: 'payment_method_data[number]',
        });
      return Object.assign(payments.token(number, billing_details), {
        return_url,
        setup_future_usage,
      });
    },
    { open: true },
  );

  api.on('GET', '/confirmation_tokens/:id', shape({}), ({ id }) =>
    store.get('confirmation_token', id),
  );
  api.on(
    'GET',
    '/charges',
    shape({
      payment_intent: text.optional(),
      customer: text.optional(),
      created: z
        .strictObject({
          gt: whole.optional(),
          gte: whole.optional(),
          lt: whole.optional(),
          lte: whole.optional(),
        })
        .default({}),
      ...pages,
    }),
    ({
      params: {
        payment_intent,
        customer,
        created: { gt = -1, gte = 0, lt = Infinity, lte = Infinity },
        ...page
      },
    }) =>
      pageOf(
        '/v1/charges',
        page,
        store
          .all('charge')
          .filter(
            (one) =>
              one.created > gt &&
              one.created >= gte &&
              one.created < lt &&
              one.created <= lte &&
              one.payment_intent === (payment_intent ?? one.payment_intent) &&
              one.customer === (customer ?? one.customer),
          )
          .reverse(),
      ),
  );
  api.on('GET', '/balance_transactions/:id', shape({}), ({ id }) =>
    store.get('balance_transaction', id),
  );
  api.on('GET', '/charges/:id', shape({}), ({ id }) => store.get('charge', id));
  api.on('GET', '/refunds/:id', shape({}), ({ id }) => store.get('refund', id));
  api.on(
    'GET',
    '/refunds',
    shape({ payment_intent: text.optional(), charge: text.optional(), ...pages }),
    ({ params: { payment_intent, charge } }) =>
      listOf(
        '/v1/refunds',
        store
          .all('refund')
          .filter(
            (one) =>
              one.payment_intent === (payment_intent ?? one.payment_intent) &&
              one.charge === (charge ?? one.charge),
          )
          .reverse(),
      ),
  );
  api.on(
    'GET',
    '/disputes',
    shape({ payment_intent: text.optional(), charge: text.optional(), ...pages }),
    ({ params: { payment_intent, charge } }) =>
      listOf(
        '/v1/disputes',
        store
          .all('dispute')
          .filter(
            (one) =>
              one.payment_intent === (payment_intent ?? one.payment_intent) &&
              one.charge === (charge ?? one.charge),
          )
          .reverse(),
      ),
  );
  api.on('GET', '/disputes/:id', shape({}), ({ id }) => store.get('dispute', id));
  api.on('GET', '/events/:id', shape({}), ({ id }) => store.get('event', id));
}
