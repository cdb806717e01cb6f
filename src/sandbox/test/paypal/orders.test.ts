import assert from 'node:assert/strict';
import { type CaptureView, createKey, createOrderBody } from './payments-support.ts';
import {
  type ApiBody,
  type CallResult,
  getIssue,
  getLink,
  type Json,
  type PayPalFixture,
  startPayPal,
  test,
} from './support.ts';

interface OrderView extends ApiBody {
  readonly payment_source?: Json;
  readonly payer?: Json;
  readonly purchase_units: readonly [
    {
      readonly payments: {
        readonly captures: readonly [CaptureView];
        readonly refunds?: readonly Json[];
      };
    },
  ];
}

const RETURN_URL = 'https://example.org/give?step=done';
const CANCEL_URL = 'https://example.org/give';

/** Creates an order, by default of 50 US dollars. */
function createOrder(
  { call }: PayPalFixture,
  { amount = { currency_code: 'USD', value: '50.00' } as object, ...context }: Json = {},
): Promise<CallResult> {
  return call('POST', '/v2/checkout/orders', {
    requestId: createKey(),
    body: {
      intent: 'CAPTURE',
      purchase_units: [{ amount, custom_id: 'ABCDE-FGHJK', description: 'Donation' }],
      payment_source: {
        paypal: {
          experience_context: {
            return_url: RETURN_URL,
            cancel_url: CANCEL_URL,
            brand_name: 'River Trust',
            user_action: 'PAY_NOW',
            shipping_preference: 'NO_SHIPPING',
            ...context,
          },
        },
      },
    },
  });
}

async function createApprovedOrder(
  fixture: PayPalFixture,
  funding: 'balance' | 'echeck' | 'declined' | 'venmo' = 'balance',
): Promise<string> {
  const { body } = await createOrder(fixture);
  fixture.paypal.approveOrder(body.id, { funding });
  return body.id;
}

const captureOrder = (
  { call }: PayPalFixture,
  id: string,
  requestId = `capture-${id}`,
): Promise<CallResult<OrderView>> =>
  call('POST', `/v2/checkout/orders/${id}/capture`, { requestId, body: {} }) as Promise<
    CallResult<OrderView>
  >;

const getCapture = ({ body }: CallResult<OrderView>): CaptureView =>
  body.purchase_units[0].payments.captures[0];

test('creates an order that waits for the buyer', async (fixture) => {
  const { url, call } = fixture;
  const created = await createOrder(fixture);
  assert.equal(created.status, 200);
  assert.equal(created.body.status, 'PAYER_ACTION_REQUIRED');
  assert.equal(getLink(created, 'payer-action'), `${url}/checkoutnow?token=${created.body.id}`);
  const plain = await call('POST', '/v2/checkout/orders', {
    body: {
      intent: 'CAPTURE',
      purchase_units: [{ amount: { currency_code: 'EUR', value: '5.00' } }],
    },
    full: true,
  });
  assert.equal(plain.status, 201);
  assert.equal(plain.body.status, 'CREATED');
  assert.ok(getLink(plain, 'approve'));
});

test('captures an approved order once', async (fixture) => {
  const { paypal, call, getEventTypes } = fixture;
  const id = await createApprovedOrder(fixture);
  const captured = await captureOrder(fixture, id);
  assert.equal(captured.status, 201);
  assert.equal(captured.body.status, 'COMPLETED');
  const { status, amount, custom_id, seller_receivable_breakdown } = getCapture(captured);
  assert.deepEqual(
    { status, amount, custom_id, seller_receivable_breakdown },
    {
      status: 'COMPLETED',
      amount: { currency_code: 'USD', value: '50.00' },
      custom_id: 'ABCDE-FGHJK',
      seller_receivable_breakdown: {
        gross_amount: { currency_code: 'USD', value: '50.00' },
        paypal_fee: { currency_code: 'USD', value: '1.49' },
        net_amount: { currency_code: 'USD', value: '48.51' },
      },
    },
  );
  const again = await captureOrder(fixture, id, 'another-key');
  assert.equal(again.status, 422);
  assert.equal(getIssue(again), 'ORDER_ALREADY_CAPTURED');
  assert.equal(paypal.listCaptures('ABCDE-FGHJK').length, 1);
  const shown = await call('GET', `/v2/payments/captures/${getCapture(captured).id}`);
  assert.equal(shown.body.status, 'COMPLETED');
  assert.deepEqual(getEventTypes(), [
    'CHECKOUT.ORDER.APPROVED',
    'PAYMENT.CAPTURE.COMPLETED',
    'CHECKOUT.ORDER.COMPLETED',
  ]);
});

