import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { createAdaptorServer } from '@hono/node-server';
import type { Stripe } from 'stripe';
import { createSandbox } from '../../src/sandbox/index.ts';
import { createConfirmationToken } from '../server/sandbox-stripe.ts';
import {
  KEYS,
  type PlatformCall,
  type SandboxOptions,
  type SandboxQuery,
  type SandboxRecord,
} from './sandbox.ts';
import { createScaledClock } from './scaled-clock.ts';

const {
  hourlyLimit = 1_000_000,
  replyLossRate = 0,
  refusalRate = 0,
  recordingTime,
  clock,
} = JSON.parse(process.argv[2] ?? '{}') as SandboxOptions;
/** URL that requests without a socket are addressed to. */
const SANDBOX_URL = 'http://127.0.0.1';
const MAX_CHARGES_PER_PAGE = 100;
const now = createScaledClock(clock);
const sandbox = createSandbox({
  platformKey: KEYS.FUNDRAISING_API_KEY,
  stripe: { secretKey: KEYS.PAYMENT_SECRET_KEY },
  hourlyLimit,
  now: () => new Date(now()),
});

const gifts = new Map<string, number[]>();
const calls: PlatformCall[] = [];
let lostReplies = 0;
let refusedCalls = 0;

/** Adds an ID to those of a donation. */
function addIdToDonation<Id>(ids: Map<string, Id[]>, reference: string, id: Id): void {
  ids.set(reference, [...(ids.get(reference) ?? []), id]);
}

let drawState = recordingTime?.seed ?? 1;

/** Draws a number from 0 to 1 that depends on the seed alone (mulberry32). */
function drawRandomFraction(): number {
  drawState = (drawState + 0x6d2b79f5) | 0;
  let bits = Math.imul(drawState ^ (drawState >>> 15), 1 | drawState);
  bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
  return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
}

/** Records the effect of a call to the platform. */
async function recordCall(request: Request, body: string, response: Response): Promise<void> {
  const { pathname } = new URL(request.url);
  calls.push({
    at: now(),
    method: request.method,
    status: response.status,
    resetsAt: Number(response.headers.get('X-RateLimit-Reset')),
  });
  if (response.status !== 200 || request.method !== 'POST' || pathname !== '/sandbox/gifts') return;
  addIdToDonation(
    gifts,
    (JSON.parse(body) as { reference: string }).reference,
    ((await response.clone().json()) as { id: number }).id,
  );
}

async function handleRequest(request: Request, outgoing: ServerResponse): Promise<Response> {
  if (!request.headers.has('Authorization')) return sandbox.fetch(request);
  if (Math.random() < refusalRate) {
    refusedCalls += 1;
    const message = 'This failure is simulated.';
    return Response.json(
      isStripeCall(request) ? { error: { type: 'api_error', message } } : { message },
      { status: 503 },
    );
  }
  const body = await request.clone().text();
  if (recordingTime && request.method === 'POST' && request.url.endsWith('/sandbox/gifts'))
    await setTimeout(
      recordingTime.min + drawRandomFraction() * (recordingTime.max - recordingTime.min),
    );
  const response = await sandbox.fetch(request);
  if (!isStripeCall(request)) await recordCall(request, body, response);
  if (Math.random() < replyLossRate) {
    lostReplies += 1;
    outgoing.socket?.destroy();
  }
  return response;
}

const isStripeCall = ({ url }: Request): boolean => new URL(url).pathname.startsWith('/stripe/');

/** Lists the payment intents of all successful charges by the donation's reference. */
async function listCharges(): Promise<Map<string, string[]>> {
  const charges = new Map<string, string[]>();
  const query = new URLSearchParams({ limit: String(MAX_CHARGES_PER_PAGE) });
  for (;;) {
    const response = await sandbox.fetch(
      new Request(`${SANDBOX_URL}/stripe/v1/charges?${query}`, {
        headers: { Authorization: `Bearer ${KEYS.PAYMENT_SECRET_KEY}` },
      }),
    );
    const { data, has_more } = (await response.json()) as Stripe.ApiList<Stripe.Charge>;
    for (const { status, metadata, payment_intent } of data)
      if (status === 'succeeded')
        addIdToDonation(charges, metadata.reference!, payment_intent as string);
    if (!has_more) return charges;
    query.set('starting_after', data.at(-1)!.id);
  }
}

async function answerQuery(query: SandboxQuery): Promise<string[] | SandboxRecord> {
  if (query.kind === 'tokens')
    return Promise.all(
      Array.from({ length: query.count }, () =>
        createConfirmationToken(SANDBOX_URL, { fetch: sandbox.fetch }),
      ),
    );
  return {
    charges: Object.fromEntries(await listCharges()),
    gifts: Object.fromEntries(gifts),
    calls,
    lostReplies,
    refusedCalls,
  };
}

process.on(
  'message',
  (query: SandboxQuery) => void answerQuery(query).then((result) => process.send!(result)),
);
process.on('disconnect', () => process.exit());

const server = createAdaptorServer({
  fetch: (request, { outgoing }) => handleRequest(request, outgoing as ServerResponse),
});
server.listen(0, '127.0.0.1', () => {
  process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
