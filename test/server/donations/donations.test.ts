import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { FormDefinition } from '../../../src/core/schemas/form-definition.ts';
import { formDefinition } from '../../response-schemas.ts';
import type { DonationRequest } from '../../../src/core/schemas/donation-request.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { exampleForm } from '../../example-form.ts';
import { waitUntil } from '../../wait-until.ts';
import {
  CARDS,
  ORIGIN,
  PLATFORM_KEY,
  createIdempotencyKey,
  startServer,
  readOutcome,
  readProblem,
  type TestServerOptions,
} from '../support.ts';

test("charges and records a donation once, and responds with the specification's DonateResponse", async () => {
  await using server = await startServer();
  const { reference, status, response } = await readOutcome(
    await server.postDonation(await server.createRequest({ gift: { frequency: 'monthly' } })),
  );
  assert.equal(status, 'succeeded');
  assert.match(reference, /^[2-9A-HJ-NP-TV-Z]{5}-[2-9A-HJ-NP-TV-Z]{5}$/);
  assert.match(response?.transactionId ?? '', /^pi_/);
  assert.deepEqual(
    { ...response, transactionId: null },
    {
      success: true,
      message: null,
      transactionId: null,
      amount: 51.81,
      frequency: 12,
      segment: 'MAIL26',
      giftId: 1,
      projectSplit: [
        { projectId: '2', projectName: 'Village wells', projectCode: 'WATER', amount: '50.00' },
      ],
    },
  );
  assert.deepEqual(
    (await server.listCharges(reference)).map(({ amount }) => amount),
    [5_181],
  );
  assert.deepEqual(
    (await server.listActivities()).map(({ displayText }) => displayText),
    [`Ana Souza gave 51.81 USD monthly to Village wells (${reference})`],
  );
  assert.deepEqual(
    server.calls.filter((call) => /confirm|gifts/.test(call)),
    ['POST /stripe/v1/payment_intents/:id/confirm', 'POST /sandbox/gifts'],
  );
});

test('rule 29: omits the frequency of a one-time donation', async () => {
  await using server = await startServer();
  const { response } = await readOutcome(await server.postDonation(await server.createRequest()));
  assert.ok(response && !('frequency' in response));
});

test('responds to a declined card with a final outcome for its key, without a charge', async () => {
  await using server = await startServer();
  const key = createIdempotencyKey();
  const first = await server.postDonation(await server.createRequest({ card: CARDS.declined }), {
    key,
  });
  assert.equal(first.status, 402);
  const { status, reason, reference } = await readOutcome(first);
  assert.deepEqual([status, reason], ['failed', 'card-declined']);
  const again = await readOutcome(await server.postDonation(await server.createRequest(), { key }));
  assert.deepEqual([again.status, again.reference], ['failed', reference]);
  assert.deepEqual(await server.listCharges(reference), []);
  assert.deepEqual(await server.listActivities(), []);
});

test('makes one charge and one gift for 50 parallel submissions of one key, with equal outcomes', async () => {
  await using server = await startServer();
  const key = createIdempotencyKey();
  const requests = await Promise.all(Array.from({ length: 50 }, () => server.createRequest()));
  const outcomes = await Promise.all(
    requests.map(async (request) => readOutcome(await server.postDonation(request, { key }))),
  );
  const references = new Set(outcomes.map(({ reference }) => reference));
  assert.equal(references.size, 1);
  assert.deepEqual(new Set(outcomes.map(({ status }) => status)), new Set(['succeeded']));
  assert.equal((await server.listCharges([...references][0]!)).length, 1);
  assert.deepEqual(server.calls, [
    'POST /stripe/v1/payment_intents',
    'POST /stripe/v1/payment_intents/:id/confirm',
    'POST /sandbox/gifts',
  ]);
  assert.deepEqual(await readOutcome(await server.fetchOutcome(key)), outcomes[0]);
});

test('responds with 422 to another donation or donor under the same key', async () => {
  await using server = await startServer();
  const key = createIdempotencyKey();
  const { reference } = await readOutcome(
    await server.postDonation(await server.createRequest(), { key }),
  );
  for (let index = 0; index < 20; index += 1) {
    const altered =
      index % 2
        ? await server.createRequest({
            donor: { lastName: `Souza ${index}`, email: `ana.${index}@example.org` },
          })
        : await server.createRequest({ gift: { segment: `OTHER${index}` } });
    const response = await server.postDonation(altered, { key });
    assert.deepEqual(
      [response.status, (await readProblem(response)).code],
      [422, 'idempotency-key-reused'],
    );
  }
  assert.equal((await server.listCharges(reference)).length, 1);
});

