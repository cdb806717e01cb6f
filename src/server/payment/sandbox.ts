import { z } from 'zod';
import { wasNotSent } from '../remote-error.ts';
import { NotChargedError, type Charge, type ChargeResult, type PaymentGateway } from './gateway.ts';

export interface SandboxGatewayOptions {
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds to wait for one answer. */
  readonly timeout?: number;
}

const chargeAnswer = z.object({ id: z.string(), state: z.enum(['succeeded', 'declined']), amount: z.int(), currency: z.string() });
const searchAnswer = z.object({ charges: z.array(chargeAnswer) });

/** The sandbox's card processor. */
export function sandboxGateway({ baseUrl, secretKey, fetch = globalThis.fetch, timeout = 15_000 }: SandboxGatewayOptions): PaymentGateway {
  const url = `${baseUrl.replace(/\/$/, '')}/charges`;

  async function call(address: string, init: { readonly method: string; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }): Promise<unknown> {
    const headers = { Authorization: `Bearer ${secretKey}`, 'Content-Type': 'application/json', ...init.headers };
    const response = await fetch(address, { ...init, headers, redirect: 'manual', signal: AbortSignal.timeout(timeout) }).catch((cause: unknown) => {
      throw wasNotSent(cause) ? new NotChargedError('the card processor cannot be reached', { cause }) : cause;
    });
    if (response.status === 400 || response.status === 401) throw new NotChargedError(`the card processor refused with ${response.status}`);
    if (response.status !== 200) throw new Error(`the card processor answered ${response.status}`);
    return response.json();
  }

  return {
    async charge({ reference, total, currency, frequency, token }: Charge): Promise<ChargeResult> {
      const body = JSON.stringify({ reference, amount: total, currency, frequency, token });
      return resultOf(chargeAnswer.parse(await call(url, { method: 'POST', headers: { 'Idempotency-Key': reference }, body })));
    },
    async find(reference: string): Promise<ChargeResult | undefined> {
      const { charges: [charge] } = searchAnswer.parse(await call(`${url}?${new URLSearchParams({ reference })}`, { method: 'GET' }));
      return charge && resultOf(charge);
    },
  };
}

function resultOf({ id, state, amount, currency }: z.infer<typeof chargeAnswer>): ChargeResult {
  return { state, paymentId: id, total: amount, currency };
}
