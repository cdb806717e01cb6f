import type { JsonObject } from '../lib/request-parsing.ts';
import type { Api } from './api.ts';
import type { PayPalContext } from './context.ts';
import { type Money, parseAmount } from './money.ts';
import type { Payments } from './payments.ts';
import { assertRequestShape, MONEY_SHAPE, ORDER_ISSUES, type Shape } from './request-shape.ts';

/** 45 days. */
const KEY_HOURS = 45 * 24;
/** 30 days. */
const SALE_KEY_HOURS = 30 * 24;

const REFUND_SHAPE: Shape = {
  type: 'object',
  fields: {
    amount: MONEY_SHAPE,
    custom_id: { type: 'string', max: 127 },
    invoice_id: { type: 'string', max: 127 },
    note_to_payer: { type: 'string', max: 255 },
  },
};

const SALE_REFUND_SHAPE: Shape = {
  type: 'object',
  fields: {
    amount: {
      type: 'object',
      fields: {
        currency: { type: 'string', min: 3, max: 3 },
        total: { type: 'string', max: 10, pattern: /^\d+(\.\d+)?$/ },
      },
      required: ['currency', 'total'],
    },
    description: { type: 'string', max: 255 },
    invoice_number: { type: 'string', max: 127 },
  },
};

/**
 * Adds the Payments v2 routes that show and refund captures, and the Payments v1 routes that show
 * and refund subscription payments.
 */
export function addPaymentRoutes(api: Api, { store }: PayPalContext, payments: Payments): void {
  api.addRoute('GET', '/v2/payments/captures/:id', ({ id }) => {
    const payment = store.getRecord('payment', id);
    return { status: 200, view: () => payments.serializeCaptureDetails(payment) };
  });

  api.addRoute(
    'POST',
    '/v2/payments/captures/:id/refund',
    ({ id, body, wantsRepresentation }) => {
      assertRequestShape(body, REFUND_SHAPE, ORDER_ISSUES);
      const refund = payments.refundPayment(store.getRecord('payment', id), {
        amount: body.amount
          ? parseAmount(body.amount as Money, '/amount', 'DECIMALS_NOT_SUPPORTED')
          : undefined,
        customId: body.custom_id as string | undefined,
        invoiceId: body.invoice_id as string | undefined,
        note: body.note_to_payer as string | undefined,
      });
      return {
        status: 201,
        view: () => {
          if (wantsRepresentation) return payments.serializeRefund(refund);
          const { id: refundId, status, links } = payments.serializeRefund(refund) as JsonObject;
          return { id: refundId, status, links };
        },
      };
    },
    { keyHours: KEY_HOURS, repeatedStatus: 201 },
  );

  api.addRoute('GET', '/v2/payments/refunds/:id', ({ id }) => {
    const refund = store.getRecord('refund', id);
    return { status: 200, view: () => payments.serializeRefund(refund) };
  });

  api.addRoute('GET', '/v1/payments/sale/:id', ({ id }) => {
    const payment = payments.getSale(id);
    return { status: 200, view: () => payments.serializeSale(payment) };
  });

  api.addRoute(
    'POST',
    '/v1/payments/sale/:id/refund',
    ({ id, body }) => {
      assertRequestShape(body, SALE_REFUND_SHAPE, ORDER_ISSUES);
      const amount = body.amount as
        { readonly currency: string; readonly total: string } | undefined;
      const refund = payments.refundPayment(payments.getSale(id), {
        amount:
          amount &&
          parseAmount(
            { currency_code: amount.currency, value: amount.total },
            '/amount',
            'DECIMALS_NOT_SUPPORTED',
          ),
        invoiceId: body.invoice_number as string | undefined,
        note: body.description as string | undefined,
      });
      return { status: 201, view: () => payments.serializeSaleRefund(refund) };
    },
    { keyHours: SALE_KEY_HOURS },
  );
}