test('looks up a charge after a lost processor response, and charges and records once', async () => {
  await using server = await startServer();
  for (let index = 0; index < 20; index += 1) {
    const { status, reference } = await readOutcome(
      await server.postDonation(
        await server.createRequest({
          card: CARDS.lostResponse,
          donor: { email: `${index}@example.org` },
        }),
      ),
    );
    assert.equal(status, 'succeeded');
    assert.equal((await server.listCharges(reference)).length, 1);
  }
  assert.equal((await server.listActivities()).length, 20);
});

test('reports that nothing was charged if the processor is unreachable', async () => {
  await using server = await startServer({
    intercept: async () => {
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }),
      });
    },
  });
  const { status, reason } = await readOutcome(
    await server.postDonation(await server.createRequest()),
  );
  assert.deepEqual([status, reason], ['failed', 'payment-failed']);
});

test('responds with unconfirmed while the outcome of a charge is unknown, and polls the processor until it is known', async () => {
  let time = Date.now();
  let isDown = true;
  const loseChargeResponse: TestServerOptions['intercept'] = async (request, next) => {
    const response = await next(request);
    if (isDown && isCharge(request)) throw new TypeError('the reply is lost');
    return response;
  };
  await using server = await startServer({ intercept: loseChargeResponse, now: () => time });
  const key = createIdempotencyKey();
  const response = await server.postDonation(await server.createRequest(), { key });
  assert.equal(response.status, 202);
  const { status, reference } = await readOutcome(response);
  assert.equal(status, 'unconfirmed');
  isDown = false;
  time += 21_000;
  server.handler.start();
  await waitUntil(
    async () => (await readOutcome(await server.fetchOutcome(key))).status === 'succeeded',
  );
  assert.equal((await server.listCharges(reference)).length, 1);
  await waitUntil(async () => (await server.listActivities()).length === 1);
});

test('looks up a charge with an unknown outcome in the background', async () => {
  let time = Date.now();
  let isDown = true;
  await using server = await startServer({
    now: () => time,
    intercept: async (request, next) => {
      if (isDown && isCharge(request)) throw new TypeError('down');
      return next(request);
    },
  });
  await server.postDonation(await server.createRequest());
  isDown = false;
  server.calls.length = 0;
  time += 19_900;
  await waitUntil(() => {
    time += 10;
    return server.calls.includes('GET /stripe/v1/payment_intents/:id');
  });
});

test('records a charge later if the database fails after it, and never charges again', async () => {
  let time = Date.now();
  await using server = await startServer({ now: () => time });
  const { repository } = server;
  const key = createIdempotencyKey();
  const markSucceeded = repository.markSucceeded.bind(repository);
  repository.markSucceeded = () => Promise.reject(new Error('Connection terminated'));
  for (const attempt of ['first', 'repeated']) {
    const { status } = await server.postDonation(await server.createRequest(), { key });
    assert.equal(status, 500, attempt);
  }
  const { status, reference } = await readOutcome(await server.fetchOutcome(key));
  assert.equal(status, 'unconfirmed');
  assert.doesNotMatch(server.logLines.join(''), /payment call failed/);
  repository.markSucceeded = markSucceeded;
  time += 21_000;
  server.handler.start();
  await waitUntil(
    async () => (await readOutcome(await server.fetchOutcome(key))).status === 'succeeded',
  );
  assert.equal((await server.listCharges(reference)).length, 1);
  assert.equal(server.calls.filter((call) => call.endsWith('/confirm')).length, 1);
  await waitUntil(async () => (await server.listActivities()).length === 1);
});

test('marks a charge of a different amount or currency for review, and never reports success', async () => {
  for (const [agreed, changed, charged] of [
    ['5181', '51810', '518.10 USD'],
    ['"usd"', '"jpy"', '5181 JPY'],
  ] as const) {
    await using server = await startServer({
      intercept: async (request, next) => {
        const response = await next(request);
        return request.url.includes('/stripe/v1/payment_intents')
          ? new Response((await response.text()).replaceAll(agreed, changed), response)
          : response;
      },
    });
    const { status, reference } = await readOutcome(
      await server.postDonation(await server.createRequest()),
    );
    assert.equal(status, 'unconfirmed');
    const row = await server.repository.findByReference(reference);
    assert.deepEqual(
      [row?.status, row?.lastError?.replace(/pi_\w+/, 'pi_1')],
      [
        'needs_review',
        `the payment provider charged ${charged} (pi_1) instead of the agreed 51.81 USD`,
      ],
    );
    assert.deepEqual(await server.listActivities(), []);
  }
});

