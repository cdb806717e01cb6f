import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { createAdaptorServer } from '@hono/node-server';
import type { Stripe } from 'stripe';
import { createRandomGenerator } from '../../src/sandbox/data/random.ts';
import { createSandbox, PAYPAL_CLIENT_ID } from '../../src/sandbox/index.ts';
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
  searchDelay,
  clock,
} = JSON.parse(process.argv[2] ?? '{}') as SandboxOptions;
/** URL that requests without a socket are addressed to. */
const SANDBOX_URL = 'http://127.0.0.1';
const MAX_CHARGES_PER_PAGE = 100;
const MAX_TRANSACTIONS_PER_PAGE = 500;
/** Longest period of a transaction search: 31 days, in milliseconds. */
const PERIOD = 31 * 86_400_000;

interface TransactionPage {
  readonly transaction_details?: readonly {
    readonly transaction_info: { readonly transaction_id: string; readonly invoice_id: string };
  }[];
  readonly total_pages: number;
}

const now = createScaledClock(clock);
const sandbox = createSandbox({
  platformKey: KEYS.FUNDRAISING_API_KEY,
  stripe: { secretKey: KEYS.PAYMENT_SECRET_KEY },
  paypal: { clientSecret: KEYS.PAYPAL_CLIENT_SECRET },
  hourlyLimit,
  ...(searchDelay !== undefined && {
    faults: [{ kind: 'late-search', times: null, ms: searchDelay }],
  }),
  now: () => new Date(now()),
});

const gifts = new Map<string, number[]>();
const calls: PlatformCall[] = [];
let lostReplies = 0;

/** Adds an ID to those of a donation. */
function addIdToDonation<Id>(ids: Map<string, Id[]>, reference: string, id: Id): void {
  ids.set(reference, [...(ids.get(reference) ?? []), id]);
}

/** Decides which calls fail. */
const drawFate = createRandomGenerator(1);
const drawRecordingTime = createRandomGenerator(recordingTime?.seed ?? 1);

/** Records the effect of a call to the platform. */
async function recordCall(request: Request, body: string, response: Response): Promise<void> {
  const { pathname } = new URL(request.url);
  calls.push({
    at: now(),
    method: request.method,
    status: response.status,
    resetsAt: Number(response.headers.get('X-RateLimit-Reset')),
  });
  if (response.status !== 200 || request.method !== 'POST') return;
  if (pathname !== '/api/Raise/give' && pathname !== '/sandbox/gifts') return;
  const sent = JSON.parse(body) as { comment?: string; reference?: string };
  const { giftId, id } = (await response.clone().json()) as { giftId?: number; id?: number };
  addIdToDonation(gifts, (sent.comment ?? sent.reference)!, (giftId ?? id)!);
}

async function handleRequest(request: Request, outgoing: ServerResponse): Promise<Response> {
  if (!request.headers.has('Authorization')) return sandbox.fetch(request);
  if (drawFate() < refusalRate) {
    const message = 'This failure is simulated.';
    return Response.json(
      isStripeCall(request) ? { error: { type: 'api_error', message } } : { message },
      { status: 503 },
    );
  }
  const body = await request.clone().text();
  if (recordingTime && request.method === 'POST' && request.url.endsWith('/sandbox/gifts'))
    await setTimeout(
      recordingTime.min + drawRecordingTime() * (recordingTime.max - recordingTime.min),
    );
  const response = await sandbox.fetch(request);
  if (!isPaymentCall(request)) await recordCall(request, body, response);
  if (drawFate() < replyLossRate) {
    lostReplies += 1;
    outgoing.socket?.destroy();
  }
  return response;
}

const isStripeCall = ({ url }: Request): boolean => new URL(url).pathname.startsWith('/stripe/');
const isPaymentCall = (request: Request): boolean =>
  isStripeCall(request) || new URL(request.url).pathname.startsWith('/paypal/');

/** Calls an API of the sandbox without its failures. */
async function fetchFromSandbox<Body>(
  path: string,
  authorization: string,
  init: RequestInit = {},
): Promise<Body> {
  const headers = { Authorization: authorization };
  const response = await sandbox.fetch(new Request(SANDBOX_URL + path, { headers, ...init }));
  if (!response.ok) throw new Error(`${path} returned ${response.status}`);
  return (await response.json()) as Body;
}

/** Adds the payment intents of all successful charges by Stripe. */
async function addStripeCharges(charges: Map<string, string[]>): Promise<void> {
  const query = new URLSearchParams({ limit: String(MAX_CHARGES_PER_PAGE) });
  for (;;) {
    const { data, has_more } = await fetchFromSandbox<Stripe.ApiList<Stripe.Charge>>(
      `/stripe/v1/charges?${query}`,
      `Bearer ${KEYS.PAYMENT_SECRET_KEY}`,
    );
    for (const { id, status, metadata, payment_intent } of data) {
      if (status !== 'succeeded') continue;
      if (metadata.donation_form_reference === undefined)
        throw new Error(`Charge ${id} has no reference. Donations of load tests are one-time.`);
      addIdToDonation(charges, metadata.donation_form_reference, payment_intent as string);
    }
    if (!has_more) return;
    query.set('starting_after', data.at(-1)!.id);
  }
}

/** Adds all captures by PayPal. */
async function addPayPalCharges(charges: Map<string, string[]>): Promise<void> {
  const { access_token } = await fetchFromSandbox<{ readonly access_token: string }>(
    '/paypal/v1/oauth2/token',
    `Basic ${btoa(`${PAYPAL_CLIENT_ID}:${KEYS.PAYPAL_CLIENT_SECRET}`)}`,
    { method: 'POST', body: new URLSearchParams({ grant_type: 'client_credentials' }) },
  );
  // Two readings of the clock could be further apart than the longest period that PayPal accepts.
  const end = now();
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const query = new URLSearchParams({
      start_date: new Date(end - PERIOD).toISOString(),
      end_date: new Date(end).toISOString(),
      page_size: String(MAX_TRANSACTIONS_PER_PAGE),
      page: String(page),
    });
    const { transaction_details = [], total_pages } = await fetchFromSandbox<TransactionPage>(
      `/paypal/v1/reporting/transactions?${query}`,
      `Bearer ${access_token}`,
    );
    pages = total_pages;
    for (const { transaction_info } of transaction_details)
      addIdToDonation(charges, transaction_info.invoice_id, transaction_info.transaction_id);
  }
}

async function answerQuery(query: SandboxQuery): Promise<string | SandboxRecord> {
  if (query === 'token') return createConfirmationToken(SANDBOX_URL, { fetch: sandbox.fetch });
  const charges = new Map<string, string[]>();
  await addStripeCharges(charges);
  await addPayPalCharges(charges);
  return {
    charges: Object.fromEntries(charges),
    gifts: Object.fromEntries(gifts),
    calls,
    lostReplies,
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
