import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FormDefinition } from '../../../src/core/schemas/form-definition.ts';
import { createSandbox, type Fault } from '../../../src/sandbox/index.ts';
import { NotChargedError } from '../../../src/server/payments/payment-gateway.ts';
import { findGifts } from '../../../src/server/payments/virtuous-raise/raise-gateway.ts';
import { createVirtuousRaise } from '../../../src/server/payments/virtuous-raise/virtuous-raise.ts';
import { exampleForm } from '../../example-form.ts';
import { failToRecordSuccess } from '../donations/faults.ts';
import {
  type CallFault,
  CallFaults,
  createClient,
  createGift,
  createGiftRequest,
} from '../platform/test-platform.ts';
import { createIdempotencyKey, startServer } from '../support.ts';

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
    platformKey: 'key',
    now: () => new Date(now()),
    faults: sandboxFaults,
  });
  const faults = new CallFaults();
  const client = createClient(faults.wrap(sandbox.fetch));
  return {
    ...createVirtuousRaise({ charges: client, searches: client }, OPTIONS),
    sandbox,
    faults,
    async listGifts() {
      const path = '/api/Gift/list?Skip=0&Take=100';
      const { body } = await createClient(sandbox.fetch).call('GET', path);
      return (body as { items: { amount: number; comment: string }[] }).items;
    },
  };
}

async function charge({ gateway }: Raise, token: string) {
  const request = createGiftRequest(createGift(), token);
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
  for (const [kinds, statuses, isNotCharged] of [
    [['unreachable'], [401, 403, 404, 422, 429], true],
    [['lost reply', 'broken reply'], [500, 502, 503, 504], false],
  ] as const) {
    assert.deepEqual(await raise.listGifts(), []);
    for (const fault of [
      ...kinds.map((kind) => ({ kind })),
      ...statuses.map((status) => ({ kind: 'status', status }) as const),
    ]) {
      raise.faults.add(fault);
      const { charged } = await charge(raise, 'good-1');
      await assert.rejects(
        charged,
        (error) => error instanceof NotChargedError === isNotCharged,
        JSON.stringify(fault),
      );
    }
  }
  const { payment, charged } = await charge(raise, 'timeout-1');
  await assert.rejects(charged, (error) => !(error instanceof NotChargedError));
  assert.equal((await raise.gateway.retrievePayment(payment)).status, 'succeeded');
});

test('rejects a request without a payment method, and an invalid one, as not charged', async () => {
  const { gateway } = openRaise();
  const request = createGiftRequest(createGift());
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
    server.submitDonation({ payment: { provider: 'raise', method: 0, token } }, key);
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

for (const [situation, faults, problem] of [
  [
    'no gift appears',
    [{ kind: 'status', status: 502 }],
    /and the search did not find the gift; search/,
  ],
  [
    'the search fails',
    Array<CallFault>(20).fill({ kind: 'status', status: 503 }),
    /the last search failed, so it is unknown whether the donor was charged; search/,
  ],
] as const satisfies readonly (readonly [string, readonly CallFault[], RegExp])[])
  test(`asks a person within two minutes if ${situation}`, async () => {
    await using fixture = await startRaiseServer();
    fixture.raise.faults.add(...faults);
    const { reference } = await fixture.donate();
    for (const seconds of [20, 20, 20, 15]) await fixture.runJobsAfter(seconds);
    assert.equal((await fixture.readState(reference))[0], 'unconfirmed');
    await fixture.runJobsAfter(5);
    assert.equal((await fixture.readState(reference))[0], 'needs_review');
    assert.match(await fixture.readError(reference), problem);
    assert.equal((await fixture.donate()).status, 'unconfirmed');
    assert.deepEqual(await fixture.raise.listGifts(), []);
  });

test('records a charge that the search found, even if the database fails at the deadline', async () => {
  // With this fault, the search finds the first gift after 67 seconds.
  await using fixture = await startRaiseServer([{ kind: 'late-search', times: null, ms: 180_000 }]);
  const { raise, server } = fixture;
  raise.faults.add({ kind: 'lost reply' });
  const { reference } = await fixture.donate();
  for (const seconds of [20, 10, 20]) await fixture.runJobsAfter(seconds);
  const repairDatabase = failToRecordSuccess(server.repository);
  await assert.rejects(fixture.runJobsAfter(30), /Connection terminated/);
  assert.equal((await fixture.readState(reference))[0], 'unconfirmed');
  assert.doesNotMatch(server.logLines.at(-1)!, /payment call failed/);
  repairDatabase();
  await fixture.runJobsAfter(1);
  assert.deepEqual(await fixture.readState(reference), ['succeeded', 'delivered', '1']);
});

test('fails a donation at once if nothing was charged, so that the donor can try again', async () => {
  await using fixture = await startRaiseServer();
  fixture.raise.faults.add({ kind: 'unreachable' });
  const { status, reason } = (await fixture.donate()) as { status: string; reason?: string };
  assert.deepEqual([status, reason], ['failed', 'payment-failed']);
});

test('reads the amount of a gift in the decimals of its own currency', async () => {
  const items = [
    { id: 1, amount: 500, currency: 'JPY', statusText: 'Approved', comment: 'GIFT-1' },
  ];
  const client = createClient(() => Promise.resolve(Response.json({ items })));
  assert.deepEqual(await findGifts(client, 'GIFT-1', OPTIONS), [
    { id: '1', total: 500, currency: 'JPY', status: 'succeeded' },
  ]);
});
