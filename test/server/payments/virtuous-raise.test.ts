import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FundraisingClient } from '../../../src/platform-clients/fundraising/index.ts';
import { createSandbox, type Fault } from '../../../src/sandbox/index.ts';
import { NotChargedError } from '../../../src/server/payments/payment-gateway.ts';
import { createVirtuousRaise } from '../../../src/server/payments/virtuous-raise/virtuous-raise.ts';
import type { FormDefinition } from '../../../src/core/schemas/form-definition.ts';
import { exampleForm } from '../../example-form.ts';
import {
  CallFaults,
  createGift,
  createPaymentRequest,
  type CallFault,
} from '../platform/test-platform.ts';
import { PLATFORM_KEY, createIdempotencyKey, readOutcome, startServer } from '../support.ts';

const SECOND = 1_000;
const START = Date.UTC(2026, 10, 21, 12);
const OPTIONS = {
  currency: 'USD',
  body: { donor: { email: '{donor.email}' }, comment: 'Web {reference}' },
  referencePath: 'comment',
};
const form: FormDefinition = {
  ...exampleForm,
  frequencies: ['once'],
  payments: [
    {
      provider: 'raise',
      methods: [0],
      hasField: true,
      hasHostedCheckout: false,
      hasCustomerPortal: false,
      options: {},
    },
  ],
};

interface Raise extends ReturnType<typeof createVirtuousRaise> {
  readonly sandbox: ReturnType<typeof createSandbox>;
  readonly faults: CallFaults;
  /** Lists the amounts of the gifts that the platform charged and recorded. */
  readonly listGifts: () => Promise<{ amount: number; comment: string }[]>;
}

function openRaise(now: () => number = Date.now, sandboxFaults: readonly Fault[] = []): Raise {
  const sandbox = createSandbox({
    platformKey: PLATFORM_KEY,
    now: () => new Date(now()),
    faults: sandboxFaults,
  });
  const faults = new CallFaults();
  const createClient = (fetch: typeof globalThis.fetch): FundraisingClient =>
    new FundraisingClient({ baseUrl: 'https://raise.test', apiKey: PLATFORM_KEY, fetch });
  const client = createClient(faults.wrap(sandbox.fetch));
  return {
    ...createVirtuousRaise({ charges: client, searches: client }, OPTIONS),
    sandbox,
    faults,
    async listGifts() {
      const direct = createClient(async (input, init) => sandbox.fetch(new Request(input, init)));
      const { body } = await direct.call('GET', '/api/Gift/list?Skip=0&Take=100');
      return (body as { items: { amount: number; comment: string }[] }).items;
    },
  };
}

async function charge({ gateway }: Raise, token: string) {
  const request = createPaymentRequest(createGift(), token);
  const payment = await gateway.createPayment(request);
  return { payment, charged: gateway.chargePayment(payment, request) };
}

test('charges the total, and records our reference in the configured field', async () => {
  const raise = openRaise();
  const { payment, charged } = await charge(raise, 'good-1');
  assert.deepEqual(await charged, {
    paymentId: payment.paymentId,
    status: 'succeeded',
    total: 5_181,
    currency: 'USD',
  });
  const [gift] = await raise.listGifts();
  assert.equal(gift!.amount, 51.81);
  assert.match(gift!.comment, /^Web TEST\d+-QXD2P$/);
  assert.deepEqual((await raise.gateway.retrievePayment(payment)).total, 5_181);
});

test('distinguishes a decline, a certain failure, and an unclear response', async () => {
  const raise = openRaise();
  const { charged: declined } = await charge(raise, 'declined-1');
  assert.deepEqual([(await declined).status, (await declined).reason], ['failed', 'card-declined']);
  const certain: CallFault[] = [
    { kind: 'unreachable' },
    ...[401, 403, 404, 422, 429].map((status) => ({ kind: 'status', status }) as const),
  ];
  for (const fault of certain) {
    raise.faults.add(fault);
    const { charged } = await charge(raise, 'good-1');
    await assert.rejects(charged, NotChargedError, JSON.stringify(fault));
  }
  assert.deepEqual(await raise.listGifts(), []);
  const unclear: CallFault[] = [
    { kind: 'lost reply' },
    { kind: 'broken reply' },
    ...[500, 502, 503, 504].map((status) => ({ kind: 'status', status }) as const),
  ];
  for (const fault of unclear) {
    raise.faults.add(fault);
    const { charged } = await charge(raise, 'good-1');
    await assert.rejects(charged, (error) => !(error instanceof NotChargedError));
  }
  const { payment, charged } = await charge(raise, 'timeout-1');
  await assert.rejects(charged, (error) => !(error instanceof NotChargedError));
  assert.equal((await raise.gateway.retrievePayment(payment)).status, 'succeeded');
});

test('rejects a request without a payment method, and an invalid one, as not charged', async () => {
  const { gateway } = openRaise();
  const request = createPaymentRequest(createGift());
  await assert.rejects(gateway.createPayment({ ...request, token: undefined }), NotChargedError);
  const payment = await gateway.createPayment(request);
  await assert.rejects(gateway.chargePayment(payment, { ...request, total: 0 }), NotChargedError);
});

