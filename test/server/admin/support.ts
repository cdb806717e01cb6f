import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { OutboundWebhookEvent } from '../../../src/core/schemas/webhook-event.ts';
import { deriveCsrfToken, generateToken } from '../../../src/server/admin/access/sessions.ts';
import { ActionError } from '../../../src/server/admin/actions/action-error.ts';
import type { ActionName } from '../../../src/server/admin/actions/action-routes.ts';
import { performAction } from '../../../src/server/admin/actions/staff-actions.ts';
import type { AdminContext } from '../../../src/server/admin/admin-context.ts';
import type { DonationDetail } from '../../../src/server/admin/read-models/donation-detail.ts';
import type { Actor } from '../../../src/server/staff/actor.ts';
import type { Membership } from '../../../src/server/staff/staff-repository.ts';
import { CARDS, type FakeStripe } from '../../fake-stripe.ts';
import { startServerWithStripe, type StripeTestServer } from '../payments/support.ts';
import {
  createIdempotencyKey,
  startServer,
  type TestServer,
  type TestServerOptions,
} from '../support.ts';

export const ADMIN_KEY = 'canary-admin-key';
/** Initial time of the server that {@link openAdmin} starts. */
export const NOW = Date.UTC(2026, 10, 24, 12);

/** An endpoint of outbound webhooks that receives no events. */
export const WEBHOOK_ENDPOINT = {
  url: 'https://site.example/hook',
  settingPath: 'webhooks.0',
  events: new Set<OutboundWebhookEvent>(),
  signers: [],
};

