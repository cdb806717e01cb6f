import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  InvalidPayloadError,
  InvalidSignatureError,
  NotChargedError,
  PaymentNotFoundError,
} from 'donation-form-server';

const CARD = 0;
const CALL_TIMEOUT = 15_000;
/** In seconds. */
const MAX_WEBHOOK_AGE = 300;

/** Statuses by Acme's states. */
const STATUSES = {
  open: { status: 'unconfirmed' },
  paid: { status: 'succeeded', method: CARD },
  declined: { status: 'failed', reason: 'card-declined' },
  canceled: { status: 'failed', reason: 'not-confirmed' },
};

export function createGateway({ options, secrets }) {
  async function call(method, path, body) {
    const response = await fetch(new URL(path, options.url), {
      method,
      headers: { Authorization: `Bearer ${secrets.key}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(CALL_TIMEOUT),
    });
    if (response.ok) return response.json();
    const message = `Acme responded to ${method} ${path} with status ${response.status}.`;
    if (response.status === 404) throw new PaymentNotFoundError(message);
    // Acme rejects a call before it charges. After any other error, it may have charged.
    if (response.status < 500) throw new NotChargedError(message);
    throw new Error(message);
  }

  return {
    async createPayment({ reference, total, currency, frequency, description }) {
      // Acme returns the same payment for the same reference.
      const payment = { reference, amount: total, currency, frequency, description };
      return toPayment(await call('POST', '/payments', payment));
    },
    async chargePayment({ paymentId }, { token }) {
      return toPayment(await call('POST', `/payments/${paymentId}/confirm`, { token }));
    },
    async retrievePayment({ paymentId }) {
      return toPayment(await call('GET', `/payments/${paymentId}`));
    },
    async cancelPayment({ paymentId }) {
      return toPayment(await call('POST', `/payments/${paymentId}/cancel`, {}));
    },
    async verifyAndFetchEvents(body, headers) {
      verifySignature(body, headers.get('Acme-Signature'), secrets.webhook);
      const webhook = parseWebhook(body);
      // The payment may have changed since Acme sent the webhook.
      const payment = await call('GET', `/payments/${webhook.payment}`);
      return toEvents(webhook, payment);
    },
    async runChecks() {
      await call('GET', '/account');
      return [{ name: 'acme', status: 'pass', message: 'Acme accepts the key.' }];
    },
  };
}

function toPayment({ id, state, amount, currency, subscription }) {
  return {
    paymentId: id,
    subscriptionId: subscription?.id,
    total: amount,
    currency,
    ...STATUSES[state],
  };
}

function verifySignature(body, header, secret) {
  const match = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header ?? '');
  if (!match) throw new InvalidSignatureError('The webhook has no signature.');
  const [, seconds, signature] = match;
  const expected = createHmac('sha256', secret).update(`${seconds}.${body}`).digest();
  if (!timingSafeEqual(Buffer.from(signature, 'hex'), expected))
    throw new InvalidSignatureError('The signature is invalid.');
  if (Math.abs(Date.now() / 1000 - Number(seconds)) > MAX_WEBHOOK_AGE)
    throw new InvalidSignatureError('The signature is too old.');
}

function parseWebhook(body) {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new InvalidPayloadError('The webhook is not JSON.', { cause });
  }
}

function toEvents(webhook, payment) {
  const { id: paymentId, subscription, isRenewal, refunds } = payment;
  const at = new Date(webhook.createdAt);
  const events = [];
  if (isRenewal)
    events.push({
      kind: 'renewal',
      id: `renewal ${paymentId}`,
      subscriptionId: subscription.id,
      payment: toPayment(payment),
      at: new Date(payment.createdAt),
    });
  events.push({ kind: 'payment', paymentId });
  const refunded = refunds.reduce((sum, { amount }) => sum + amount, 0);
  for (const { id, amount, createdAt } of refunds)
    events.push({
      kind: 'refund',
      id: `refund ${id}`,
      paymentId,
      amount,
      refunded,
      at: new Date(createdAt),
    });
  if (webhook.type === 'subscription')
    events.push({
      kind: 'subscription',
      id: `subscription ${webhook.id}`,
      subscriptionId: subscription.id,
      status: subscription.state,
      at,
    });
  return events;
}
