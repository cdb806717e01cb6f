import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { formDefinition } from '../../../src/core/schemas/form-definition.ts';
import type { DonationRequest } from '../../../src/core/schemas/donation-request.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { exampleForm } from '../../example-form.ts';
import { waitUntil } from '../../wait-until.ts';
import {
  CARDS,
  ORIGIN,
  PLATFORM_KEY,
  SECRET_KEY,
  createIdempotencyKey,
  startServer,
  readOutcome,
  readProblem,
  type TestServerOptions,
} from '../support.ts';

test("a gift is charged once, recorded once, and answered with the specification's DonateResponse", async () => {
  await using server = await startServer();
  const { reference, status, response } = await readOutcome(
    await server.postDonation(await server.createRequest({ gift: { frequency: 'monthly' } })),
  );
  assert.equal(status, 'succeeded');
  assert.match(reference, /^[2-9A-HJ-NP-TV-Z]{5}-[2-9A-HJ-NP-TV-Z]{5}$/);
  assert.match(response?.transactionId ?? '', /^pay_/);
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
    (await server.listCharges(reference)).map(({ state, amount }) => [state, amount]),
    [['succeeded', 5_181]],
  );
  assert.deepEqual(
    (await server.listActivities()).map(({ displayText }) => displayText),
    [`Ana Souza gave 51.81 USD monthly to Village wells (${reference})`],
  );
  assert.deepEqual(server.calls, [
    'POST /processor/payments',
    'POST /processor/payments/:id/confirm',
    'POST /sandbox/gifts',
  ]);
});

test('rule 29: a one-time gift carries no frequency', async () => {
  await using server = await startServer();
  const { response } = await readOutcome(await server.postDonation(await server.createRequest()));
  assert.ok(response && !('frequency' in response));
});

test('a declined card is an outcome, charges nothing, and is final for its key', async () => {
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
  assert.deepEqual(
    (await server.listCharges(reference)).map(({ state }) => state),
    ['declined'],
  );
  assert.deepEqual(await server.listActivities(), []);
});

test('50 parallel submissions of one key are one charge, one gift, 50 equal outcomes', async () => {
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
    'POST /processor/payments',
    'POST /processor/payments/:id/confirm',
    'POST /sandbox/gifts',
  ]);
  assert.deepEqual(await readOutcome(await server.fetchOutcome(key)), outcomes[0]);
});

