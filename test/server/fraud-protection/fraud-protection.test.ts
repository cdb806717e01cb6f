import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Challenge } from 'altcha-lib/types';
import { DONATION_FREQUENCIES } from '../../../src/core/donation/frequency.ts';
import { CHALLENGE_COST } from '../../../src/server/fraud-protection/thresholds.ts';
import { exampleForm } from '../../example-form.ts';
import {
  CARDS,
  createIdempotencyKey,
  ORIGIN,
  readOutcome,
  readProblem,
  startServer,
} from '../support.ts';
import {
  attemptDonation,
  CLIENT_ADDRESS,
  createSolutionHeader,
  createSolutionHeaders,
  declineCards,
  donateConcurrently,
  fetchChallenge,
  sendDonation,
} from './support.ts';

const HOUR = 3_600_000;

test('requires nothing of a donor, even after one declined card', async () => {
  await using server = await startServer();
  assert.equal(await fetchChallenge(server, CLIENT_ADDRESS), undefined);
  assert.equal(await attemptDonation(server, { card: CARDS.declined }), '402 failed');
  assert.equal(await fetchChallenge(server, CLIENT_ADDRESS), undefined);
  assert.equal(await attemptDonation(server), '200 succeeded');
});

test('requires a proof of work after two declines, saves nothing without one, and accepts the same key with one', async () => {
  await using server = await startServer({ challengeCost: CHALLENGE_COST });
  await declineCards(server, 2, () => CLIENT_ADDRESS);
  const key = createIdempotencyKey();
  const calls = server.calls.length;
  assert.equal(await attemptDonation(server, { key }), '403 challenge-required');
  assert.equal((await server.fetchOutcome(key)).status, 404);
  assert.equal(server.calls.length, calls);
  const headers = await createSolutionHeader(server);
  assert.equal(await attemptDonation(server, { key, headers }), '200 succeeded');
  const { challenge, solution } = JSON.parse(
    Buffer.from(headers['Challenge-Solution']!, 'base64').toString(),
  ) as { challenge: Challenge; solution: { counter: number } };
  const { algorithm, cost } = challenge.parameters;
  assert.deepEqual([algorithm, cost], ['PBKDF2/SHA-256', CHALLENGE_COST.rounds]);
  const { minTries: fewest, maxTries: most } = CHALLENGE_COST;
  assert.ok(solution.counter >= fewest && solution.counter <= most, `${solution.counter} tries`);
  assert.equal(
    await attemptDonation(server, { clientAddress: '203.0.113.10' }),
    '200 succeeded',
    'other clients need no proof of work',
  );
});

test('announces a required proof of work before the donation, and offers a challenge on request otherwise', async () => {
  await using server = await startServer();
  assert.ok(await fetchChallenge(server, CLIENT_ADDRESS, 'form=main&required=true'));
  await declineCards(server, 2, () => CLIENT_ADDRESS);
  const { parameters } = (await fetchChallenge(server, CLIENT_ADDRESS))!;
  assert.deepEqual(
    Object.keys(parameters).sort(),
    ['algorithm', 'cost', 'expiresAt', 'keyLength', 'keyPrefix', 'keySignature', 'nonce', 'salt'],
    'the challenge does not identify the client',
  );
  assert.equal((await server.fetch('/challenge?form=none')).status, 404);
});

test('accepts a proof of work only once if it is sent 100 times', async () => {
  await using server = await startServer();
  await declineCards(server, 20);
  const headers = await createSolutionHeader(server);
  const result = await donateConcurrently(
    server,
    Array.from({ length: 100 }, (_, index) => ({ clientAddress: `192.0.2.${index}`, headers })),
  );
  assert.deepEqual(result, { '200 succeeded': 1, '403 challenge-required': 99 });
});

