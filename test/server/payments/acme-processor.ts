import { createHmac, randomUUID } from 'node:crypto';

/** Cards that Acme declines or authenticates. */
export const ACME_CARDS = {
  good: '4242424242424242',
  declined: '4000000000000002',
  failsWhenRenewed: '4000000000000341',
} as const;

interface AcmePayment {
  readonly id: string;
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  readonly isRenewal: boolean;
  readonly createdAt: string;
  readonly refunds: { readonly id: string; readonly amount: number; readonly createdAt: string }[];
  readonly subscription?: { readonly id: string; state: 'active' | 'retrying' | 'canceled' };
  card?: string | undefined;
  state: 'open' | 'paid' | 'declined' | 'canceled';
}

/**
 * Test double of a fictional payment processor, Acme Pay, which docs/reference/payment-providers.md uses as its
 * example. Its payments are in memory.
 */
export class AcmeProcessor {
  /** Webhooks sent so far. */
  readonly webhooks: { readonly body: string; readonly headers: Headers }[] = [];
  /** Receiver of the webhooks. */
  webhookUrl: string | undefined;
  readonly #key: string;
  readonly #webhookSecret: string;
  readonly #payments = new Map<string, AcmePayment>();
  /** Card numbers by unused token. */
  readonly #cards = new Map<string, string>();

  constructor({ key, webhookSecret }: { readonly key: string; readonly webhookSecret: string }) {
    this.#key = key;
    this.#webhookSecret = webhookSecret;
  }

  /** Handles a request to `GET /field`, `POST /tokens`, or the API for servers. */
  readonly fetch = async (request: Request): Promise<Response> => {
    const [, resource, id = '', action] = new URL(request.url).pathname.split('/');
    if (resource === 'field')
      return new Response(FIELD_PAGE, { headers: { 'Content-Type': 'text/html' } });
    const body = request.method === 'POST' ? ((await request.json()) as never) : undefined;
    if (resource === 'tokens') return Response.json({ token: this.createToken(body!) });
    if (request.headers.get('Authorization') !== `Bearer ${this.#key}`)
      return Response.json({}, { status: 401 });
    if (resource === 'account') return Response.json({});
    const payment = id === '' ? this.#createPayment(body!) : this.#payments.get(id);
    if (!payment) return Response.json({}, { status: 404 });
    if (action === 'confirm' && !this.#confirmPayment(payment, body!))
      return Response.json({}, { status: 400 });
    if (action === 'cancel' && payment.state === 'open') payment.state = 'canceled';
    return Response.json(payment);
  };

  createToken({ card }: { readonly card: string }): string {
    const token = `tok_${randomUUID()}`;
    this.#cards.set(token, card);
    return token;
  }

  /** Lists the amounts that were charged for a reference, including renewals. */
  listCharges(reference: string): number[] {
    return [...this.#payments.values()]
      .filter((payment) => payment.reference === reference && payment.state === 'paid')
      .map(({ amount }) => amount);
  }

  /** Refunds the given amount, or the remaining amount. */
  refund(id: string, amount?: number): Promise<void> {
    const payment = this.#payments.get(id)!;
    const refunded = payment.refunds.reduce((sum, refund) => sum + refund.amount, 0);
    payment.refunds.push({
      id: `re_${randomUUID()}`,
      amount: amount ?? payment.amount - refunded,
      createdAt: new Date().toISOString(),
    });
    return this.#sendWebhook('payment', payment);
  }

  /** Charges the next payment of a subscription. */
  async renew(id: string): Promise<void> {
    const first = this.#payments.get(id)!;
    if (first.card === ACME_CARDS.failsWhenRenewed) {
      first.subscription!.state = 'retrying';
      return this.#sendWebhook('subscription', first);
    }
    const renewal = { ...first, id: `pay_${randomUUID()}`, isRenewal: true, refunds: [] };
    this.#payments.set(renewal.id, renewal);
    return this.#sendWebhook('payment', renewal);
  }

  cancelSubscription(id: string): Promise<void> {
    const first = this.#payments.get(id)!;
    first.subscription!.state = 'canceled';
    return this.#sendWebhook('subscription', first);
  }

  signWebhook(body: string, time: Date): Headers {
    const seconds = Math.floor(time.getTime() / 1_000);
    const signature = createHmac('sha256', this.#webhookSecret)
      .update(`${seconds}.${body}`)
      .digest('hex');
    return new Headers({ 'Acme-Signature': `t=${seconds},v1=${signature}` });
  }

  /** Returns the same payment for the same reference. */
  #createPayment({
    frequency,
    ...details
  }: Pick<AcmePayment, 'reference' | 'amount' | 'currency'> & {
    readonly frequency: string;
  }): AcmePayment {
    const existing = [...this.#payments.values()].find(
      ({ reference }) => reference === details.reference,
    );
    const payment: AcmePayment = existing ?? {
      ...details,
      id: `pay_${randomUUID()}`,
      isRenewal: false,
      state: 'open',
      refunds: [],
      createdAt: new Date().toISOString(),
      ...(frequency !== 'once' && {
        subscription: { id: `sub_${randomUUID()}`, state: 'active' },
      }),
    };
    this.#payments.set(payment.id, payment);
    return payment;
  }

  /** Charges an open payment. Returns false if the token is unknown. */
  #confirmPayment(payment: AcmePayment, { token }: { readonly token: string }): boolean {
    if (payment.state !== 'open') return true;
    payment.card = this.#cards.get(token);
    if (payment.card === undefined) return false;
    this.#cards.delete(token);
    payment.state = payment.card === ACME_CARDS.declined ? 'declined' : 'paid';
    void this.#sendWebhook('payment', payment);
    return true;
  }

  async #sendWebhook(
    type: 'payment' | 'subscription',
    { id: payment }: AcmePayment,
  ): Promise<void> {
    const createdAt = new Date().toISOString();
    const body = JSON.stringify({ id: `hook_${randomUUID()}`, type, payment, createdAt });
    const headers = this.signWebhook(body, new Date());
    this.webhooks.push({ body, headers });
    if (this.webhookUrl === undefined) return;
    // The receiver may have stopped. Acme sends each webhook once.
    await fetch(this.webhookUrl, { method: 'POST', headers, body }).catch(() => undefined);
  }
}

/** Acme's payment field, for a frame. It responds on the port sent with each message. */
const FIELD_PAGE = `<!doctype html>
<meta charset="utf-8">
<title>Card</title>
<form novalidate><label>Card number <input name="card" inputmode="numeric" autocomplete="cc-number"></label></form>
<script>
  const { card } = document.forms[0];
  document.forms[0].addEventListener('submit', (event) => {
    event.preventDefault();
    parent.postMessage('submit', '*');
  });
  addEventListener('message', async ({ data, ports: [port] }) => {
    if (data.type === 'open') {
      document.documentElement.lang = data.language;
      document.body.style.color = data.appearance.variables.text;
      port.postMessage({});
    }
    if (data.type === 'focus') card.focus();
    if (data.type === 'tokenize') {
      card.setCustomValidity(/^\\d{16}$/.test(card.value.replaceAll(' ', '')) ? '' : 'Incomplete');
      if (!card.reportValidity()) return port.postMessage({ problem: 'incomplete' });
      const body = JSON.stringify({ card: card.value.replaceAll(' ', '') });
      const response = await fetch('/tokens', { method: 'POST', body });
      port.postMessage(await response.json());
    }
  });
</script>
`;
