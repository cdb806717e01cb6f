import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import {
  createStripeEmulator,
  type StripeEmulatorOptions,
} from '../src/sandbox/stripe/emulator.ts';
import {
  type CheckedFetchOptions,
  createCheckedFetch,
  loadSpecification,
} from './contract/stripe/checked-fetch.ts';

export { BANKS, CARDS } from '../src/sandbox/stripe/test-payment-methods.ts';
export { BRITISH_PRICING } from '../src/sandbox/stripe/payment-objects.ts';
export { buildStripeJs } from '../src/sandbox/stripe/stripe-js.ts';
export type FakeStripeOptions = StripeEmulatorOptions &
  Pick<CheckedFetchOptions, 'allowsRejectedRequests'> & { readonly port?: number };
export type FakeStripe = Awaited<ReturnType<typeof startFakeStripe>>;

/**
 * Serves the sandbox's emulation of Stripe alone, at the root of a local port. `close` throws if a
 * request, a response, or an event does not match the types of the `stripe` package.
 */
export async function startFakeStripe({
  port = 0,
  allowsRejectedRequests = false,
  ...options
}: FakeStripeOptions = {}) {
  // Loads the types first. Without a saved table that takes seconds, in which no call is answered.
  await loadSpecification();
  const emulator = createStripeEmulator({
    secretKey: 'sk_test_fake',
    publishableKey: 'pk_test_fake',
    webhookSecret: 'whsec_fake',
    ...options,
  });
  const checked = createCheckedFetch({
    fetch: emulator.fetch,
    listEvents: () => emulator.events,
    allowsRejectedRequests,
  });
  const drops: { readonly path: RegExp; remaining: number }[] = [];
  const listener = getRequestListener(async (request, env) => {
    const response = await checked.fetch(request);
    const { pathname } = new URL(request.url);
    const drop = drops.find(({ path, remaining }) => remaining > 0 && path.test(pathname));
    if (!drop) return response;
    drop.remaining -= 1;
    (env as HttpBindings).outgoing.destroy();
    return RESPONSE_ALREADY_SENT;
  });
  const host = '127.0.0.1';
  const server = createServer((request, response) => void listener(request, response));
  server.listen(port, host);
  await once(server, 'listening');
  const { port: actualPort } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    assert.deepEqual(await checked.listProblems(), []);
  };
  return Object.assign(emulator, {
    url: `http://${host}:${actualPort}`,
    host,
    port: actualPort,
    /** Processes the next calls but breaks their connections before responding. */
    dropResponses(count = 1, path = /^/): void {
      drops.push({ path, remaining: count });
    },
    close,
    [Symbol.asyncDispose]: close,
  });
}