test('does not fail a donation on a rejected retry while the first charge may still arrive', async () => {
  let calls = 0;
  await using server = await startServer({
    intercept: async (request, next) => {
      if (!isCharge(request)) return next(request);
      calls += 1;
      // The charge and its lookup, each with a retry of Stripe's library.
      if (calls <= 4) throw new TypeError('no answer');
      if (request.method === 'POST')
        throw new TypeError('fetch failed', {
          cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }),
        });
      return next(request);
    },
  });
  const key = createIdempotencyKey();
  assert.equal(
    (await readOutcome(await server.postDonation(await server.createRequest(), { key }))).status,
    'unconfirmed',
  );
  assert.equal(
    (await readOutcome(await server.postDonation(await server.createRequest(), { key }))).status,
    'unconfirmed',
  );
});

test('does not resend a gift while the first call may still reach the platform', async () => {
  let time = Date.now();
  let isSlow = true;
  const late: (() => Promise<unknown>)[] = [];
  await using server = await startServer({
    now: () => time,
    intercept: async (request, next) => {
      if (isSlow && request.method === 'POST' && request.url.endsWith('/sandbox/gifts')) {
        late.push(() => next(request));
        throw new TypeError('no answer within the time');
      }
      return next(request);
    },
  });
  await server.postDonation(await server.createRequest());
  isSlow = false;
  time += 5_000;
  server.handler.start();
  await waitUntil(() => server.calls.includes('GET /sandbox/gifts'));
  for (const arrive of late) await arrive();
  time += 60_000;
  server.handler.start();
  await waitUntil(
    async () => (await server.repository.outbox.findNextDueTime('lanternwell')) === undefined,
  );
  assert.equal((await server.listActivities()).length, 1);
});

test('records charged donations while the outcome of other charges is unknown', async () => {
  let time = Date.now();
  let isDown = true;
  let sendResponses = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    sendResponses = resolve;
  });
  await using server = await startServer({
    now: () => time,
    intercept: async (request, next) => {
      if (isDown && isCharge(request)) throw new TypeError('down');
      if (request.method === 'GET' && request.url.includes('/stripe/')) await answered;
      return next(request);
    },
  });
  for (let index = 0; index < 30; index += 1)
    await server.postDonation(await server.createRequest());
  isDown = false;
  time += 21_000;
  server.handler.start();
  const key = createIdempotencyKey();
  await server.postDonation(await server.createRequest(), { key });
  await waitUntil(
    async () => (await readOutcome(await server.fetchOutcome(key))).response?.giftId === 1,
  );
  sendResponses();
});

test('responds to a retry of an accepted donation even if the form has changed', async () => {
  const sandbox = createSandbox({ platformKey: PLATFORM_KEY });
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const database = join(folder, 'database.sqlite');
  const key = createIdempotencyKey();
  let request: DonationRequest;
  let reference: string;
  {
    await using before = await startServer({ sandbox, database });
    request = await before.createRequest();
    ({ reference } = await readOutcome(await before.postDonation(request, { key })));
  }
  await using after = await startServer({
    sandbox,
    database,
    form: { ...exampleForm, frequencies: ['monthly'] },
  });
  assert.equal(
    (await readOutcome(await after.postDonation(request, { key }))).reference,
    reference,
  );
  assert.equal((await readProblem(await after.postDonation(request))).code, 'form-outdated');
  sandbox.close();
  await rm(folder, { recursive: true });
});

test('does not charge a donation whose organization is no longer configured', async () => {
  let isDown = true;
  await using server = await startServer({
    intercept: async (request, next) => {
      if (isDown && isCharge(request)) throw new TypeError('down');
      return next(request);
    },
  });
  const key = createIdempotencyKey();
  const request = await server.createRequest();
  const { reference } = await readOutcome(await server.postDonation(request, { key }));
  await server.database.db.updateTable('donations').set({ organization: 'former' }).execute();
  isDown = false;
  const repeated = await readOutcome(await server.postDonation(request, { key }));
  assert.deepEqual([repeated.status, repeated.reference], ['unconfirmed', reference]);
  assert.deepEqual(await server.listCharges(reference), []);
});

