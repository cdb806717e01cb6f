import type { JsonObject } from '../lib/request-parsing.ts';
import type { Api } from './api.ts';
import { createErrorDetail, InvalidRequestError } from './api-error.ts';
import type { Catalog, PlanRequest } from './catalog.ts';
import { createLink, type PayPalContext } from './context.ts';
import type { Money } from './money.ts';
import { assertRequestShape, BILLING_ISSUES, MONEY_SHAPE, type Shape } from './request-shape.ts';
import { serializeTransaction } from './subscription-views.ts';
import type { SubscriptionRequest, Subscriptions } from './subscriptions.ts';

const KEY_HOURS = 72;
const DATE = String.raw`\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])`;
const HOURS = String.raw`([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)([.]\d+)?`;
const TIME = new RegExp(String.raw`^${DATE}[Tt]${HOURS}([Zz]|[+-]\d{2}:\d{2})$`);
const URL_SHAPE: Shape = { type: 'string', min: 10, max: 4_000, pattern: /^https?:\/\/\S+$/ };

const PRODUCT_SHAPE: Shape = {
  type: 'object',
  fields: {
    id: { type: 'string', min: 6, max: 50, pattern: /^(?!PROD-)/ },
    name: { type: 'string', max: 127 },
    description: { type: 'string', max: 256 },
    type: { type: 'string', values: ['PHYSICAL', 'DIGITAL', 'SERVICE'] },
    category: { type: 'string', min: 4, max: 256, pattern: /^[A-Z_]+$/ },
    image_url: { type: 'string', max: 2_000 },
    home_url: { type: 'string', max: 2_000 },
  },
  required: ['name', 'type'],
};

const PRICING_SHAPE: Shape = { type: 'object', fields: { fixed_price: MONEY_SHAPE } };

const PLAN_SHAPE: Shape = {
  type: 'object',
  fields: {
    product_id: { type: 'string', min: 6, max: 50 },
    name: { type: 'string', max: 127 },
    status: { type: 'string', values: ['CREATED', 'INACTIVE', 'ACTIVE'] },
    description: { type: 'string', max: 127 },
    billing_cycles: {
      type: 'array',
      min: 1,
      max: 12,
      items: {
        type: 'object',
        fields: {
          pricing_scheme: PRICING_SHAPE,
          frequency: {
            type: 'object',
            fields: {
              interval_unit: { type: 'string', values: ['DAY', 'WEEK', 'MONTH', 'YEAR'] },
              interval_count: { type: 'integer', min: 1, max: 365 },
            },
            required: ['interval_unit'],
          },
          tenure_type: { type: 'string', values: ['REGULAR', 'TRIAL'] },
          sequence: { type: 'integer', min: 1, max: 99 },
          total_cycles: { type: 'integer', min: 0, max: 999 },
        },
        required: ['frequency', 'tenure_type', 'sequence'],
      },
    },
    payment_preferences: {
      type: 'object',
      fields: {
        auto_bill_outstanding: { type: 'boolean' },
        setup_fee_failure_action: { type: 'string', values: ['CONTINUE', 'CANCEL'] },
        payment_failure_threshold: { type: 'integer', min: 0, max: 999 },
      },
    },
    quantity_supported: { type: 'boolean' },
  },
  required: ['name', 'billing_cycles', 'payment_preferences', 'product_id'],
};

const SUBSCRIPTION_SHAPE: Shape = {
  type: 'object',
  fields: {
    plan_id: { type: 'string', min: 3, max: 50 },
    start_time: { type: 'string', min: 20, max: 64, pattern: TIME },
    quantity: { type: 'string', max: 32, pattern: /^(\d+|(\d+)?[.]\d+)$/ },
    custom_id: { type: 'string', max: 127, pattern: /^[\x20-\x7E]+/ },
    application_context: {
      type: 'object',
      fields: {
        brand_name: { type: 'string', max: 127 },
        shipping_preference: {
          type: 'string',
          values: ['GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS'],
        },
        user_action: { type: 'string', values: ['CONTINUE', 'SUBSCRIBE_NOW'] },
        return_url: URL_SHAPE,
        cancel_url: URL_SHAPE,
      },
      required: ['return_url', 'cancel_url'],
    },
    plan: {
      type: 'object',
      fields: {
        billing_cycles: {
          type: 'array',
          min: 1,
          max: 12,
          items: {
            type: 'object',
            fields: {
              sequence: { type: 'integer', min: 1, max: 99 },
              total_cycles: { type: 'integer', min: 0, max: 999 },
              pricing_scheme: PRICING_SHAPE,
            },
            required: ['sequence'],
          },
        },
      },
    },
  },
  required: ['plan_id'],
};

