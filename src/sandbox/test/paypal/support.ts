import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test as nodeTest } from 'node:test';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import {
  createCheckedFetch,
  getSpecification,
} from '../../../../test/contract/paypal/checked-fetch.ts';
import { createPayPal, type PayPal, type PayPalOptions } from '../../paypal/paypal.ts';

export type Json = Readonly<Record<string, unknown>>;

export interface CallOptions {
  readonly body?: unknown;
  readonly requestId?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Returns the whole resource. */
  readonly full?: boolean;
  /** Permits intentional errors in the request. */
  readonly isWrong?: boolean;
}

/** Fields of most responses. */
export interface ApiBody extends Json {
  readonly id: string;
  readonly status: string;
}

export interface CallResult<Body extends Json = ApiBody> {
  readonly status: number;
  readonly body: Body;
}

export interface PayPalFixture extends AsyncDisposable {
  readonly paypal: PayPal;
  readonly url: string;
  /** Calls the API with a valid token, and checks the call, its response, and the new events. */
  readonly call: (method: string, path: string, options?: CallOptions) => Promise<CallResult>;
  /** Replaces the token, which has expired. */
  readonly renewToken: () => Promise<void>;
  /** Types of all events so far, which are checked. */
  readonly getEventTypes: () => string[];
  /** Operations and statuses that were checked. */
  readonly calls: ReadonlyMap<string, number>;
}

export const CREDENTIALS = { clientId: 'test-client', clientSecret: 'test-secret' };

/** Starts the emulator on a local port. */
export async function startPayPal(options: Partial<PayPalOptions> = {}): Promise<PayPalFixture> {
  const paypal = createPayPal({ ...CREDENTIALS, ...options });
  const app = new Hono().route(options.basePath ?? '/', paypal.app);
  const listener = getRequestListener(app.fetch);
  const server = createServer((request, response) => void listener(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${options.basePath ?? ''}`;
  const { fetch, problems, calls } = createCheckedFetch({ baseUrl: url });
  let token: string | undefined;
  let checkedEvents = 0;
  const checkNewEvents = (): void => {
    for (const event of paypal.events.slice(checkedEvents))
      assert.deepEqual(getSpecification().checkEvent(event), [], event.event_type);
    checkedEvents = paypal.events.length;
  };

  return {
    paypal,
    url,
    calls,
    async call(method, path, { body, requestId, headers, full = false, isWrong = false } = {}) {
      token ??= await fetchToken(url);
      const before = problems.length;
      const response = await fetch(url + path, {
        method,
        headers: {
          Authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...(requestId !== undefined && { 'PayPal-Request-Id': requestId }),
          ...(full && { Prefer: 'return=representation' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      assert.deepEqual(
        problems
          .slice(before)
          .filter((problem) => !isWrong || problem.includes(`: ${response.status}: `)),
        [],
      );
      checkNewEvents();
      return {
        status: response.status,
        body: (text === '' ? {} : JSON.parse(text)) as ApiBody,
      };
    },
    async renewToken() {
      token = await fetchToken(url);
    },
    getEventTypes() {
      checkNewEvents();
      return paypal.events.map(({ event_type }) => event_type);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Declares a test with a new emulator. */
export function test(title: string, run: (fixture: PayPalFixture) => Promise<void> | void): void {
  void nodeTest(title, async () => {
    await using fixture = await startPayPal();
    await run(fixture);
  });
}

export async function fetchToken(url: string): Promise<string> {
  const response = await fetch(`${url}/v1/oauth2/token`, {
    method: 'POST',
    headers: {
      Authorization: `Basic ${btoa(`${CREDENTIALS.clientId}:${CREDENTIALS.clientSecret}`)}`,
    },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** Returns the issue of an error, such as `ORDER_NOT_APPROVED`. */
export const getIssue = ({ body }: { readonly body: Json }): unknown =>
  (body as { details?: { issue: string }[] }).details?.[0]?.issue;

/** Returns the URL of a link. */
export const getLink = ({ body }: { readonly body: Json }, rel: string): string | undefined =>
  (body as { links?: { rel: string; href: string }[] }).links?.find((link) => link.rel === rel)
    ?.href;