test('captures only after approval, and rejects unknown orders', async (fixture) => {
  const { call } = fixture;
  const { body } = await createOrder(fixture);
  const early = await captureOrder(fixture, body.id);
  assert.equal(early.status, 422);
  assert.equal(getIssue(early), 'ORDER_NOT_APPROVED');
  for (const missing of [
    await call('GET', '/v2/checkout/orders/5O190127TN364715T'),
    await captureOrder(fixture, '5O190127TN364715T'),
    await call('GET', '/v2/payments/captures/5O190127TN364715T'),
    await call('GET', '/v2/payments/refunds/5O190127TN364715T'),
  ]) {
    assert.equal(missing.status, 404);
    assert.equal(missing.body.name, 'RESOURCE_NOT_FOUND');
  }
});

test('repeats the first result of a request ID, in its latest state', async (fixture) => {
  const { paypal, call } = fixture;
  const request = {
    requestId: 'same',
    body: {
      ...createOrderBody('50.00', { custom_id: 'A' }),
      payment_source: { paypal: {} },
    },
  };
  const first = await call('POST', '/v2/checkout/orders', request);
  paypal.approveOrder(first.body.id);
  const second = await call('POST', '/v2/checkout/orders', request);
  assert.deepEqual(
    [second.status, second.body.id, second.body.status],
    [200, first.body.id, 'APPROVED'],
  );
  const { status } = await captureOrder(fixture, first.body.id);
  const repeated = await captureOrder(fixture, first.body.id);
  assert.deepEqual([status, repeated.status], [201, 200]);
  assert.equal(paypal.listCaptures('A').length, 1);
  paypal.clearIdempotencyKeys();
  assert.equal(getIssue(await captureOrder(fixture, first.body.id)), 'ORDER_ALREADY_CAPTURED');
});

test('rejects a second request while the first with the same ID is in progress', async (fixture) => {
  const { paypal } = fixture;
  const id = await createApprovedOrder(fixture);
  const { started, release } = paypal.holdNextCall();
  const first = captureOrder(fixture, id);
  await started;
  const second = await captureOrder(fixture, id);
  assert.equal(second.status, 409);
  release();
  assert.equal((await first).status, 201);
});

test('declines a payment, and lets the buyer choose another source of funds', async (fixture) => {
  const { paypal, url } = fixture;
  const id = await createApprovedOrder(fixture, 'declined');
  const declined = await captureOrder(fixture, id);
  assert.equal(declined.status, 422);
  assert.equal(getIssue(declined), 'INSTRUMENT_DECLINED');
  assert.equal(getLink(declined, 'redirect'), `${url}/checkoutnow?token=${id}`);
  assert.equal((await captureOrder(fixture, id)).status, 422, 'the decline is stored');
  paypal.approveOrder(id, { funding: 'balance' });
  assert.equal((await captureOrder(fixture, id, 'second-attempt')).status, 201);
  paypal.declineNext('PAYER_ACCOUNT_RESTRICTED');
  const other = await createApprovedOrder(fixture);
  assert.equal(getIssue(await captureOrder(fixture, other)), 'PAYER_ACCOUNT_RESTRICTED');
});

test('keeps an eCheck pending until it clears or is declined', async (fixture) => {
  const { paypal, call, getEventTypes } = fixture;
  const getState = async (id: string): Promise<unknown> =>
    (await call('GET', `/v2/payments/captures/${id}`)).body.status;
  const first = getCapture(
    await captureOrder(fixture, await createApprovedOrder(fixture, 'echeck')),
  );
  assert.equal(first.status, 'PENDING');
  assert.equal(first.status_details?.reason, 'ECHECK');
  assert.equal(first.seller_receivable_breakdown, undefined);
  const refund = await call('POST', `/v2/payments/captures/${first.id}/refund`, { body: {} });
  assert.equal(getIssue(refund), 'PENDING_CAPTURE');
  paypal.settlePending(first.id);
  assert.equal(await getState(first.id), 'COMPLETED');
  const second = getCapture(
    await captureOrder(fixture, await createApprovedOrder(fixture, 'echeck')),
  );
  paypal.declinePending(second.id);
  assert.equal(await getState(second.id), 'DECLINED');
  assert.deepEqual(
    getEventTypes().filter((type) => type.startsWith('PAYMENT')),
    [
      'PAYMENT.CAPTURE.PENDING',
      'PAYMENT.CAPTURE.COMPLETED',
      'PAYMENT.CAPTURE.PENDING',
      'PAYMENT.CAPTURE.DECLINED',
    ],
  );
});