test('accepts an ETag that a proxy has weakened', async () => {
  await using server = await startServer();
  assert.equal(
    (
      await server.postDonation({
        ...(await server.createRequest()),
        definition: `W/${server.etag}`,
      })
    ).status,
    200,
  );
});

test('looks up the gift if the platform responds with anything but 200', async () => {
  let time = Date.now();
  await using server = await startServer({
    now: () => time,
    intercept: async (request, next) => {
      const response = await next(request);
      return request.method === 'POST' && request.url.endsWith('/sandbox/gifts')
        ? Response.json(await response.json(), { status: 201 })
        : response;
    },
  });
  await server.postDonation(await server.createRequest());
  time += 61_000;
  server.handler.start();
  await waitUntil(
    async () => (await server.repository.outbox.findNextDueTime('lanternwell')) === undefined,
  );
  assert.equal((await server.listActivities()).length, 1);
});

test("logs that the processor's key is wrong", async () => {
  await using server = await startServer({
    intercept: async (request, next) =>
      request.url.includes('/stripe/') ? Response.json({}, { status: 401 }) : next(request),
  });
  assert.equal(
    (await readOutcome(await server.postDonation(await server.createRequest()))).reason,
    'payment-failed',
  );
  assert.match(server.logLines.join(''), /"level":50.*payment call failed/);
});

test('backs off for a minute after a 429 without a time, or with a time in the past', async () => {
  let time = Date.now();
  await using server = await startServer({
    now: () => time,
    intercept: async (request, next) => {
      const response = await next(request);
      return request.url.includes('/sandbox/gifts')
        ? Response.json(
            { message: 'too many' },
            { status: 429, headers: { 'X-RateLimit-Reset': '1000' } },
          )
        : response;
    },
  });
  for (let index = 0; index < 20; index += 1)
    await server.postDonation(await server.createRequest());
  const countCalls = async (): Promise<number> => {
    await server.handler.runJobs();
    return server.calls.filter((call) => call.endsWith('/sandbox/gifts')).length;
  };
  time += 59_000;
  assert.equal(await countCalls(), 1);
  time += 1_000;
  assert.equal(await countCalls(), 2);
});

test('sends a request ID and nosniff with every response, including errors', async () => {
  await using server = await startServer();
  for (const [method, path] of [
    ['GET', '/healthz'],
    ['POST', '/healthz'],
    ['GET', '/%E2%80%AEnothing'],
    ['POST', '/donations'],
    ['GET', '/form'],
  ] as const) {
    const { headers } = await server.handler.fetch(
      new Request(`https://give.example${path}`, { method }),
    );
    assert.match(headers.get('X-Request-Id') ?? '', /^[\w-]{36}$/, path);
    assert.equal(headers.get('X-Content-Type-Options'), 'nosniff', path);
  }
  assert.ok(!server.logLines.join('').includes('\u202e') && server.logLines.length === 5);
});

test('abandons a charge that never reached the processor after a minute, and charges its key at most once', async () => {
  let time = Date.now();
  let isDown = true;
  const dropChargeRequest: TestServerOptions['intercept'] = async (request, next) => {
    if (isDown && isCharge(request)) throw new TypeError('the request is lost');
    return next(request);
  };
  await using server = await startServer({ intercept: dropChargeRequest, now: () => time });
  const key = createIdempotencyKey();
  assert.equal(
    (await readOutcome(await server.postDonation(await server.createRequest(), { key }))).status,
    'unconfirmed',
  );
  isDown = false;
  time += 21_000;
  server.handler.start();
  await waitUntil(() => server.calls.includes('GET /stripe/v1/payment_intents/:id'));
  assert.equal((await readOutcome(await server.fetchOutcome(key))).status, 'unconfirmed');
  time += 60_000;
  server.handler.start();
  await waitUntil(
    async () => (await readOutcome(await server.fetchOutcome(key))).status === 'failed',
  );
  const { reference, reason } = await readOutcome(await server.fetchOutcome(key));
  assert.equal(reason, 'payment-failed');
  assert.deepEqual(await server.listCharges(reference), []);
});

