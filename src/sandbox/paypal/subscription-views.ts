import { createLink, type Link } from './context.ts';
import { calculateFee, formatMoney, subtractAmount } from './money.ts';
import type { Payment, Subscription } from './records.ts';

export function serializeSubscription(subscription: Subscription, baseUrl: string): object {
  const { id, status, statusNote, planId, customId, buyer, quantity = '1' } = subscription;
  return {
    status,
    ...(statusNote !== undefined && { status_change_note: statusNote }),
    status_update_time: subscription.statusTime,
    id,
    plan_id: planId,
    plan_overridden: subscription.overridesPlan,
    start_time: subscription.startTime,
    quantity,
    ...(customId !== undefined && { custom_id: customId }),
    ...(buyer && {
      subscriber: {
        name: { given_name: buyer.givenName, surname: buyer.surname },
        email_address: buyer.email,
        payer_id: buyer.payerId,
      },
      billing_info: serializeBillingInfo(subscription),
    }),
    create_time: subscription.createTime,
    update_time: subscription.updateTime,
    links: listLinks(subscription, baseUrl),
  };
}

/** Returns a payment in the format of a subscription transaction. */
export function serializeTransaction(payment: Payment): object {
  const { id, status, amount, buyer, createTime } = payment;
  const fee = calculateFee(amount);
  return {
    id,
    status,
    amount_with_breakdown: {
      gross_amount: formatMoney(amount),
      fee_amount: formatMoney(fee),
      net_amount: formatMoney(subtractAmount(amount, fee)),
    },
    payer_name: { given_name: buyer.givenName, surname: buyer.surname },
    payer_email: buyer.email,
    time: createTime,
  };
}

function serializeBillingInfo(subscription: Subscription): object {
  const { totalCycles, cyclesCompleted, nextBillingTime, lastPayment, lastFailedPayment } =
    subscription;
  return {
    outstanding_balance: formatMoney(subscription.outstanding),
    cycle_executions: [
      {
        tenure_type: 'REGULAR',
        sequence: 1,
        cycles_completed: cyclesCompleted,
        cycles_remaining: Math.max(0, totalCycles - cyclesCompleted),
        current_pricing_scheme_version: 1,
        total_cycles: totalCycles,
      },
    ],
    ...(lastPayment && {
      last_payment: { amount: formatMoney(lastPayment.amount), time: lastPayment.time },
    }),
    ...(nextBillingTime !== undefined && { next_billing_time: nextBillingTime }),
    failed_payments_count: subscription.failedPayments,
    ...(lastFailedPayment && {
      last_failed_payment: {
        amount: formatMoney(lastFailedPayment.amount),
        time: lastFailedPayment.time,
        reason_code: 'PAYMENT_DENIED',
        ...(nextBillingTime !== undefined && { next_payment_retry_time: nextBillingTime }),
      },
    }),
  };
}

function listLinks({ id, status, token }: Subscription, baseUrl: string): Link[] {
  const url = `${baseUrl}/v1/billing/subscriptions/${id}`;
  const action = (name: string): Link => createLink(`${url}/${name}`, name, 'POST');
  const actions: Readonly<Partial<Record<Subscription['status'], readonly Link[]>>> = {
    APPROVAL_PENDING: [
      createLink(`${baseUrl}/webapps/billing/subscriptions?ba_token=${token}`, 'approve'),
    ],
    APPROVED: [action('activate'), action('cancel')],
    ACTIVE: [action('cancel'), action('suspend'), action('capture')],
    SUSPENDED: [action('activate'), action('cancel'), action('capture')],
  };
  return [...(actions[status] ?? []), createLink(url, 'self')];
}
