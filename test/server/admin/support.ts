import assert from 'node:assert/strict';
import type { DonationDetail } from '../../../src/server/admin/donation-detail.ts';
import { CARDS, type FakeStripe } from '../../fake-stripe/index.ts';
import { openStripeDesk, type StripeDesk } from '../payments/support.ts';
import { newKey, type Desk, type DeskOptions } from '../support.ts';

export const ADMIN_KEY = 'canary-admin-key';

/** Calls the admin API with the admin key. @param body sent by POST, if given. */
export function callAdmin(
  desk: Pick<Desk, 'admin'>,
  path: string,
  body?: object,
): Promise<Response> {
  return Promise.resolve(
    desk.admin(
      new Request(`http://127.0.0.1:4103${path}`, {
        headers: { Authorization: `Bearer ${ADMIN_KEY}` },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      }),
    ),
  );
}

export async function fetchDonationDetail(
  desk: Pick<Desk, 'admin'>,
  reference: string,
): Promise<DonationDetail> {
  return (await (await callAdmin(desk, `/api/donations/${reference}`)).json()) as DonationDetail;
}

/** Returns the status, and the error message or the updated donation. */
export async function resolveDonation(
  desk: Pick<Desk, 'admin'>,
  reference: string,
  decision: object,
): Promise<{ status: number; message?: string; donation?: DonationDetail }> {
  const response = await callAdmin(desk, `/api/donations/${reference}/resolve`, {
    by: 'Ana',
    ...decision,
  });
  return { status: response.status, ...((await response.json()) as object) };
}

export function openAdminDesk(
  options: DeskOptions = {},
  running?: FakeStripe,
): Promise<StripeDesk> {
  return openStripeDesk({ key: ADMIN_KEY, ...options }, running);
}

/** Creates a donation that was charged after the donor was shown a failure, so it needs review. */
export async function createHeldDonation(
  desk: StripeDesk,
  gift: object = {},
): Promise<{ reference: string; key: string }> {
  const key = newKey();
  const { reference } = await desk.give(CARDS.authenticated, gift, key);
  const row = await desk.repository.findByReference(reference);
  await desk.repository.markFailed(reference, 'not-confirmed');
  desk.fake.completeAuthentication(
    row!.payment_id!.startsWith('pi_')
      ? row!.payment_id!
      : desk.fake.listPaymentIntents().at(-1)!.id,
    true,
  );
  await desk.tell();
  assert.equal((await desk.repository.findByReference(reference))?.status, 'needs_review');
  return { reference, key };
}

/** A minimal browser with a cookie jar of one cookie. */
export class Browser {
  readonly #desk: Pick<Desk, 'admin'>;
  readonly #address: string;
  readonly #headers: Readonly<Record<string, string>>;
  cookie = '';
  setCookie = '';

  constructor(
    desk: Pick<Desk, 'admin'>,
    {
      address = '127.0.0.1',
      headers = {},
    }: { readonly address?: string; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    this.#desk = desk;
    this.#address = address;
    this.#headers = headers;
  }

  async request(
    path: string,
    fields?: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ status: number; html: string; to: string | null; headers: Headers }> {
    const response = await this.#desk.admin(
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

  /** Sends a request as the page's script does. */
  postJson(
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    return Promise.resolve(
      this.#desk.admin(
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

  async fetchCsrfToken(path = '/'): Promise<string> {
    return /name="csrf" value="([^"]+)"/.exec((await this.request(path)).html)![1]!;
  }

  async signIn(
    key = ADMIN_KEY,
    name = 'Ana',
  ): Promise<{ status: number; html: string; to: string | null }> {
    return this.request('/sign-in', {
      csrf: await this.fetchCsrfToken('/sign-in'),
      key,
      name,
      to: '/',
    });
  }
}