test('rejects a proof of work that is expired, altered, forged, or from another server', async () => {
  let time = Date.now();
  await using server = await startServer({ now: () => time });
  await using other = await startServer();
  await declineCards(server, 20);
  time -= HOUR;
  const expired = await createSolutionHeader(server);
  time += HOUR;
  const good = (await createSolutionHeader(server))['Challenge-Solution']!;
  const read = JSON.parse(Buffer.from(good, 'base64').toString()) as {
    challenge: { parameters: object; signature: string };
    solution: { counter: number; derivedKey: string };
  };
  const { challenge, solution } = read;
  const { parameters, signature } = challenge;
  const now = Math.floor(Date.now() / 1_000);
  const changeParameters = (change: object): object => ({
    challenge: { ...challenge, parameters: { ...parameters, ...change } },
    solution,
  });
  const altered = [
    changeParameters({ cost: 1 }),
    changeParameters({ expiresAt: now + 86_400 }),
    changeParameters({ expiresAt: 1e15 }),
    { challenge: { ...challenge, signature: signature.toUpperCase() }, solution },
    { challenge, solution: { ...solution, derivedKey: '00'.repeat(32) } },
    { challenge, solution: { counter: solution.counter } },
    { challenge: { parameters }, solution },
    {},
    [],
    null,
    'x',
    {
      challenge: { ...challenge, parameters: { expiresAt: now + 60 } },
      solution: { counter: -1, derivedKey: 'zz' },
    },
  ].map((changed) => Buffer.from(JSON.stringify(changed)).toString('base64'));
  for (const header of [
    expired['Challenge-Solution']!,
    (await createSolutionHeader(other))['Challenge-Solution']!,
    ...altered,
    'not base64 }',
    '',
    'A'.repeat(3_000),
  ]) {
    assert.equal(
      await attemptDonation(server, { headers: { 'Challenge-Solution': header } }),
      '403 challenge-required',
      Buffer.from(header, 'base64').toString().slice(0, 300),
    );
  }
  assert.equal(
    await attemptDonation(server, { headers: { 'Challenge-Solution': good } }),
    '200 succeeded',
  );
});

for (const [trustedProxies, connected] of [
  [0, CLIENT_ADDRESS],
  [1, '127.0.0.1'],
  [2, '127.0.0.1'],
] as const) {
  const times = 100;
  test(`recognizes one client behind ${trustedProxies} proxies in ${times} forged X-Forwarded-For headers`, async () => {
    await using server = await startServer({ trustedProxies });
    const real = [[], [CLIENT_ADDRESS], [CLIENT_ADDRESS, '10.0.0.2']][trustedProxies]!;
    const createForgedHeader = (index: number): Record<string, string> => ({
      'X-Forwarded-For': [`198.51.${index % 256}.${index >> 8}`, ...real].join(', '),
    });
    for (const index of [0, 1])
      await attemptDonation(server, {
        clientAddress: connected,
        card: CARDS.declined,
        headers: createForgedHeader(index),
      });
    assert.deepEqual(
      await donateConcurrently(
        server,
        Array.from({ length: times }, (_, index) => ({
          clientAddress: connected,
          headers: createForgedHeader(index),
        })),
      ),
      { '403 challenge-required': times },
    );
    if (trustedProxies > 0)
      assert.equal(
        await attemptDonation(server, {
          clientAddress: connected,
          headers: { 'X-Forwarded-For': ['198.51.100.7', ...real.slice(1)].join(', ') },
        }),
        '200 succeeded',
        'another client',
      );
  });
}

test('logs once that requests come through a proxy that is not configured', async () => {
  await using server = await startServer();
  for (let times = 0; times < 3; times += 1)
    await attemptDonation(server, {
      clientAddress: '127.0.0.1',
      headers: { 'X-Forwarded-For': CLIENT_ADDRESS },
    });
  assert.equal(server.logLines.filter((line) => line.includes('listen.trustedProxies')).length, 1);
});

test('counts a /64 network, so a card tester cannot avoid the proof of work with its other addresses', async () => {
  await using server = await startServer();
  await declineCards(server, 4, (index) => `2001:db8:1:2::${index}`);
  assert.equal(
    await attemptDonation(server, { clientAddress: '2001:db8:1:2::ffff' }),
    '403 challenge-required',
  );
  assert.equal(
    await attemptDonation(server, { clientAddress: '2001:db8:1:3::1' }),
    '200 succeeded',
  );
});

test('counts an email in any spelling and from any IP address', async () => {
  await using server = await startServer();
  for (const [index, email] of ['tester@example.org', 'Tester+1@Example.org'].entries())
    assert.equal(
      await attemptDonation(server, {
        clientAddress: `198.51.100.${index}`,
        email,
        card: CARDS.declined,
      }),
      '402 failed',
    );
  assert.equal(
    await attemptDonation(server, {
      clientAddress: '198.51.100.9',
      email: 'tester+x@example.org',
    }),
    '403 challenge-required',
  );
  assert.equal(
    await attemptDonation(server, { clientAddress: null, email: 'TESTER@example.org' }),
    '403 challenge-required',
  );
});

test(
  'accepts 60 donations in ten minutes from one school, with three declined cards and the required proofs of work',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    const results: string[] = [];
    const donateAsPupil = async (index: number): Promise<void> => {
      const gift = {
        card: [20, 40, 50].includes(index) ? CARDS.declined : CARDS.good,
        key: createIdempotencyKey(),
      };
      const first = await attemptDonation(server, gift);
      results.push(
        first === '403 challenge-required'
          ? await attemptDonation(server, { ...gift, headers: await createSolutionHeader(server) })
          : first,
      );
    };
    for (let index = 0; index < 60; index += 6)
      await Promise.all([0, 1, 2, 3, 4, 5].map((place) => donateAsPupil(index + place)));
    assert.deepEqual(results.sort(), [
      ...Array<string>(57).fill('200 succeeded'),
      ...Array<string>(3).fill('402 failed'),
    ]);
  },
);

