import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { createAdaptorServer } from '@hono/node-server';
import { createSandbox } from '../../src/sandbox/index.ts';
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
const now = createScaledClock(clock);
const sandbox = createSandbox({
  platformKey: KEYS.FUNDRAISING_API_KEY,
  secretKey: KEYS.PAYMENT_SECRET_KEY,
  hourlyLimit,
  now: () => new Date(now()),
});

const charges = new Map<string, string[]>();
const gifts = new Map<string, number[]>();
const calls: PlatformCall[] = [];
let lostReplies = 0;
let refusedCalls = 0;

const add = <Id>(map: Map<string, Id[]>, reference: string, id: Id): void => {
  map.set(reference, [...(map.get(reference) ?? []), id]);
};

let drawState = recordingTime?.seed ?? 1;

/** Draws a number from 0 to 1 that depends on the seed alone (mulberry32). */
function drawFraction(): number {
  drawState = (drawState + 0x6d2b79f5) | 0;
  let bits = Math.imul(drawState ^ (drawState >>> 15), 1 | drawState);
  bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
  return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
}

/** Records the effect of a call. */
async function recordCall(request: Request, body: string, response: Response): Promise<void> {
  const { pathname } = new URL(request.url);
  if (!pathname.startsWith('/processor/'))
    calls.push({
      at: now(),
      method: request.method,
      status: response.status,
      resetsAt: Number(response.headers.get('X-RateLimit-Reset')),
    });
  if (response.status !== 200 || request.method !== 'POST') return;
  if (pathname.endsWith('/confirm')) {
    const { id, reference, state } = (await response.clone().json()) as {
      id: string;
      reference: string;
      state: string;
    };
    if (state === 'succeeded') add(charges, reference, id);
  } else if (pathname === '/sandbox/gifts') {
    add(
      gifts,
      (JSON.parse(body) as { reference: string }).reference,
      ((await response.clone().json()) as { id: number }).id,
    );
  }
}

async function handle(request: Request, outgoing: ServerResponse): Promise<Response> {
  if (!request.headers.has('Authorization')) return sandbox.fetch(request);
  if (Math.random() < refusalRate) {
    refusedCalls += 1;
    return Response.json({ message: 'This failure is simulated.' }, { status: 503 });
  }
  const body = await request.clone().text();
  if (recordingTime && request.method === 'POST' && request.url.endsWith('/sandbox/gifts'))
    await setTimeout(recordingTime.min + drawFraction() * (recordingTime.max - recordingTime.min));
  const response = await sandbox.fetch(request);
  await recordCall(request, body, response);
  if (Math.random() < replyLossRate) {
    lostReplies += 1;
    outgoing.socket?.destroy();
  }
  return response;
}

async function createToken(): Promise<string> {
  const response = await sandbox.fetch(
    new Request('http://127.0.0.1/processor/tokens', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        publicKey: 'pk_sandbox',
        number: '4242424242424242',
        expiry: '1230',
        cvc: '123',
      }),
    }),
  );
  return ((await response.json()) as { token: string }).token;
}

async function answer(query: SandboxQuery): Promise<string[] | SandboxRecord> {
  if (query.kind === 'tokens') return Promise.all(Array.from({ length: query.count }, createToken));
  return {
    charges: Object.fromEntries(charges),
    gifts: Object.fromEntries(gifts),
    calls,
    lostReplies,
    refusedCalls,
  };
}

process.on(
  'message',
  (query: SandboxQuery) => void answer(query).then((result) => process.send!(result)),
);
process.on('disconnect', () => process.exit());

const server = createAdaptorServer({
  fetch: (request, { outgoing }) => handle(request, outgoing as ServerResponse),
});
server.listen(0, '127.0.0.1', () => {
  process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