test('resumes the same donation on a retry after a broken connection', async () => {
  let isDown = true;
  await using server = await startServer({
    intercept: async (request, next) => {
      if (isDown && isCharge(request)) throw new TypeError('the request is lost');
      return next(request);
    },
  });
  const key = createIdempotencyKey();
  const first = await readOutcome(await server.postDonation(await server.createRequest(), { key }));
  assert.equal(first.status, 'unconfirmed');
  isDown = false;
  const second = await readOutcome(
    await server.postDonation(await server.createRequest(), { key }),
  );
  assert.deepEqual([second.status, second.reference], ['succeeded', first.reference]);
  assert.equal((await server.listCharges(first.reference)).length, 1);
});

test('looks up the charge before charging on a retry', async () => {
  let isDown = true;
  await using server = await startServer({
    intercept: async (request, next) => {
      const response = await next(request);
      if (isDown && isCharge(request)) throw new TypeError('the reply is lost');
      return response;
    },
  });
  const key = createIdempotencyKey();
  await server.postDonation(await server.createRequest(), { key });
  isDown = false;
  assert.equal(
    (await readOutcome(await server.postDonation(await server.createRequest(), { key }))).status,
    'succeeded',
  );
  assert.deepEqual(
    server.calls.filter((call) => call === 'POST /stripe/v1/payment_intents/:id/confirm').length,
    2,
    "the charge, and the retry by Stripe's library",
  );
});

test('succeeds while the platform is down, and records the gift when it is back', async () => {
  let time = Date.now();
  let isDown = true;
  await using server = await startServer({
    now: () => time,
    intercept: async (request, next) => {
      if (isDown && request.url.includes('/sandbox/gifts')) throw new TypeError('down');
      return next(request);
    },
  });
  const outcomes = [];
  for (let index = 0; index < 20; index += 1) {
    time += 10;
    outcomes.push(
      await readOutcome(
        await server.postDonation(
          await server.createRequest({ donor: { lastName: `Souza ${index}` } }),
        ),
      ),
    );
  }
  assert.deepEqual(
    new Set(outcomes.map(({ status, response }) => [status, response?.giftId].join())),
    new Set(['succeeded,']),
  );
  assert.deepEqual(await server.listActivities(), []);
  isDown = false;
  time += 3_600_000;
  server.handler.start();
  await waitUntil(async () => (await server.listActivities()).length === 20);
  const inOrder = (await server.listActivities())
    .map(({ displayText }) => /Souza (\d+)/.exec(displayText)?.[1])
    .reverse();
  assert.deepEqual(
    inOrder,
    Array.from({ length: 20 }, (_, index) => String(index)),
  );
});

test('looks up the gift after a lost platform response, and never records it twice', async () => {
  let time = Date.now();
  let losses = 0;
  await using server = await startServer({
    now: () => time,
    intercept: async (request, next) => {
      const response = await next(request);
      if (request.method === 'POST' && request.url.endsWith('/sandbox/gifts')) {
        losses += 1;
        throw new TypeError('the reply is lost');
      }
      return response;
    },
  });
  for (let index = 0; index < 20; index += 1)
    await server.postDonation(
      await server.createRequest({ donor: { email: `ana.${index}@example.org` } }),
    );
  await waitUntil(async () => {
    time += 61_000;
    server.handler.start();
    return (await server.repository.outbox.findNextDueTime('lanternwell')) === undefined;
  });
  assert.deepEqual([losses, (await server.listActivities()).length], [20, 20]);
});

test('marks ambiguous recordings for review if the platform has no lookup, and resends none', async () => {
  let time = Date.now();
  await using server = await startServer({
    now: () => time,
    changePlatform: (platform) => ({ createGift: (gift) => platform.createGift(gift) }),
    intercept: async (request, next) => {
      const response = await next(request);
      if (request.url.endsWith('/sandbox/gifts')) throw new TypeError('the reply is lost');
      return response;
    },
  });
  for (let index = 0; index < 20; index += 1)
    await server.postDonation(
      await server.createRequest({ donor: { email: `ana.${index}@example.org` } }),
    );
  await waitUntil(async () => {
    time += 61_000;
    server.handler.start();
    return (await server.repository.outbox.listByStatus('needs_review', 21)).length === 20;
  });
  assert.equal(server.calls.filter((call) => call === 'POST /sandbox/gifts').length, 20);
});

