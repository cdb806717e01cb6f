import { z } from 'zod';
import { checkAmount, checkedCurrency } from './amounts.ts';
import type { Api } from './api.ts';
import { checkInterval, RECURRING } from './billing-calls.ts';
import { price, product } from './billing-objects.ts';
import type { Checkout } from './checkout.ts';
import { METHOD_TYPES, typesFor } from './payment-types.ts';
import { Misunderstanding } from './refusal.ts';
import { address, email, metadata, shape, text, whole } from './shapes.ts';
import type { Store } from './store.ts';

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
const PRICE_DATA = z.strictObject({
  currency: text,
  product: text.optional(),
  product_data: z
    .strictObject({ name: text, description: text.optional(), metadata: metadata.optional() })
    .optional(),
  recurring: RECURRING.optional(),
  unit_amount: whole,
});
const SESSION = shape({
  mode: z.enum(['payment', 'subscription']),
  line_items: z
    .array(z.strictObject({ price_data: PRICE_DATA, quantity: whole.default(1) }))
    .length(1),
  client_reference_id: text.max(200).optional(),
  customer: text.optional(),
  customer_email: email.optional(),
  metadata: metadata.default({}),
  payment_intent_data: z
    .strictObject({
      metadata: metadata.default({}),
      description: text.optional(),
      receipt_email: email.optional(),
      setup_future_usage: z.enum(['off_session', 'on_session']).optional(),
    })
    .optional(),
  subscription_data: z
    .strictObject({ metadata: metadata.default({}), description: text.max(500).optional() })
    .optional(),
  allowed_payment_method_types: METHOD_TYPES.optional(),
  success_url: address,
  cancel_url: address.optional(),
  locale: z.enum(LOCALES).optional(),
  submit_type: z.enum(['auto', 'book', 'donate', 'pay', 'subscribe']).optional(),
});

/** The calls about the page that Stripe hosts. */
export function checkoutCalls(api: Api, store: Store, checkout: Checkout): void {
  api.on('POST', '/checkout/sessions', SESSION, ({ params }) => {
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
    checkMode(params);
    const { product_data, recurring, unit_amount, ...data } = item!.price_data;
    const currency = checkedCurrency(data.currency, 'line_items[0][price_data][currency]');
    checkAmount(unit_amount * item!.quantity, currency, 'line_items[0][price_data][unit_amount]');
    const payment_method_types = typesFor(currency, allowed_payment_method_types);
    if (customer !== null) store.get('customer', customer, { status: 400, param: 'customer' });
    const bought = product_data
      ? store.keep(product(product_data, store.time))
      : store.get('product', data.product!, {
          status: 400,
          param: 'line_items[0][price_data][product]',
        });
    return checkout.open(
      {
        price: store.keep(
          price({ currency, product: bought.id, unit_amount, recurring }, store.time),
        ),
        description: bought.name,
        quantity: item!.quantity,
      },
      {
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
  api.on('GET', '/checkout/sessions/:id', shape({}), ({ id }) => checkout.session(id));
  api.on('POST', '/checkout/sessions/:id/expire', shape({}), ({ id }) => checkout.expire(id));
}

/** @throws a refusal of what does not go together. */
function checkMode({
  mode,
  line_items: [item],
  payment_intent_data,
  subscription_data,
  customer,
  customer_email,
}: z.output<typeof SESSION>): void {
  const { recurring, product, product_data } = item!.price_data;
  if (recurring) checkInterval(recurring, 'line_items[0][price_data][recurring][interval_count]');
  const wrong = (
    [
      [
        mode === 'payment' && recurring,
        'line_items[0][price_data][recurring]',
        'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
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
  ).find(([isWrong]) => isWrong);
  if (wrong) throw new Misunderstanding(undefined, wrong[1], wrong[2]);
}
