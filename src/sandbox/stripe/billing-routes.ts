import { z } from 'zod';
import { assertValidAmount, parseCurrency } from './amounts.ts';
import type { Api } from './api.ts';
import type { Billing } from './billing.ts';
import { buildCustomer, buildPrice, buildProduct } from './billing-objects.ts';
import type { EventLog } from './events.ts';
import {
  booleanString,
  defineParams,
  emailAddress,
  integer,
  metadata,
  nonEmptyString,
  paginationParams,
} from './params.ts';
import {
  type ActivatedTypes,
  PAYMENT_METHOD_OPTIONS,
  PAYMENT_METHOD_TYPES,
} from './payment-method-types.ts';
import { toList } from './payment-routes.ts';
import type { Store } from './store.ts';
import { createInvalidRequestError, InvalidParameterError } from './stripe-error.ts';

export const RECURRING_SCHEMA = z.strictObject({
  interval: z.enum(['day', 'week', 'month', 'year']),
  interval_count: integer.default(1),
});
const MAX_INTERVAL_COUNTS = { day: 1_095, week: 156, month: 36, year: 3 };

export interface BillingRoutesOptions {
  readonly api: Api;
  readonly store: Store;
  readonly events: EventLog;
  readonly billing: Billing;
  readonly activatedTypes: ActivatedTypes;
}

/** Adds the routes for customers, products, subscriptions, and invoices. */
export function addBillingRoutes({
  api,
  store,
  events,
  billing,
  activatedTypes,
}: BillingRoutesOptions): void {
  api.addRoute(
    'POST',
    '/customers',
    defineParams({
      email: emailAddress.optional(),
      name: nonEmptyString.max(256).optional(),
      phone: nonEmptyString.max(20).optional(),
      description: nonEmptyString.optional(),
      metadata: metadata.default({}),
      preferred_locales: z.array(nonEmptyString).default([]),
    }),
    ({
      params: {
        email: address = null,
        name = null,
        phone = null,
        description = null,
        metadata,
        preferred_locales,
      },
    }) => {
      const created = store.saveObject(
        buildCustomer(
          { email: address, name, phone, description, metadata, preferred_locales },
          store.now,
        ),
      );
      events.recordEvent('customer.created', created);
      return created;
    },
  );
  api.addRoute('GET', '/customers/:id', defineParams({}), ({ id }) =>
    store.getObject('customer', id),
  );

  api.addRoute(
    'POST',
    '/products',
    defineParams({
      id: nonEmptyString.optional(),
      name: nonEmptyString,
      description: nonEmptyString.optional(),
      metadata: metadata.default({}),
    }),
    ({ params: { id, name, description = null, metadata } }) => {
      if (id !== undefined && store.hasObject('product', id))
        throw createInvalidRequestError(`Product already exists with ID: ${id}`, {
          code: 'resource_already_exists',
          param: 'id',
        });
      const created = store.saveObject(
        buildProduct({ id, name, description, metadata }, store.now),
      );
      events.recordEvent('product.created', created);
      return created;
    },
  );
  api.addRoute('GET', '/products/:id', defineParams({}), ({ id }) =>
    store.getObject('product', id),
  );
  api.addRoute(
    'POST',
    '/products/:id',
    defineParams({ active: booleanString.optional() }),
    ({ id, params: { active } }) =>
      Object.assign(store.getObject('product', id), active !== undefined && { active }),
  );

  api.addRoute(
    'POST',
    '/subscriptions',
    defineParams({
      customer: nonEmptyString,
      items: z
        .array(
          z.strictObject({
            price_data: z.strictObject({
              currency: nonEmptyString,
              product: nonEmptyString,
              recurring: RECURRING_SCHEMA,
              unit_amount: integer,
            }),
          }),
        )
        .length(1),
      payment_behavior: z.literal('default_incomplete'),
      payment_settings: z
        .strictObject({
          save_default_payment_method: z.enum(['on_subscription', 'off']).default('off'),
          payment_method_types: PAYMENT_METHOD_TYPES.optional(),
          payment_method_options: PAYMENT_METHOD_OPTIONS,
        })
        .default({ save_default_payment_method: 'off' }),
      off_session: booleanString.optional(),
      metadata: metadata.default({}),
      description: nonEmptyString.max(500).optional(),
    }),
    ({
      params: {
        customer,
        items: [item],
        payment_settings: { save_default_payment_method, payment_method_types = null },
        metadata,
        description = null,
      },
    }) => {
      const { recurring, product, unit_amount, ...data } = item!.price_data;
      const currency = parseCurrency(data.currency, 'items[0][price_data][currency]');
      assertValidAmount(unit_amount, currency, 'items[0][price_data][unit_amount]');
      assertValidInterval(recurring, 'items[0][price_data][recurring][interval_count]');
      store.getObject('customer', customer, { status: 400, param: 'customer' });
      const { active } = store.getObject('product', product, {
        status: 400,
        param: 'items[0][price_data][product]',
      });
      if (!active)
        throw createInvalidRequestError(
          `The product ${product} is marked as inactive, and thus no new subscriptions can be created to it.`,
          { param: 'items[0][price_data][product]' },
        );
      activatedTypes.assertUsableTypes(currency, payment_method_types);
      return billing.createSubscription(
        {
          customer,
          metadata,
          description,
          payment_settings: { save_default_payment_method, payment_method_types },
        },
        store.saveObject(buildPrice({ currency, product, unit_amount, recurring }, store.now)),
      );
    },
  );
  api.addRoute('GET', '/subscriptions/:id', defineParams({}), ({ id }) =>
    store.getObject('subscription', id),
  );
  api.addRoute(
    'DELETE',
    '/subscriptions/:id',
    defineParams({ invoice_now: booleanString.optional(), prorate: booleanString.optional() }),
    ({ id }) => billing.cancelSubscription(id),
  );

  api.addRoute('GET', '/invoices/:id', defineParams({}), ({ id }) =>
    store.getObject('invoice', id),
  );
  api.addRoute('POST', '/invoices/:id/void', defineParams({}), ({ id }) => billing.voidInvoice(id));
  api.addRoute(
    'GET',
    '/invoice_payments',
    defineParams({
      invoice: nonEmptyString.optional(),
      status: nonEmptyString.optional(),
      payment: z
        .strictObject({ type: z.literal('payment_intent'), payment_intent: nonEmptyString })
        .optional(),
      ...paginationParams,
    }),
    ({ params: { invoice, status, payment } }) =>
      toList(
        '/v1/invoice_payments',
        (payment
          ? store.listObjectsByField(
              'invoice_payment',
              'payment.payment_intent',
              payment.payment_intent,
            )
          : store.listObjects('invoice_payment')
        )
          .filter(
            (one) =>
              one.invoice === (invoice ?? one.invoice) && one.status === (status ?? one.status),
          )
          .reverse(),
      ),
  );
}

/**
 * Checks a billing interval.
 * @throws StripeApiError if the interval is longer than three years.
 */
export function assertValidInterval(
  { interval, interval_count: count }: z.output<typeof RECURRING_SCHEMA>,
  param: string,
): void {
  if (count < 1)
    throw new InvalidParameterError(
      'parameter_invalid_integer',
      param,
      'This value must be greater than or equal to 1.',
    );
  if (count > MAX_INTERVAL_COUNTS[interval])
    throw createInvalidRequestError(
      `Invalid interval_count: the maximum is ${MAX_INTERVAL_COUNTS[interval]} for ${interval}.`,
      { param },
    );
}