test('calls no platform whose quota is used up until the next hour', async () => {
  let time = Date.UTC(2026, 10, 21, 10, 59, 0);
  await using server = await startServer({ now: () => time, hourlyLimit: 2 });
  const donateAndGetGiftId = async (): Promise<unknown> =>
    (await readOutcome(await server.postDonation(await server.createRequest()))).response?.giftId;
  assert.deepEqual(
    [
      await donateAndGetGiftId(),
      await donateAndGetGiftId(),
      await donateAndGetGiftId(),
      await donateAndGetGiftId(),
    ],
    [1, 2, null, null],
  );
  assert.equal(server.calls.filter((call) => call === 'POST /sandbox/gifts').length, 2);
  time += 61_000;
  server.handler.start();
  await waitUntil(
    async () => (await server.repository.outbox.findNextDueTime('lanternwell')) === undefined,
  );
  assert.equal(server.calls.filter((call) => call === 'POST /sandbox/gifts').length, 4);
});

test('responds with 404 donation-not-found for an unknown key', async () => {
  await using server = await startServer();
  const response = await server.fetchOutcome(createIdempotencyKey());
  assert.deepEqual(
    [response.status, (await readProblem(response)).code],
    [404, 'donation-not-found'],
  );
});

test('sends the form definition with an ETag, and responds with 304 if it is unchanged', async () => {
  await using server = await startServer();
  const first = await server.handler.fetch(
    new Request('https://give.example/form', { headers: { Origin: ORIGIN } }),
  );
  assert.deepEqual(formDefinition.parse(await first.json()).id, 'main');
  assert.equal(first.headers.get('ETag'), server.etag);
  assert.match(first.headers.get('Access-Control-Expose-Headers') ?? '', /ETag/);
  const second = await server.handler.fetch(
    new Request('https://give.example/form', {
      headers: { Origin: ORIGIN, 'If-None-Match': server.etag },
    }),
  );
  assert.equal(second.status, 304);
});

test('sends custom fields and tracking to the platform', async () => {
  let recorded: Record<string, unknown> = {};
  await using server = await startServer({
    intercept: async (request, next) => {
      if (request.url.endsWith('/sandbox/gifts'))
        recorded = (await request.clone().json()) as Record<string, unknown>;
      return next(request);
    },
  });
  const customFields = [{ id: '12', value: 'Event' }];
  const tracking = { utmSource: 'mail', adClickId: 'x'.repeat(300) };
  assert.equal(
    (await server.postDonation(await server.createRequest({ customFields, tracking }))).status,
    200,
  );
  assert.deepEqual([recorded.customFields, recorded.tracking], [customFields, tracking]);
});

test('keeps keys, tokens, and donor data out of logs and unrelated rows', async () => {
  await using server = await startServer();
  const key = createIdempotencyKey();
  const request = await server.createRequest();
  const { reference } = await readOutcome(await server.postDonation(request, { key }));
  const row = JSON.stringify(await server.repository.findByReference(reference));
  const logs = server.logLines.join('');
  assert.ok(logs.includes('"route":"/donations"'));
  for (const secret of [key, request.payment.token!, 'canary-platform-key', 'canary-secret-key'])
    assert.ok(!row.includes(secret) && !logs.includes(secret), secret);
  assert.doesNotMatch(logs, /canary@|Souza/);
});

/** Returns true for calls about an existing payment intent, such as its confirmation. */
const isCharge = ({ url }: Request): boolean => /\/stripe\/v1\/payment_intents\/./.test(url);

test('rule 63: sends covered fees as a split to the configured project, and splits that add up to the total', async () => {
  const [usd, ...others] = exampleForm.currencies;
  const createFormWithFeeProject = (projectId: string): FormDefinition => ({
    ...exampleForm,
    currencies: [{ ...usd, feeCover: { ...usd.feeCover!, projectId } }, ...others],
  });
  for (const [projectId, expected] of [
    [
      '1',
      [
        ['2', '50.00'],
        ['1', '1.81'],
      ],
    ],
    ['2', [['2', '51.81']]],
  ] as const) {
    await using server = await startServer({ form: createFormWithFeeProject(projectId) });
    const { response } = await readOutcome(await server.postDonation(await server.createRequest()));
    assert.deepEqual(
      [response?.amount, response?.projectSplit.map((part) => [part.projectId, part.amount])],
      [51.81, expected],
    );
  }
});
