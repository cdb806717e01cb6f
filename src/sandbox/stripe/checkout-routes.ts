import { z } from 'zod';
import { assertValidAmount, parseCurrency } from './amounts.ts';
import type { Api } from './api.ts';
import { buildPrice, buildProduct } from './billing-objects.ts';
import { assertValidInterval, RECURRING_SCHEMA } from './billing-routes.ts';
import type { Checkout } from './checkout.ts';
import {
  booleanString,
  defineParams,
  emailAddress,
  integer,
  metadata,
  nonEmptyString,
  url,
} from './params.ts';
import {
  type ActivatedTypes,
  PAYMENT_METHOD_OPTIONS,
  PAYMENT_METHOD_TYPES,
} from './payment-method-types.ts';
import type { Store } from './store.ts';
import { InvalidParameterError } from './stripe-error.ts';

const LOCALES = [
  'auto',
  'bg',
  'cs',
  'da',
  'de',
  'el',
  'en',
  'en-GB',
  'es',
  'es-419',
  'et',
  'fi',
  'fil',
  'fr',
  'fr-CA',
  'hi-IN',
  'hr',
  'hu',
  'id',
  'it',
  'ja',
  'ko',
  'lt',
  'lv',
  'ms',
  'mt',
  'nb',
  'nl',
  'pl',
  'pt',
  'pt-BR',
  'ro',
  'ru',
  'sk',
  'sl',
  'sv',
  'th',
  'tr',
  'vi',
  'zh',
  'zh-HK',
  'zh-TW',
] as const;
const PRICE_DATA_SCHEMA = z.strictObject({
  currency: nonEmptyString,
  product: nonEmptyString.optional(),
  product_data: z
    .strictObject({
      name: nonEmptyString,
      description: nonEmptyString.optional(),
      metadata: metadata.optional(),
    })
    .optional(),
  recurring: RECURRING_SCHEMA.optional(),
  unit_amount: integer,
});
const SESSION_SCHEMA = defineParams({
  mode: z.enum(['payment', 'subscription']),
  line_items: z
    .array(z.strictObject({ price_data: PRICE_DATA_SCHEMA, quantity: integer.default(1) }))
    .length(1),
  client_reference_id: nonEmptyString.max(200).optional(),
  customer: nonEmptyString.optional(),
  customer_email: emailAddress.optional(),
  metadata: metadata.default({}),
  payment_intent_data: z
    .strictObject({
      metadata: metadata.default({}),
      description: nonEmptyString.optional(),
      receipt_email: emailAddress.optional(),
      setup_future_usage: z.enum(['off_session', 'on_session']).optional(),
    })
    .optional(),
  subscription_data: z
    .strictObject({
      metadata: metadata.default({}),
      description: nonEmptyString.max(500).optional(),
    })
    .optional(),
  allowed_payment_method_types: PAYMENT_METHOD_TYPES.optional(),
  success_url: url,
  cancel_url: url.optional(),
  locale: z.enum(LOCALES).optional(),
  adaptive_pricing: z.strictObject({ enabled: booleanString }).optional(),
  payment_method_options: PAYMENT_METHOD_OPTIONS,
  submit_type: z.enum(['auto', 'book', 'donate', 'pay', 'subscribe']).optional(),
});

/** Adds the routes for Checkout Sessions. */
export function addCheckoutRoutes(
  api: Api,
  store: Store,
  checkout: Checkout,
  activatedTypes: ActivatedTypes,
): void {
  api.addRoute('POST', '/checkout/sessions', SESSION_SCHEMA, ({ params }) => {
    const {
      mode,
      line_items: [item],
      payment_intent_data,
      subscription_data,
      customer = null,
      customer_email = null,
      allowed_payment_method_types = null,
      client_reference_id = null,
      cancel_url = null,
      locale = null,
      submit_type = null,
    } = params;
    assertConsistentMode(params);
    const { product_data, recurring, unit_amount, ...data } = item!.price_data;
    const currency = parseCurrency(data.currency, 'line_items[0][price_data][currency]');
    assertValidAmount(
      unit_amount * item!.quantity,
      currency,
      'line_items[0][price_data][unit_amount]',
    );
    const payment_method_types = activatedTypes.filterTypes(currency, allowed_payment_method_types);
    if (customer !== null)
      store.getObject('customer', customer, { status: 400, param: 'customer' });
    const product = product_data
      ? store.saveObject(buildProduct(product_data, store.now))
      : store.getObject('product', data.product!, {
          status: 400,
          param: 'line_items[0][price_data][product]',
        });
    return checkout.createSession(
      {
        price: store.saveObject(
          buildPrice({ currency, product: product.id, unit_amount, recurring }, store.now),
        ),
        description: product.name,
        quantity: item!.quantity,
      },
      {
        adaptive_pricing: params.adaptive_pricing ?? { enabled: true },
        allowed_payment_method_types,
        payment_method_types,
        cancel_url,
        client_reference_id,
        currency,
        customer,
        customer_email,
        locale,
        metadata: params.metadata,
        mode,
        submit_type: submit_type,
        success_url: params.success_url,
      },
      {
        metadata: {},
        ...payment_intent_data,
        ...subscription_data,
        description: payment_intent_data?.description ?? subscription_data?.description ?? null,
      },
    );
  });
  api.addRoute('GET', '/checkout/sessions/:id', defineParams({}), ({ id }) =>
    checkout.getSession(id),
  );
  api.addRoute('POST', '/checkout/sessions/:id/expire', defineParams({}), ({ id }) =>
    checkout.expireSession(id),
  );
}

/**
 * Checks that the parameters are consistent.
 * @throws InvalidParameterError if parameters contradict the mode or each other.
 */
function assertConsistentMode({
  mode,
  line_items: [item],
  payment_intent_data,
  subscription_data,
  customer,
  customer_email,
}: z.output<typeof SESSION_SCHEMA>): void {
  const { recurring, product, product_data } = item!.price_data;
  if (recurring)
    assertValidInterval(recurring, 'line_items[0][price_data][recurring][interval_count]');
  const violation = (
    [
      [
        mode === 'payment' && recurring,
        'line_items[0][price_data][recurring]',
        'You specified `payment` mode but passed a recurring price. Either switch to ' +
          '`subscription` mode or use only one-time prices.',
      ],
      [
        mode === 'subscription' && !recurring,
        'line_items[0][price_data][recurring]',
        'You must provide at least one recurring price in `subscription` mode when using prices.',
      ],
      [
        mode === 'subscription' && payment_intent_data,
        'payment_intent_data',
        'You can not pass `payment_intent_data` in `subscription` mode.',
      ],
      [
        mode === 'payment' && subscription_data,
        'subscription_data',
        'You can not pass `subscription_data` in `payment` mode.',
      ],
      [
        (product === undefined) === (product_data === undefined),
        'line_items[0][price_data]',
        'You must specify either `product` or `product_data` when creating a price.',
      ],
      [
        customer !== undefined && customer_email !== undefined,
        'customer_email',
        'You may only specify one of these parameters: customer, customer_email.',
      ],
    ] as const
  ).find(([isViolated]) => isViolated);
  if (violation) throw new InvalidParameterError(undefined, violation[1], violation[2]);
}
