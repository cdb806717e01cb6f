import type { ApiBody, CallResult, Json, PayPalFixture } from './support.ts';

export interface CaptureView extends ApiBody {
  readonly status_details?: { readonly reason: string };
  readonly amount: Json;
  readonly custom_id: string;
  readonly seller_receivable_breakdown?: Json;
}

let keys = 0;

export const createKey = (): string => `key-${(keys += 1)}`;

/** Creates the body of an order in US dollars. */
export const createOrderBody = (value = '50.00', unit: Json = {}): Json => ({
  intent: 'CAPTURE',
  purchase_units: [{ amount: { currency_code: 'USD', value }, ...unit }],
});

/** Creates, approves, and captures an order of 50 US dollars. */
export async function createCapture({ paypal, call }: PayPalFixture): Promise<CaptureView> {
  const { body: order } = await call('POST', '/v2/checkout/orders', {
    requestId: createKey(),
    body: {
      ...createOrderBody('50.00', { custom_id: 'ABCDE-FGHJK' }),
      payment_source: { paypal: {} },
    },
  });
  paypal.approveOrder(order.id);
  const { body } = await call('POST', `/v2/checkout/orders/${order.id}/capture`, {
    requestId: createKey(),
    body: {},
  });
  const [unit] = body.purchase_units as [{ payments: { captures: [CaptureView] } }];
  return unit.payments.captures[0];
}

/** Creates a product and a monthly plan of 20 US dollars. */
export async function createPlan(
  { call }: PayPalFixture,
  plan: Json = {},
): Promise<{ readonly productId: string; readonly planId: string }> {
  const product = await call('POST', '/v1/catalogs/products', {
    requestId: createKey(),
    body: { name: 'Monthly donation', type: 'SERVICE', category: 'CHARITY' },
  });
  const { body } = await call('POST', '/v1/billing/plans', {
    requestId: createKey(),
    body: { ...PLAN, product_id: product.body.id, ...plan },
  });
  return { productId: product.body.id, planId: body.id };
}

export const PLAN = {
  name: 'Monthly donation',
  billing_cycles: [
    {
      frequency: { interval_unit: 'MONTH', interval_count: 1 },
      tenure_type: 'REGULAR',
      sequence: 1,
      total_cycles: 0,
      pricing_scheme: { fixed_price: { currency_code: 'USD', value: '20.00' } },
    },
  ],
  payment_preferences: { auto_bill_outstanding: false, payment_failure_threshold: 2 },
};

export const createSubscription = (
  { call }: PayPalFixture,
  planId: string,
  fields: Json = {},
): Promise<CallResult> =>
  call('POST', '/v1/billing/subscriptions', {
    requestId: createKey(),
    body: {
      plan_id: planId,
      custom_id: 'ABCDE-FGHJK',
      application_context: {
        brand_name: 'River Trust',
        user_action: 'SUBSCRIBE_NOW',
        return_url: 'https://example.org/give?step=done',
        cancel_url: 'https://example.org/give',
      },
      ...fields,
    },
  });

/** Creates and approves a subscription, which charges its first payment. */
export async function createActiveSubscription(
  fixture: PayPalFixture,
  plan: Json = {},
): Promise<string> {
  const { planId } = await createPlan(fixture, plan);
  const { body } = await createSubscription(fixture, planId);
  fixture.paypal.approveSubscription(body.id);
  return body.id;
}
