import { z } from 'zod';
import { checkAmount, checkedCurrency } from './amounts.ts';
import type { Api } from './api.ts';
import type { Billing } from './billing.ts';
import { customer, price, product } from './billing-objects.ts';
import type { Events } from './events.ts';
import { listOf } from './payment-calls.ts';
import { METHOD_TYPES, typesFor } from './payment-types.ts';
import { Misunderstanding, refused } from './refusal.ts';
import { email, flag, metadata, pages, shape, text, whole } from './shapes.ts';
import type { Store } from './store.ts';

export const RECURRING = z.strictObject({
  interval: z.enum(['day', 'week', 'month', 'year']),
  interval_count: whole.default(1),
});
const THREE_YEARS = { day: 1_095, week: 156, month: 36, year: 3 };

export interface BillingCallsOptions {
  readonly api: Api;
  readonly store: Store;
  readonly events: Events;
  readonly billing: Billing;
}

/** The calls about those who give again and again. */
export function billingCalls({ api, store, events, billing }: BillingCallsOptions): void {
  api.on(
    'POST',
    '/customers',
    shape({
      email: email.optional(),
      name: text.max(256).optional(),
      phone: text.max(20).optional(),
      description: text.optional(),
      metadata: metadata.default({}),
      preferred_locales: z.array(text).default([]),
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
      const made = store.keep(
        customer(
          { email: address, name, phone, description, metadata, preferred_locales },
          store.time,
        ),
      );
      events.add('customer.created', made);
      return made;
    },
  );
  api.on('GET', '/customers/:id', shape({}), ({ id }) => store.get('customer', id));

  api.on(
    'POST',
    '/products',
    shape({
      id: text.optional(),
      name: text,
      description: text.optional(),
      metadata: metadata.default({}),
    }),
    ({ params: { id, name, description = null, metadata } }) => {
      if (id !== undefined && store.has('product', id))
        throw refused(`Product already exists with ID: ${id}`, {
          code: 'resource_already_exists',
          param: 'id',
        });
      const made = store.keep(product({ id, name, description, metadata }, store.time));
      events.add('product.created', made);
      return made;
    },
  );
  api.on('GET', '/products/:id', shape({}), ({ id }) => store.get('product', id));

  api.on(
    'POST',
    '/subscriptions',
    shape({
      customer: text,
      items: z
        .array(
          z.strictObject({
            price_data: z.strictObject({
              currency: text,
              product: text,
              recurring: RECURRING,
              unit_amount: whole,
            }),
          }),
        )
        .length(1),
      payment_behavior: z.literal('default_incomplete'),
      payment_settings: z
        .strictObject({
          save_default_payment_method: z.enum(['on_subscription', 'off']).default('off'),
          payment_method_types: METHOD_TYPES.optional(),
        })
        .default({ save_default_payment_method: 'off' }),
      off_session: flag.optional(),
      metadata: metadata.default({}),
      description: text.max(500).optional(),
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
      const currency = checkedCurrency(data.currency, 'items[0][price_data][currency]');
      checkAmount(unit_amount, currency, 'items[0][price_data][unit_amount]');
      checkInterval(recurring, 'items[0][price_data][recurring][interval_count]');
      store.get('customer', customer, { status: 400, param: 'customer' });
      store.get('product', product, { status: 400, param: 'items[0][price_data][product]' });
      typesFor(currency, payment_method_types, 'payment_settings[payment_method_types]');
      return billing.subscribe(
        {
          customer,
          metadata,
          description,
          payment_settings: { save_default_payment_method, payment_method_types },
        },
        store.keep(price({ currency, product, unit_amount, recurring }, store.time)),
      );
    },
  );
  api.on('GET', '/subscriptions/:id', shape({}), ({ id }) => store.get('subscription', id));
  api.on(
    'DELETE',
    '/subscriptions/:id',
    shape({ invoice_now: flag.optional(), prorate: flag.optional() }),
    ({ id }) => billing.cancel(id),
  );

  api.on('GET', '/invoices/:id', shape({}), ({ id }) => store.get('invoice', id));
  api.on('POST', '/invoices/:id/void', shape({}), ({ id }) => billing.void(id));
  api.on(
    'GET',
    '/invoice_payments',
    shape({
      invoice: text.optional(),
      status: text.optional(),
      payment: z
        .strictObject({ type: z.literal('payment_intent'), payment_intent: text })
        .optional(),
      ...pages,
    }),
    ({ params: { invoice, status, payment } }) =>
      listOf(
        '/v1/invoice_payments',
        store
          .all('invoice_payment')
          .filter(
            (one) =>
              one.invoice === (invoice ?? one.invoice) &&
              one.status === (status ?? one.status) &&
              (!payment || one.payment.payment_intent === payment.payment_intent),
          )
          .reverse(),
      ),
  );
}

/** @throws a refusal of an interval of more than three years. */
export function checkInterval(
  { interval, interval_count: count }: z.output<typeof RECURRING>,
  param: string,
): void {
  if (count < 1)
    throw new Misunderstanding(
      'parameter_invalid_integer',
      param,
      'This value must be greater than or equal to 1.',
    );
  if (count > THREE_YEARS[interval])
    throw refused(
      `Invalid interval_count: the maximum is ${THREE_YEARS[interval]} for ${interval}.`,
      { param },
    );
}
