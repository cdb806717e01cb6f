import assert from 'node:assert/strict';
import type { GiftReport } from '../../src/server/admin/donation-detail.ts';
import { CARDS, type FakeStripe } from '../fake-stripe/index.ts';
import { openStripeDesk, type StripeDesk } from './payments-support.ts';
import { newKey, type Desk, type DeskOptions } from './support.ts';

export const OPERATOR_KEY = 'canary-operator-key';

/** What the operator's command asks. @param order what is to be done. */
export function askOperator(
  desk: Pick<Desk, 'operator'>,
  path: string,
  order?: object,
): Promise<Response> {
  return Promise.resolve(
    desk.operator(
      new Request(`http://127.0.0.1:4103${path}`, {
        headers: { Authorization: `Bearer ${OPERATOR_KEY}` },
        ...(order && { method: 'POST', body: JSON.stringify(order) }),
      }),
    ),
  );
}

export async function reportOf(
  desk: Pick<Desk, 'operator'>,
  reference: string,
): Promise<GiftReport> {
  return (await (await askOperator(desk, `/api/gifts/${reference}`)).json()) as GiftReport;
}

/** @returns the answer's status and message, or the gift's new report. */
export async function resolveGift(
  desk: Pick<Desk, 'operator'>,
  reference: string,
  order: object,
): Promise<{ status: number; message?: string; report?: GiftReport }> {
  const response = await askOperator(desk, `/api/gifts/${reference}/resolve`, {
    by: 'Ana',
    ...order,
  });
  return { status: response.status, ...((await response.json()) as object) };
}

export function openOperatorDesk(
  options: DeskOptions = {},
  running?: FakeStripe,
): Promise<StripeDesk> {
  return openStripeDesk({ key: OPERATOR_KEY, ...options }, running);
}

/**
 * A gift that the processor charged after the donor was told that nothing was.
 * @returns its reference and the key that its donor asks with.
 */
export async function heldGift(
  desk: StripeDesk,
  gift: object = {},
): Promise<{ reference: string; key: string }> {
  const key = newKey();
  const { reference } = await desk.give(CARDS.authenticated, gift, key);
  const row = await desk.repository.findByReference(reference);
  await desk.repository.markFailed(reference, 'not-confirmed');
  desk.fake.authenticate(
    row!.payment_id!.startsWith('pi_') ? row!.payment_id! : desk.fake.paymentIntents().at(-1)!.id,
    true,
  );
  await desk.tell();
  assert.equal((await desk.repository.findByReference(reference))?.state, 'held');
  return { reference, key };
}

/** A browser of somebody's own: it keeps the cookie, and sends forms as they stand on the page. */
export class Browser {
  readonly #desk: Pick<Desk, 'operator'>;
  readonly #address: string;
  readonly #headers: Readonly<Record<string, string>>;
  cookie = '';
  setCookie = '';

  constructor(
    desk: Pick<Desk, 'operator'>,
    {
      address = '127.0.0.1',
      headers = {},
    }: { readonly address?: string; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    this.#desk = desk;
    this.#address = address;
    this.#headers = headers;
  }

  async ask(
    path: string,
    fields?: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ status: number; html: string; to: string | null; headers: Headers }> {
    const response = await this.#desk.operator(
      new Request(`http://127.0.0.1:4103${path}`, {
        headers: { ...(this.cookie && { Cookie: this.cookie }), ...this.#headers, ...headers },
        ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
      }),
      { address: this.#address },
    );
    this.setCookie = response.headers.get('Set-Cookie') ?? '';
    if (this.setCookie !== '') this.cookie = this.setCookie.split(';')[0]!;
    return {
      status: response.status,
      html: await response.text(),
      to: response.headers.get('Location'),
      headers: response.headers,
    };
  }

  /** Sends what a script of the page sends. */
  send(
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    return Promise.resolve(
      this.#desk.operator(
        new Request(`http://127.0.0.1:4103${path}`, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: {
            'Content-Type': 'application/json',
            ...(this.cookie && { Cookie: this.cookie }),
            ...headers,
          },
        }),
      ),
    );
  }

  async csrf(path = '/'): Promise<string> {
    return /name="csrf" value="([^"]+)"/.exec((await this.ask(path)).html)![1]!;
  }

  async logIn(
    key = OPERATOR_KEY,
    name = 'Ana',
  ): Promise<{ status: number; html: string; to: string | null }> {
    return this.ask('/log-in', { csrf: await this.csrf('/log-in'), key, name, to: '/' });
  }
}