test('blocks only the IP address with twelve declines for the rest of ten minutes, even with proofs and good cards', async () => {
  await using server = await startServer();
  for (let index = 0; index < 12; index += 1)
    assert.equal(
      await attemptDonation(server, {
        card: CARDS.declined,
        headers: index < 2 ? {} : await createSolutionHeader(server),
      }),
      '402 failed',
    );
  const key = createIdempotencyKey();
  const response = await sendDonation(server, {
    key,
    headers: await createSolutionHeader(server),
  });
  const wait = Number(response.headers.get('Retry-After'));
  assert.ok(wait > 500 && wait <= 600, String(wait));
  const { code, detail } = await readProblem(response);
  assert.deepEqual([response.status, code], [429, 'too-many-requests']);
  assert.doesNotMatch(detail, /address|declin|card|e-mail/i);
  assert.equal((await server.fetchOutcome(key)).status, 404);
  assert.equal(await attemptDonation(server, { clientAddress: '203.0.113.10' }), '200 succeeded');
});

test(
  'after 20 declines on a form, requires a proof of work from everyone, and blocks clients with three declines out of three',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    await declineCards(server, 19);
    assert.equal(await fetchChallenge(server, CLIENT_ADDRESS), undefined);
    await attemptDonation(server, { clientAddress: '198.51.100.200', card: CARDS.declined });
    assert.equal(
      server.logLines.filter((line) => line.includes('possible card testing')).length,
      1,
    );
    assert.ok(await fetchChallenge(server, CLIENT_ADDRESS));
    assert.equal(await attemptDonation(server), '403 challenge-required');
    assert.equal(
      await attemptDonation(server, { headers: await createSolutionHeader(server) }),
      '200 succeeded',
    );
    const address = '198.51.100.201';
    for (let index = 0; index < 3; index += 1)
      assert.equal(
        await attemptDonation(server, {
          clientAddress: address,
          card: CARDS.declined,
          headers: await createSolutionHeader(server),
        }),
        '402 failed',
      );
    for (let index = 0; index < 8; index += 1)
      assert.equal(
        await attemptDonation(server, { clientAddress: address }),
        '429 too-many-requests',
        'rejected requests do not reduce the share of declines',
      );
  },
);

test('requires proofs of work during a flood of concurrent donations, before any is declined', async () => {
  await using server = await startServer({ maxConcurrentCharges: 64 });
  const result = await donateConcurrently(
    server,
    Array.from({ length: 200 }, (_, index) => ({
      clientAddress: `198.51.${index >> 8}.${index & 255}`,
      card: CARDS.declined,
    })),
  );
  assert.deepEqual(result, { '402 failed': 64, '403 challenge-required': 136 });
});

test('counts 50 concurrent requests with one key as one attempt that needs one proof of work', async () => {
  await using server = await startServer();
  await declineCards(server, 20);
  const request = await server.createRequest();
  const key = createIdempotencyKey();
  const headers = await createSolutionHeader(server);
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => server.postDonation(request, { key, headers })),
  );
  assert.deepEqual([...new Set(responses.map(({ status }) => status))], [200]);
  assert.equal(
    (await server.postDonation(request, { key })).status,
    200,
    'an accepted key needs no proof of work',
  );
});

test('rejects a donation with a filled honeypot like any other, and does not save it', async () => {
  await using server = await startServer();
  const key = createIdempotencyKey();
  const { status, headers } = await sendDonation(server, {
    key,
    form: { website: 'https://spam.example' },
  });
  assert.deepEqual([status, headers.get('Retry-After')], [429, '600']);
  assert.equal((await server.fetchOutcome(key)).status, 404);
  assert.equal(await attemptDonation(server, { key }), '200 succeeded');
});