const REASON_SHAPE = {
  type: 'object',
  fields: { reason: { type: 'string', max: 128 } },
  required: ['reason'],
} as const satisfies Shape;

const CAPTURE_SHAPE: Shape = {
  type: 'object',
  fields: {
    note: { type: 'string', max: 128 },
    capture_type: { type: 'string', values: ['OUTSTANDING_BALANCE'] },
    amount: MONEY_SHAPE,
  },
  required: ['note', 'capture_type', 'amount'],
};

/** Adds the routes for Catalog Products v1 and for the plans of Subscriptions v1. */
export function addCatalogRoutes(
  api: Api,
  { store, getBaseUrl }: PayPalContext,
  catalog: Catalog,
): void {
  api.addRoute(
    'POST',
    '/v1/catalogs/products',
    ({ body }) => {
      assertRequestShape(body, PRODUCT_SHAPE, BILLING_ISSUES);
      const product = catalog.createProduct(body);
      return { status: 201, view: () => catalog.serializeProduct(product) };
    },
    { keyHours: KEY_HOURS },
  );
  api.addRoute('GET', '/v1/catalogs/products', ({ query }) => {
    const { page, count } = paginateItems(store.listRecords('product').toReversed(), query);
    return {
      status: 200,
      view: () => ({
        // PayPal's OpenAPI files require at least one product.
        ...(page.length > 0 && {
          products: page.map((product) => {
            const { id, name, description, create_time, links } = catalog.serializeProduct(
              product,
            ) as JsonObject;
            return {
              id,
              name,
              ...(description !== undefined && { description }),
              create_time,
              links,
            };
          }),
        }),
        ...(query.get('total_required') === 'true' && count),
        links: [createLink(`${getBaseUrl()}/v1/catalogs/products?${query}`, 'self')],
      }),
    };
  });
  api.addRoute('GET', '/v1/catalogs/products/:id', ({ id }) => {
    const product = store.getRecord('product', id);
    return { status: 200, view: () => catalog.serializeProduct(product) };
  });

  api.addRoute(
    'POST',
    '/v1/billing/plans',
    ({ body, wantsRepresentation }) => {
      assertRequestShape(body, PLAN_SHAPE, BILLING_ISSUES);
      const plan = catalog.createPlan(body as unknown as PlanRequest);
      return {
        status: 201,
        view: () =>
          wantsRepresentation ? catalog.serializePlan(plan) : catalog.serializeMinimalPlan(plan),
      };
    },
    { keyHours: KEY_HOURS },
  );
  api.addRoute('GET', '/v1/billing/plans', ({ query }) => {
    const product = query.get('product_id');
    const ids = query.get('plan_ids')?.split(',');
    const { page, count } = paginateItems(
      store
        .listRecords('plan')
        .filter(
          ({ id, request }) =>
            (product === null || request.product_id === product) &&
            (ids === undefined || ids.includes(id)),
        )
        .toReversed(),
      query,
    );
    return {
      status: 200,
      view: () => ({
        plans: page.map((plan) => catalog.serializePlan(plan)),
        ...(query.get('total_required') === 'true' && count),
        links: [createLink(`${getBaseUrl()}/v1/billing/plans?${query}`, 'self')],
      }),
    };
  });
  api.addRoute('GET', '/v1/billing/plans/:id', ({ id }) => {
    const plan = store.getRecord('plan', id);
    return { status: 200, view: () => catalog.serializePlan(plan) };
  });
  for (const [action, status] of [
    ['activate', 'ACTIVE'],
    ['deactivate', 'INACTIVE'],
  ] as const)
    api.addRoute('POST', `/v1/billing/plans/:id/${action}`, ({ id }) => {
      catalog.changePlanStatus(id, status);
      return { status: 204 };
    });
}