test('one key with altered gifts or donors: 422 each time', async () => {
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

test('a lost reply of the processor is looked up: one charge and one gift each', async () => {
  await using server = await startServer();
  for (let index = 0; index < 20; index += 1) {
    const { status, reference } = await readOutcome(
      await server.postDonation(
        await server.createRequest({
          card: CARDS.losesReply,
          donor: { email: `${index}@example.org` },
        }),
      ),
    );
    assert.equal(status, 'succeeded');
    assert.equal((await server.listCharges(reference)).length, 1);
  }
  assert.equal((await server.listActivities()).length, 20);
});

test('a processor that cannot be reached charges nothing and says so', async () => {
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

test('while a charge is not known the outcome is checking, and it is looked up until it is', async () => {
  let time = Date.now();
  let isDown = true;
  const fault: TestServerOptions['intercept'] = async (request, next) => {
    const response = await next(request);
    if (isDown && isCharge(request)) throw new TypeError('the reply is lost');
    return response;
  };
  await using server = await startServer({ intercept: fault, now: () => time });
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

test('an unknown charge is looked up by itself, with nobody asking and no other gift given', async () => {
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
    return server.calls.includes('GET /processor/payments/:id');
  });
});

test('a charge of another amount than the gift is held for a person, and never said to have succeeded', async () => {
  await using server = await startServer({
    intercept: async (request, next) => {
      const response = await next(request);
      return request.url.includes('/processor/payments')
        ? new Response((await response.text()).replace('5181', '51810'), response)
        : response;
    },
  });
  const { status, reference } = await readOutcome(
    await server.postDonation(await server.createRequest()),
  );
  assert.equal(status, 'unconfirmed');
  const row = await server.repository.findByReference(reference);
  assert.deepEqual(
    [row?.status, (row?.last_error ?? '').includes('51810 minor units of USD (pay_')],
    ['needs_review', true],
  );
  assert.deepEqual(await server.listActivities(), []);
});

test('a refused retry does not end a gift whose first charge may still be on its way', async () => {
  let calls = 0;
  await using server = await startServer({
    intercept: async (request, next) => {
      if (!isCharge(request)) return next(request);
      calls += 1;
      if (calls <= 2) throw new TypeError('no answer');
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

test('a gift that the platform does not know yet is not sent again while the first call may still be on its way', async () => {
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

test('unknown charges do not keep charged gifts from being recorded', async () => {
  let time = Date.now();
  let isDown = true;
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await using server = await startServer({
    now: () => time,
    intercept: async (request, next) => {
      if (isDown && isCharge(request)) throw new TypeError('down');
      if (request.method === 'GET' && request.url.includes('/processor/')) await answered;
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
  answer();
});

test('a retry of an accepted gift is answered even where the form has changed since', async () => {
  const sandbox = createSandbox({ platformKey: PLATFORM_KEY, secretKey: SECRET_KEY });
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

test('a tag that a proxy has weakened names the same form', async () => {
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

test('a platform that answers anything but 200 leaves open whether it recorded: the gift is looked up', async () => {
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

test('a wrong key of the processor is said in the log', async () => {
  await using server = await startServer({
    intercept: async (request, next) =>
      request.url.includes('/processor/') ? Response.json({}, { status: 401 }) : next(request),
  });
  assert.equal(
    (await readOutcome(await server.postDonation(await server.createRequest()))).reason,
    'payment-failed',
  );
  assert.match(server.logLines.join(''), /"level":50.*payment call failed/);
});

test('a 429 that names no time, or one that is past, brings a minute of silence', async () => {
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
  time += 59_000;
  server.handler.start();
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal(server.calls.filter((call) => call.endsWith('/sandbox/gifts')).length, 1);
});

test('every answer names its request and forbids sniffing, refusals and unknown addresses too', async () => {
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

test('a charge that never reached the processor is given up after a minute, and its key stays charged at most once', async () => {
  let time = Date.now();
  let isDown = true;
  const fault: TestServerOptions['intercept'] = async (request, next) => {
    if (isDown && isCharge(request)) throw new TypeError('the request is lost');
    return next(request);
  };
  await using server = await startServer({ intercept: fault, now: () => time });
  const key = createIdempotencyKey();
  assert.equal(
    (await readOutcome(await server.postDonation(await server.createRequest(), { key }))).status,
    'unconfirmed',
  );
  isDown = false;
  time += 21_000;
  server.handler.start();
  await waitUntil(() => server.calls.includes('GET /processor/payments/:id'));
  assert.equal((await readOutcome(await server.fetchOutcome(key))).status, 'unconfirmed');
  time += 60_000;
  server.handler.start();
  await waitUntil(
    async () => (await readOutcome(await server.fetchOutcome(key))).status === 'failed',
  );
  const { reference, reason } = await readOutcome(await server.fetchOutcome(key));
  assert.equal(reason, 'payment-failed');
  assert.deepEqual(
    (await server.listCharges(reference)).map((charge) => charge.state),
    ['canceled'],
  );
});

test('a retry after a cut-off goes on with the same gift', async () => {
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

test('a retry looks the charge up before it charges', async () => {
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
    server.calls.filter((call) => call === 'POST /processor/payments/:id/confirm').length,
    1,
  );
});

test('with the platform down a charged gift has succeeded, and is recorded when it is back', async () => {
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

test('a lost reply of the platform is looked up and never recorded twice', async () => {
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

test('without a look-up ambiguous recordings are held for a person, and none is sent again', async () => {
  let time = Date.now();
  await using server = await startServer({
    now: () => time,
    canFindGifts: false,
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

test('a platform whose calls are used up is left alone until the hour starts anew', async () => {
  let time = Date.UTC(2026, 10, 21, 10, 59, 0);
  await using server = await startServer({ now: () => time, hourlyLimit: 2 });
  const donate = async (): Promise<unknown> =>
    (await readOutcome(await server.postDonation(await server.createRequest()))).response?.giftId;
  assert.deepEqual(
    [await donate(), await donate(), await donate(), await donate()],
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

test('asking for a key under which nothing was accepted: 404 donation-not-found', async () => {
  await using server = await startServer();
  const response = await server.fetchOutcome(createIdempotencyKey());
  assert.deepEqual(
    [response.status, (await readProblem(response)).code],
    [404, 'donation-not-found'],
  );
});

test("the form's definition comes with an ETag, and is not sent twice", async () => {
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

test('custom fields and tracking reach the platform with the gift', async () => {
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

test('no key, token or donor reaches a log or a row that should not have it', async () => {
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

/** Whether a call takes the money of a payment that was opened, or asks for it. */
const isCharge = ({ url }: Request): boolean => /\/processor\/payments\/./.test(url);