/** Starts a server that charges with Virtuous Raise, whose clock the test moves. */
async function startRaiseServer(sandboxFaults: readonly Fault[] = []) {
  let time = START;
  const raise = openRaise(() => time, sandboxFaults);
  const server = await startServer({
    now: () => time,
    hasBackgroundJobs: false,
    sandbox: raise.sandbox,
    form,
    payments: { raise: { gateway: raise.gateway } },
    changePlatform: () => raise.platform,
  });
  const key = createIdempotencyKey();
  const donate = async (token = 'good-1') =>
    readOutcome(
      await server.postDonation(
        await server.createRequest({ payment: { provider: 'raise', method: 0, token } }),
        { key },
      ),
    );
  return {
    raise,
    server,
    donate,
    async runJobsAfter(seconds: number) {
      time += seconds * SECOND;
      await server.handler.runJobs();
    },
    async readState(reference: string) {
      const donation = await server.repository.findByReference(reference);
      const event = await server.repository.outbox.findGiftCreation(reference);
      return [donation?.status, event?.status, donation?.platformGiftId] as const;
    },
    async readError(reference: string) {
      return (await server.repository.findByReference(reference))?.lastError ?? '';
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test('links a donation to the gift that its charge recorded, without another call', async () => {
  await using fixture = await startRaiseServer();
  const { status, reference } = await fixture.donate();
  assert.equal(status, 'succeeded');
  await fixture.runJobsAfter(1);
  assert.deepEqual(await fixture.readState(reference), ['succeeded', 'delivered', '1']);
  assert.deepEqual(fixture.raise.faults.processed, ['POST /api/Raise/give']);
});

test('finds a charge whose response was lost, and never charges again', async () => {
  await using fixture = await startRaiseServer([{ kind: 'late-search', times: null, ms: 60_000 }]);
  const { raise } = fixture;
  raise.faults.add({ kind: 'lost reply' });
  const { status, reference } = await fixture.donate();
  assert.equal(status, 'unconfirmed');
  assert.equal((await fixture.donate()).status, 'unconfirmed', 'the donor sends it again');
  for (const seconds of [20, 10, 20, 30]) await fixture.runJobsAfter(seconds);
  assert.deepEqual(await fixture.readState(reference), ['succeeded', 'delivered', '1']);
  assert.equal((await raise.listGifts()).length, 1);
  assert.equal(raise.faults.processed.filter((call) => call === 'POST /api/Raise/give').length, 1);
});

test('asks a person within two minutes if no gift appears', async () => {
  await using fixture = await startRaiseServer();
  fixture.raise.faults.add({ kind: 'status', status: 502 });
  const { reference } = await fixture.donate();
  for (const seconds of [20, 20, 20, 15]) await fixture.runJobsAfter(seconds);
  assert.equal((await fixture.readState(reference))[0], 'unconfirmed');
  await fixture.runJobsAfter(5);
  assert.equal((await fixture.readState(reference))[0], 'needs_review');
  assert.match(await fixture.readError(reference), /and the search did not find the gift; search/);
  assert.equal((await fixture.donate()).status, 'unconfirmed');
  assert.deepEqual(await fixture.raise.listGifts(), []);
});

test('asks a person within two minutes if the search fails', async () => {
  await using fixture = await startRaiseServer();
  const { faults } = fixture.raise;
  faults.add(...Array.from({ length: 20 }, () => ({ kind: 'status', status: 503 }) as const));
  const { reference } = await fixture.donate();
  for (const seconds of [20, 20, 20, 20]) await fixture.runJobsAfter(seconds);
  assert.equal((await fixture.readState(reference))[0], 'needs_review');
  assert.match(
    await fixture.readError(reference),
    /the last search failed, so it is unknown whether the donor was charged; search/,
  );
});

test('records a charge that the search found, even if the database fails at the deadline', async () => {
  // With this fault, the search finds the first gift after 67 seconds.
  await using fixture = await startRaiseServer([{ kind: 'late-search', times: null, ms: 180_000 }]);
  const { raise, server } = fixture;
  raise.faults.add({ kind: 'lost reply' });
  const { reference } = await fixture.donate();
  for (const seconds of [20, 10, 20]) await fixture.runJobsAfter(seconds);
  const markSucceeded = server.repository.markSucceeded.bind(server.repository);
  server.repository.markSucceeded = () => Promise.reject(new Error('Connection terminated'));
  await assert.rejects(fixture.runJobsAfter(30), /Connection terminated/);
  assert.equal((await fixture.readState(reference))[0], 'unconfirmed');
  assert.doesNotMatch(server.logLines.at(-1)!, /payment call failed/);
  server.repository.markSucceeded = markSucceeded;
  await fixture.runJobsAfter(1);
  assert.deepEqual(await fixture.readState(reference), ['succeeded', 'delivered', '1']);
});

test('fails a donation at once if nothing was charged, so that the donor can try again', async () => {
  await using fixture = await startRaiseServer();
  fixture.raise.faults.add({ kind: 'unreachable' });
  const { status, reason } = (await fixture.donate()) as { status: string; reason?: string };
  assert.deepEqual([status, reason], ['failed', 'payment-failed']);
});