test('offers Venmo in US dollars to US sellers only', async (us) => {
  const { call } = us;
  const id = await createApprovedOrder(us, 'venmo');
  const captured = await captureOrder(us, id);
  assert.deepEqual(Object.keys(captured.body.payment_source ?? {}), ['venmo']);
  const request = {
    requestId: 'venmo',
    body: {
      ...createOrderBody(),
      payment_source: { venmo: { experience_context: { brand_name: 'River Trust' } } },
    },
  };
  assert.equal((await call('POST', '/v2/checkout/orders', request)).status, 200);
  await using british = await startPayPal({ country: 'GB' });
  const rejected = await british.call('POST', '/v2/checkout/orders', request);
  assert.equal(getIssue(rejected), 'PAYMENT_SOURCE_CANNOT_BE_USED');
});

test('accepts only PayPal’s currencies, with their decimals', async (fixture) => {
  const checkAmount = async (currency_code: string, value: string): Promise<unknown> => {
    const result = await createOrder(fixture, { amount: { currency_code, value } });
    return result.status === 200 ? 'ok' : getIssue(result);
  };
  assert.equal(await checkAmount('JPY', '5000'), 'ok');
  assert.equal(await checkAmount('HUF', '5000'), 'ok');
  assert.equal(await checkAmount('GBP', '5.5'), 'ok');
  assert.equal(await checkAmount('JPY', '5000.00'), 'DECIMAL_PRECISION');
  assert.equal(await checkAmount('HUF', '5000.5'), 'DECIMAL_PRECISION');
  assert.equal(await checkAmount('TWD', '100.00'), 'DECIMAL_PRECISION');
  assert.equal(await checkAmount('USD', '1.005'), 'DECIMAL_PRECISION');
  assert.equal(await checkAmount('USD', '0.00'), 'CANNOT_BE_ZERO_OR_NEGATIVE');
  assert.equal(await checkAmount('USD', '9999999999999999'), 'MAX_VALUE_EXCEEDED');
  assert.equal(await checkAmount('ISK', '500'), 'INVALID_CURRENCY_CODE');
});

test('names the wrong field of a request', async ({ call }) => {
  const cases: readonly (readonly [body: Json, issue: string, field: string])[] = [
    [{ intent: 'CAPTURE' }, 'MISSING_REQUIRED_PARAMETER', '/purchase_units'],
    [{ intent: 'CAPTURE', purchase_units: [] }, 'INVALID_ARRAY_MIN_ITEMS', '/purchase_units'],
    [
      { intent: 'PAY', purchase_units: [{ amount: { currency_code: 'USD', value: '1.00' } }] },
      'INVALID_PARAMETER_VALUE',
      '/intent',
    ],
    [
      { intent: 'CAPTURE', purchase_units: [{ amount: { currency_code: 'USD', value: 5 } }] },
      'INVALID_PARAMETER_SYNTAX',
      '/purchase_units/0/amount/value',
    ],
    [
      createOrderBody('5.00', { custom_id: 'x'.repeat(128) }),
      'INVALID_STRING_LENGTH',
      '/purchase_units/0/custom_id',
    ],
  ];
  for (const [body, issue, field] of cases) {
    const result = await call('POST', '/v2/checkout/orders', { body, isWrong: true });
    assert.equal(result.status, 400);
    const [detail] = result.body.details as [{ issue: string; field: string }];
    assert.deepEqual([detail.issue, detail.field], [issue, field]);
  }
  const withoutKey = await call('POST', '/v2/checkout/orders', {
    body: {
      ...createOrderBody('1.00'),
      payment_source: { paypal: {} },
    },
  });
  assert.equal(getIssue(withoutKey), 'PAYPAL_REQUEST_ID_REQUIRED');
});

test('rejects an amount whose parts do not add up', async (fixture) => {
  const toUsd = (value: string): Json => ({ currency_code: 'USD', value });
  const createOrderWithTotal = (total: string): Promise<CallResult> =>
    createOrder(fixture, {
      amount: {
        ...toUsd(total),
        breakdown: { item_total: toUsd('50.00'), tax_total: toUsd('0.00') },
      },
    });
  assert.equal((await createOrderWithTotal('50.00')).status, 200);
  assert.equal(getIssue(await createOrderWithTotal('51.00')), 'AMOUNT_MISMATCH');
});

