import type { Api } from './api.ts';
import { createErrorDetail, InvalidRequestError } from './api-error.ts';
import type { OrderRequest, Orders } from './orders.ts';
import { assertRequestShape, MONEY_SHAPE, ORDER_ISSUES, type Shape } from './request-shape.ts';

const KEY_HOURS = 6;

const EXPERIENCE_SHAPE: Shape = {
  type: 'object',
  fields: {
    brand_name: { type: 'string', max: 127 },
    locale: {
      type: 'string',
      min: 2,
      max: 10,
      pattern: /^[a-z]{2}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|\d{3}))?$/,
    },
    shipping_preference: {
      type: 'string',
      values: ['GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS'],
    },
    return_url: { type: 'string', pattern: /^https?:\/\/\S+$/ },
    cancel_url: { type: 'string', pattern: /^https?:\/\/\S+$/ },
    landing_page: {
      type: 'string',
      values: ['LOGIN', 'GUEST_CHECKOUT', 'NO_PREFERENCE', 'BILLING'],
    },
    user_action: { type: 'string', values: ['CONTINUE', 'PAY_NOW'] },
    payment_method_preference: {
      type: 'string',
      values: ['UNRESTRICTED', 'IMMEDIATE_PAYMENT_REQUIRED'],
    },
  },
};

const SOURCE_SHAPE: Shape = { type: 'object', fields: { experience_context: EXPERIENCE_SHAPE } };

const ORDER_SHAPE: Shape = {
  type: 'object',
  fields: {
    intent: { type: 'string', values: ['CAPTURE', 'AUTHORIZE'] },
    purchase_units: {
      type: 'array',
      min: 1,
      max: 10,
      items: {
        type: 'object',
        fields: {
          reference_id: { type: 'string', max: 256 },
          amount: {
            type: 'object',
            fields: {
              ...(MONEY_SHAPE.type === 'object' ? MONEY_SHAPE.fields : {}),
              breakdown: {
                type: 'object',
                fields: Object.fromEntries(
                  ['item_total', 'tax_total', 'shipping', 'handling', 'discount'].map((name) => [
                    name,
                    MONEY_SHAPE,
                  ]),
                ),
              },
            },
            required: ['currency_code', 'value'],
          },
          description: { type: 'string', max: 127 },
          custom_id: { type: 'string', max: 127 },
          invoice_id: { type: 'string', max: 127 },
          soft_descriptor: { type: 'string', max: 22 },
        },
        required: ['amount'],
      },
    },
    payment_source: { type: 'object', fields: { paypal: SOURCE_SHAPE, venmo: SOURCE_SHAPE } },
    application_context: EXPERIENCE_SHAPE,
  },
  required: ['intent', 'purchase_units'],
};

/** Adds the Orders v2 routes that a donation needs: create, show, and capture. */
export function addOrderRoutes(api: Api, orders: Orders): void {
  api.addRoute(
    'POST',
    '/v2/checkout/orders',
    ({ body, requestId, wantsRepresentation }) => {
      assertRequestShape(body, ORDER_SHAPE, ORDER_ISSUES);
      if (body.payment_source !== undefined && requestId === undefined)
        throw new InvalidRequestError([
          createErrorDetail('PAYPAL_REQUEST_ID_REQUIRED', { field: 'PayPal-Request-Id' }),
        ]);
      const request = body as unknown as OrderRequest;
      if (body.intent !== 'CAPTURE' || request.purchase_units.length > 1)
        throw new InvalidRequestError([
          createErrorDetail('NOT_SUPPORTED', {
            field: body.intent === 'CAPTURE' ? '/purchase_units' : '/intent',
            location: 'body',
            description: 'This field is not currently supported.',
          }),
        ]);
      const order = orders.createOrder(request);
      return {
        status: body.payment_source === undefined ? 201 : 200,
        view: () =>
          wantsRepresentation ? orders.serializeOrder(order) : orders.serializeMinimalOrder(order),
      };
    },
    { keyHours: KEY_HOURS },
  );

  api.addRoute('GET', '/v2/checkout/orders/:id', ({ id }) => {
    const order = orders.getOrder(id);
    return { status: 200, view: () => orders.serializeOrder(order) };
  });

  api.addRoute(
    'POST',
    '/v2/checkout/orders/:id/capture',
    ({ id, wantsRepresentation }) => {
      const order = orders.captureOrder(id);
      return {
        status: 201,
        view: () =>
          wantsRepresentation ? orders.serializeOrder(order) : orders.serializeCapturedOrder(order),
      };
    },
    { keyHours: KEY_HOURS },
  );
}