/** Adds the routes for Subscriptions v1. */
export function addSubscriptionRoutes(
  api: Api,
  { getBaseUrl }: PayPalContext,
  subscriptions: Subscriptions,
): void {
  const path = '/v1/billing/subscriptions';
  api.addRoute(
    'POST',
    path,
    ({ body, wantsRepresentation }) => {
      assertRequestShape(body, SUBSCRIPTION_SHAPE, BILLING_ISSUES);
      const subscription = subscriptions.createSubscription(body as unknown as SubscriptionRequest);
      return {
        status: 201,
        view: () => {
          const view = subscriptions.serializeSubscription(subscription) as JsonObject;
          const { id, status, create_time, links } = view;
          return wantsRepresentation ? view : { id, status, create_time, links };
        },
      };
    },
    { keyHours: KEY_HOURS },
  );
  api.addRoute('GET', `${path}/:id`, ({ id, query }) => {
    const subscription = subscriptions.getSubscription(id);
    const wantsPlan = query.get('fields')?.split(',').includes('plan');
    return {
      status: 200,
      view: () =>
        wantsPlan
          ? subscriptions.serializeSubscriptionWithPlan(subscription)
          : subscriptions.serializeSubscription(subscription),
    };
  });
  const actions = {
    activate: 'activateSubscription',
    suspend: 'suspendSubscription',
    cancel: 'cancelSubscription',
  } as const;
  for (const [action, method] of Object.entries(actions))
    api.addRoute('POST', `${path}/:id/${action}`, ({ id, body }) => {
      // Unlike the other actions, activation requires no reason.
      assertRequestShape(
        body,
        action === 'activate' ? { ...REASON_SHAPE, required: [] } : REASON_SHAPE,
        BILLING_ISSUES,
      );
      subscriptions[method](id, body.reason as string | undefined);
      return { status: 204 };
    });
  api.addRoute(
    'POST',
    `${path}/:id/capture`,
    ({ id, body }) => {
      assertRequestShape(body, CAPTURE_SHAPE, BILLING_ISSUES);
      const payment = subscriptions.chargeOutstandingBalance(id, body.amount as Money);
      return { status: 200, view: () => serializeTransaction(payment) };
    },
    { keyHours: KEY_HOURS },
  );
  api.addRoute('GET', `${path}/:id/transactions`, ({ id, query }) => {
    const from = parseTimeParameter(query, 'start_time');
    const to = parseTimeParameter(query, 'end_time');
    const payments = subscriptions.listPayments(id, from, to);
    return {
      status: 200,
      view: () => ({
        transactions: payments.map(serializeTransaction),
        links: [createLink(`${getBaseUrl()}${path}/${id}/transactions?${query}`, 'self')],
      }),
    };
  });
}

/** @throws InvalidRequestError if the parameter is missing or is not a valid time. */
function parseTimeParameter(query: URLSearchParams, name: string): string {
  const value = query.get(name);
  if (value !== null && TIME.test(value)) return value;
  throw new InvalidRequestError([
    createErrorDetail(value === null ? 'MISSING_REQUIRED_PARAMETER' : 'INVALID_PARAMETER_SYNTAX', {
      field: name,
      ...(value !== null && { value }),
      location: 'query',
      ...(value === null && { description: BILLING_ISSUES.missing }),
    }),
  ]);
}

function paginateItems<Item>(
  items: readonly Item[],
  query: URLSearchParams,
): { readonly page: Item[]; readonly count: object } {
  const size = Number(query.get('page_size') ?? 10);
  const start = (Number(query.get('page') ?? 1) - 1) * size;
  return {
    page: items.slice(start, start + size),
    count: { total_items: items.length, total_pages: Math.ceil(items.length / size) },
  };
}
