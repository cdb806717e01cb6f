import type { Api } from './api.ts';
import { createErrorDetail, InvalidRequestError } from './api-error.ts';
import { createLink, type PayPalContext } from './context.ts';
import { type Amount, calculateFee, formatMoney } from './money.ts';
import type { Payment, Refund } from './records.ts';

interface Transaction {
  readonly time: string;
  readonly affectsBalance: boolean;
  readonly view: Readonly<Record<string, unknown>>;
}

/** Event codes (developer.paypal.com/docs/transaction-search/transaction-event-codes). */
const CODES = {
  subscription: 'T0002',
  checkout: 'T0006',
  refund: 'T1107',
  reversal: 'T1106',
} as const;

/** `D`: denied, `P`: pending, `S`: succeeded, `V`: reversed. */
const STATUSES: Readonly<Record<Payment['status'] | Refund['status'], string>> = {
  COMPLETED: 'S',
  PARTIALLY_REFUNDED: 'S',
  REFUNDED: 'V',
  PENDING: 'P',
  DECLINED: 'D',
  FAILED: 'D',
};

/** 31 days. */
const MAX_PERIOD = 31 * 86_400_000;
const MAX_PAGE_SIZE = 500;

/**
 * Adds the route for Transaction Search v1 (developer.paypal.com/docs/api/transaction-search/v1).
 * @param options.delay delay before a payment appears, in milliseconds.
 */
export function addReportingRoutes(
  api: Api,
  { store, getBaseUrl, getTime }: PayPalContext,
  { delay }: { readonly delay: number },
): void {
  api.addRoute('GET', '/v1/reporting/transactions', ({ query }) => {
    const from = parseTimeParameter(query, 'start_date');
    const to = parseTimeParameter(query, 'end_date');
    if (to < from || to - from > MAX_PERIOD)
      throw createParameterError('end_date', query, 'Date range is greater than 31 days');
    const latest = Date.parse(getTime()) - delay;
    const id = query.get('transaction_id');
    const includesAll = query.get('balance_affecting_records_only') === 'N';
    const found = [
      ...store.listRecords('payment').map((payment) => toTransaction(payment)),
      ...store.listRecords('refund').map((refund) => toRefundTransaction(refund)),
    ]
      .filter(({ time, affectsBalance, view }) => {
        const at = Date.parse(time);
        return (
          at >= from &&
          at <= Math.min(to, latest) &&
          (includesAll || affectsBalance) &&
          (id === null || view.transaction_id === id)
        );
      })
      .sort((a, b) => Date.parse(a.time) - Date.parse(b.time));
    const size = Math.min(Number(query.get('page_size') ?? 100), MAX_PAGE_SIZE);
    const page = Number(query.get('page') ?? 1);
    const details = found
      .slice((page - 1) * size, page * size)
      .map(({ view }) => ({ transaction_info: view }));
    return {
      status: 200,
      view: () => ({
        // PayPal's OpenAPI files require at least one transaction.
        ...(details.length > 0 && { transaction_details: details }),
        account_number: '8LTDXJFC8MCGA',
        start_date: query.get('start_date'),
        end_date: query.get('end_date'),
        last_refreshed_datetime: new Date(latest).toISOString(),
        page,
        total_items: found.length,
        total_pages: Math.ceil(found.length / size),
        links: [createLink(`${getBaseUrl()}/v1/reporting/transactions?${query}`, 'self')],
      }),
    };
  });
}

function toTransaction(payment: Payment): Transaction {
  const { id, amount, status, customId, invoiceId, subscriptionId, createTime } = payment;
  const affectsBalance = status !== 'PENDING' && status !== 'DECLINED';
  return {
    time: createTime,
    affectsBalance,
    view: {
      paypal_account_id: payment.buyer.payerId,
      transaction_id: id,
      transaction_event_code: subscriptionId === undefined ? CODES.checkout : CODES.subscription,
      transaction_initiation_date: createTime,
      transaction_updated_date: payment.updateTime,
      transaction_amount: formatMoney(amount),
      ...(affectsBalance && { fee_amount: formatMoney(negate(calculateFee(amount))) }),
      transaction_status: STATUSES[status],
      ...(invoiceId !== undefined && { invoice_id: invoiceId }),
      ...(customId !== undefined && { custom_field: customId }),
      protection_eligibility: '01',
    },
  };
}

function toRefundTransaction(refund: Refund): Transaction {
  const { id, amount, status, paymentId, isReversal, customId, createTime } = refund;
  return {
    time: createTime,
    affectsBalance: status === 'COMPLETED',
    view: {
      transaction_id: id,
      paypal_reference_id: paymentId,
      paypal_reference_id_type: 'TXN',
      transaction_event_code: isReversal ? CODES.reversal : CODES.refund,
      transaction_initiation_date: createTime,
      transaction_updated_date: refund.updateTime,
      transaction_amount: formatMoney(negate(amount)),
      transaction_status: STATUSES[status],
      ...(customId !== undefined && { custom_field: customId }),
      protection_eligibility: '02',
    },
  };
}

const negate = ({ currency, units }: Amount): Amount => ({ currency, units: -units });

/** @throws InvalidRequestError if the parameter is missing or is not a valid time. */
function parseTimeParameter(query: URLSearchParams, name: string): number {
  const time = Date.parse(query.get(name) ?? '');
  if (Number.isNaN(time)) throw createParameterError(name, query, 'Invalid date');
  return time;
}

function createParameterError(
  name: string,
  query: URLSearchParams,
  description: string,
): InvalidRequestError {
  const value = query.get(name);
  return new InvalidRequestError([
    createErrorDetail('INVALID_PARAMETER_VALUE', {
      field: name,
      ...(value !== null && { value }),
      location: 'query',
      description,
    }),
  ]);
}