test('rejects an invoice ID that has already been paid', async (fixture) => {
  const { paypal, call } = fixture;
  const body = createOrderBody('1.00', { invoice_id: 'INV-1' });
  const first = await call('POST', '/v2/checkout/orders', { body });
  const second = await call('POST', '/v2/checkout/orders', { body });
  for (const { id } of [first.body, second.body]) paypal.approveOrder(id);
  assert.equal((await captureOrder(fixture, first.body.id)).status, 201);
  assert.equal(getIssue(await captureOrder(fixture, second.body.id)), 'DUPLICATE_INVOICE_ID');
  assert.equal(
    getIssue(await call('POST', '/v2/checkout/orders', { body })),
    'DUPLICATE_INVOICE_ID',
  );
});

test('deletes an order that is not approved within three hours', async () => {
  let time = Date.now();
  await using fixture = await startPayPal({ now: () => new Date(time) });
  const { body } = await createOrder(fixture);
  time += 3 * 3_600_000 - 1_000;
  assert.equal((await fixture.call('GET', `/v2/checkout/orders/${body.id}`)).status, 200);
  time += 2_000;
  assert.equal((await fixture.call('GET', `/v2/checkout/orders/${body.id}`)).status, 404);
});

test('refunds a capture in parts, and reports each refund', async (fixture) => {
  const { paypal, call, getEventTypes } = fixture;
  const { id } = getCapture(await captureOrder(fixture, await createApprovedOrder(fixture)));
  const refundCapture = (value?: string, requestId?: string, currency_code = 'USD') =>
    call('POST', `/v2/payments/captures/${id}/refund`, {
      body: value === undefined ? {} : { amount: { currency_code, value }, note_to_payer: 'Sorry' },
      full: true,
      ...(requestId !== undefined && { requestId }),
    });
  const first = await refundCapture('20.00', 'refund-1');
  assert.equal(first.status, 201);
  assert.deepEqual((first.body.seller_payable_breakdown as Json).total_refunded_amount, {
    currency_code: 'USD',
    value: '20.00',
  });
  assert.equal((await refundCapture('20.00', 'refund-1')).body.id, first.body.id);
  const shown = await call('GET', `/v2/payments/captures/${id}`);
  assert.equal(shown.body.status, 'PARTIALLY_REFUNDED');
  assert.equal(getIssue(await refundCapture('31.00')), 'REFUND_AMOUNT_EXCEEDED');
  assert.equal(
    getIssue(await refundCapture('1.00', undefined, 'EUR')),
    'REFUND_CAPTURE_CURRENCY_MISMATCH',
  );
  const rest = await refundCapture();
  assert.deepEqual(rest.body.amount, { currency_code: 'USD', value: '30.00' });
  assert.equal(getIssue(await refundCapture()), 'CAPTURE_FULLY_REFUNDED');
  assert.equal((await call('GET', `/v2/payments/refunds/${rest.body.id}`)).status, 200);
  paypal.failRefund(rest.body.id);
  assert.deepEqual(getEventTypes().slice(-3), [
    'PAYMENT.CAPTURE.REFUNDED',
    'PAYMENT.CAPTURE.REFUNDED',
    'PAYMENT.REFUND.FAILED',
  ]);
});

test('reverses a payment, as after a chargeback', async () => {
  for (const listsReversals of [false, true]) {
    await using fixture = await startPayPal({ listsReversals });
    const { paypal, call } = fixture;
    const orderId = await createApprovedOrder(fixture);
    const { id } = getCapture(await captureOrder(fixture, orderId));
    paypal.reversePayment(id);
    const shown = await call('GET', `/v2/payments/captures/${id}`);
    assert.deepEqual(
      [shown.body.status, shown.body.status_details],
      ['REFUNDED', { reason: 'CHARGEBACK' }],
    );
    const { body } = await call('GET', `/v2/checkout/orders/${orderId}`);
    const { refunds = [] } = (body as OrderView).purchase_units[0].payments;
    assert.equal(refunds.length, listsReversals ? 1 : 0);
    assert.equal(fixture.getEventTypes().at(-1), 'PAYMENT.CAPTURE.REVERSED');
  }
});