test('rejects requests that a browser marks as a form or link, and accepts those without such headers', async () => {
  await using server = await startServer();
  assert.equal(
    await attemptDonation(server, {
      headers: {
        'Sec-Fetch-Mode': 'cors',
        'Sec-Fetch-Dest': 'empty',
        'Sec-Fetch-Site': 'cross-site',
      },
    }),
    '200 succeeded',
  );
  for (const [name, found] of [
    ['Mode', 'navigate'],
    ['Mode', 'no-cors'],
    ['Mode', ''],
    ['Dest', 'document'],
    ['Dest', 'iframe'],
    ['Dest', 'script'],
  ] as const)
    assert.equal(
      await attemptDonation(server, { headers: { [`Sec-Fetch-${name}`]: found } }),
      '403 origin-not-allowed',
      found,
    );
  for (const path of ['/donations/confirm', '/donations/cancel', '/settings-report']) {
    const response = await server.postJson(path, {}, { headers: { 'Sec-Fetch-Mode': 'navigate' } });
    assert.equal((await readProblem(response)).code, 'origin-not-allowed', path);
  }
});

test("rejects a page whose origin differs from the sender's", async () => {
  await using server = await startServer();
  for (const page of [
    'https://other.example/give',
    `${ORIGIN}:8443/give`,
    ORIGIN.replace('https', 'http'),
  ])
    assert.equal(await attemptDonation(server, { form: { page } }), '403 origin-not-allowed', page);
  assert.equal(
    await attemptDonation(server, { form: { page: `${ORIGIN}/elsewhere` } }),
    '200 succeeded',
  );
});

test('limits status requests, but allows frequent ones', async () => {
  await using server = await startServer();
  const key = createIdempotencyKey();
  await attemptDonation(server, { key });
  const statuses = await Promise.all(
    Array.from(
      { length: 1_300 },
      async () => (await server.fetchOutcome(key, CLIENT_ADDRESS)).status,
    ),
  );
  assert.deepEqual(statuses.sort(), [
    ...Array<number>(1_200).fill(200),
    ...Array<number>(100).fill(429),
  ]);
  const limited = await server.fetchOutcome(key, CLIENT_ADDRESS);
  assert.ok(Number(limited.headers.get('Retry-After')) <= 60);
  assert.equal((await server.fetchOutcome(key, '203.0.113.10')).status, 200);
  assert.equal((await server.fetchOutcome(key)).status, 200, 'no limit without a client address');
});

test('limits reports of ignored settings and challenges', async () => {
  await using server = await startServer();
  const report = { form: 'main', ignored: [{ name: 'amt', reason: 'invalid' }] };
  for (const [times, send] of [
    [130, () => server.postJson('/settings-report', report, { address: CLIENT_ADDRESS })],
    [310, () => server.fetch('/challenge?form=main', {}, CLIENT_ADDRESS)],
  ] as const) {
    const responses = await Promise.all(Array.from({ length: times }, send));
    assert.equal(responses.filter(({ status }) => status === 429).length, 10);
  }
});

test('reports a decline without its reason', async () => {
  await using server = await startServer();
  const response = await sendDonation(server, { card: CARDS.declined });
  const text = await response.clone().text();
  assert.equal((await readOutcome(response)).reason, 'card-declined');
  assert.doesNotMatch(
    text,
    /insufficient|funds|fraud|stolen|lost_|cvc|expired|do_not_honor|decline_code/i,
  );
});

test('enforces the minimum amount for every frequency', async () => {
  await using server = await startServer({
    form: { ...exampleForm, frequencies: [...DONATION_FREQUENCIES] },
  });
  const { minimum } = exampleForm.currencies[0];
  const amount = minimum - 1;
  for (const frequency of DONATION_FREQUENCIES) {
    const response = await server.postDonation(
      await server.createRequest({
        gift: {
          frequency,
          amount,
          coverCosts: false,
          coveredFees: 0,
          total: amount,
          projects: [{ id: '2', amount }],
        },
      }),
    );
    assert.equal((await readProblem(response)).code, 'amount-too-small', frequency);
  }
});

for (const [network, attempts, getAddress] of [
  ['address', 12, () => CLIENT_ADDRESS],
  ['IPv6 network', 24, (index: number) => `2001:db8::${index}`],
] as const)
  test(`tries at most ${attempts} of 40 cards that arrive at once from one ${network}`, async () => {
    await using server = await startServer();
    const solutions = await createSolutionHeaders(server, 40);
    assert.deepEqual(
      await donateConcurrently(
        server,
        solutions.map((headers, index) => ({
          card: CARDS.declined,
          headers,
          clientAddress: getAddress(index),
        })),
      ),
      { '402 failed': attempts, '429 too-many-requests': 40 - attempts },
    );
  });

test('accepts 100 donations that arrive at once from one address, with three declined cards', async () => {
  await using server = await startServer();
  const headers = await createSolutionHeaders(server, 103);
  assert.deepEqual(
    await donateConcurrently(
      server,
      headers.map((solution, index) => ({
        card: [0, 40, 90].includes(index) ? CARDS.declined : CARDS.good,
        headers: solution,
      })),
    ),
    { '402 failed': 3, '200 succeeded': 100 },
  );
});