/** Calls the admin API with the admin key. @param body sent by POST, if given. */
export function callAdmin(
  server: Pick<TestServer, 'fetchAdmin'>,
  path: string,
  body?: object,
): Promise<Response> {
  return server.fetchAdmin(path, {
    headers: { Authorization: `Bearer ${ADMIN_KEY}` },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
}

export async function fetchDonationDetail(
  server: Pick<TestServer, 'fetchAdmin'>,
  reference: string,
): Promise<DonationDetail> {
  return (await (await callAdmin(server, `/api/donations/${reference}`)).json()) as DonationDetail;
}

/** Returns the status, and the error message or the updated donation. */
export async function resolveDonation(
  server: Pick<TestServer, 'fetchAdmin'>,
  reference: string,
  decision: object,
): Promise<{ status: number; message?: string; donation?: DonationDetail }> {
  const response = await callAdmin(server, `/api/donations/${reference}/resolve`, {
    by: 'Ana',
    ...decision,
  });
  return { status: response.status, ...((await response.json()) as object) };
}

export function createAdminContext(server: TestServer): AdminContext {
  const { settings, handler } = server;
  const { runJobs } = handler;
  return { ...server, key: ADMIN_KEY, runJobs, configuration: () => settings.configuration };
}

/** Performs an action as the admin API does, and returns the status and the output. */
export async function performActionAs(
  server: TestServer,
  actor: Actor,
  name: ActionName,
  input: object,
): Promise<{ readonly status: number; readonly output: unknown }> {
  try {
    const output: unknown = await performAction(name, input, actor, createAdminContext(server));
    const isStream = typeof output === 'object' && Symbol.asyncIterator in output!;
    return {
      status: 200,
      output: isStream ? await Array.fromAsync(output as AsyncIterable<unknown>) : output,
    };
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    return { status: error.status, output: { message: error.message } };
  }
}

/** Adds a person and a session, and returns the session's browser and CSRF token. */
export async function signInAs(
  server: TestServer,
  memberships: readonly Membership[],
): Promise<{ readonly browser: Browser; readonly csrf: string }> {
  const { staff, database, now } = server;
  const token = generateToken();
  const email = `${token}@example.org`;
  const [first = { organization: '*', roles: [] }] = memberships;
  const person = (await staff.addPerson({ email, name: 'Ana' }, first))!;
  for (const { organization, roles } of memberships.slice(1))
    await database.db
      .insertInto('staffRoles')
      .values(roles.map((role) => ({ person, organization, role })))
      .execute();
  await database.db
    .insertInto('adminSessions')
    .values({
      id: createHmac('sha256', ADMIN_KEY).update(token).digest('base64url'),
      person,
      name: 'Ana',
      authenticatedAt: now(),
      device: '',
      notice: null,
      createdAt: now(),
      lastUsedAt: now(),
    })
    .execute();
  const browser = new Browser(server);
  browser.cookie = `admin=${token}`;
  return { browser, csrf: deriveCsrfToken(token) };
}

export function startAdminServer(
  options: TestServerOptions = {},
  running?: FakeStripe,
): Promise<StripeTestServer> {
  return startServerWithStripe({ adminKey: ADMIN_KEY, ...options }, running);
}

/** Creates a donation that was charged after the donor was shown a failure, so it needs review. */
export async function createDonationInReview(
  server: StripeTestServer,
  gift: object = {},
): Promise<{ reference: string; key: string }> {
  const key = createIdempotencyKey();
  const { reference } = await server.donate(CARDS.authenticated, gift, key);
  const row = await server.repository.findByReference(reference);
  await server.repository.applyTrigger(row!, { type: 'failed', reason: 'not-confirmed' });
  server.fakeStripe.completeAuthentication(
    row!.paymentId!.startsWith('pi_')
      ? row!.paymentId!
      : server.fakeStripe.listPaymentIntents().at(-1)!.id,
    true,
  );
  await server.deliverWebhooks();
  assert.equal((await server.repository.findByReference(reference))?.status, 'needs_review');
  return { reference, key };
}

/** Adds a platform's webhook that waits for its hook. */
export async function addInboundWebhook(
  server: Pick<TestServer, 'inboundWebhooks'>,
  id: string,
): Promise<void> {
  await server.inboundWebhooks.inbox.insertIfNew({
    id,
    organization: 'lanternwell',
    source: 'fundraising',
    kind: null,
    format: 'json',
    body: '{}',
    hasHook: true,
  });
}

/** A minimal browser that stores cookies. */
export class Browser {
  /** Value of the `Cookie` header. */
  cookie = '';
  setCookie = '';
  readonly #server: Pick<TestServer, 'fetchAdmin'>;
  readonly #address: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(
    server: Pick<TestServer, 'fetchAdmin'>,
    {
      address = '127.0.0.1',
      headers = {},
    }: { readonly address?: string; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    this.#server = server;
    this.#address = address;
    this.#headers = headers;
  }

  async request(
    path: string,
    fields?: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ status: number; html: string; to: string | null; headers: Headers }> {
    const response = await this.#server.fetchAdmin(
      path,
      {
        headers: { ...(this.cookie && { Cookie: this.cookie }), ...this.#headers, ...headers },
        ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
      },
      this.#address,
    );
    this.setCookie = response.headers.get('Set-Cookie') ?? '';
    for (const header of response.headers.getSetCookie()) {
      const [cookie] = header.split(';') as [string];
      const [name] = cookie.split('=');
      const others = this.cookie.split('; ').filter((other) => other.split('=')[0] !== name);
      this.cookie = [cookie, ...others].filter(Boolean).join('; ');
    }
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
    return this.#server.fetchAdmin(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', Cookie: this.cookie, ...headers },
    });
  }

  async fetchCsrfToken(path = '/'): Promise<string> {
    return /name="csrf" value="([^"]+)"/.exec((await this.request(path)).html)![1]!;
  }

  async signIn(key = ADMIN_KEY, name = 'Ana'): ReturnType<Browser['request']> {
    const csrf = await this.fetchCsrfToken('/sign-in');
    return this.request('/sign-in', { csrf, key, name, to: '/' });
  }
}

/** Starts a server without background jobs and signs in. `setTime` moves its clock. */
export async function openAdmin(options: Parameters<typeof startServer>[0] = {}) {
  let time = NOW;
  const server = await startServer({
    adminKey: ADMIN_KEY,
    hasBackgroundJobs: false,
    now: () => time,
    ...options,
  });
  const browser = new Browser(server);
  const signIn = async (): Promise<string> => {
    await browser.signIn();
    return browser.fetchCsrfToken();
  };
  return {
    server,
    repository: server.repository,
    browser,
    signIn,
    setTime: (to: number): void => {
      time = to;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Returns the text of a page's history, without tags. */
export function readHistory(html: string): string {
  const [, story] = /<ol class="story">([^]*?)<\/ol>/.exec(html)!;
  return story!
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(' .', '.');
}

/** Asserts that a text contains sentences one after the other. */
export function assertOrder(text: string, sentences: readonly string[]): void {
  let end = 0;
  for (const sentence of sentences) {
    const at = text.indexOf(sentence, end);
    assert.ok(at >= 0, `“${sentence}” is missing after ${text.slice(0, end)} in: ${text}`);
    end = at + sentence.length;
  }
}
