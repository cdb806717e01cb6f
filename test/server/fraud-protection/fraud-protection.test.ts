import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Challenge } from 'altcha-lib/types';
import { DONATION_FREQUENCIES } from '../../../src/core/donation/frequency.ts';
import { CHALLENGE_COST } from '../../../src/server/fraud-protection/thresholds.ts';
import { exampleForm } from '../../example-form.ts';
import {
  CLIENT_ADDRESS,
  declineCards,
  fetchChallenge,
  attemptDonation,
  donateConcurrently,
  createSolutionHeader,
  createSolutionHeaders,
} from './support.ts';
import {
  CARDS,
  ORIGIN,
  createIdempotencyKey,
  startServer,
  readOutcome,
  readProblem,
} from '../support.ts';

const HOUR = 3_600_000;

test('requires nothing of a donor, even after one declined card', async () => {
  await using server = await startServer();
  assert.equal(await fetchChallenge(server, CLIENT_ADDRESS), undefined);
  assert.equal((await attemptDonation(server, { card: CARDS.declined })).result, '402 failed');
  assert.equal(await fetchChallenge(server, CLIENT_ADDRESS), undefined);
  assert.equal((await attemptDonation(server)).result, '200 succeeded');
});

test('requires a proof of work after two declines, saves nothing without one, and accepts the same key with one', async () => {
  await using server = await startServer({ challengeCost: CHALLENGE_COST });
  for (let attempts = 0; attempts < 2; attempts += 1)
    await attemptDonation(server, { card: CARDS.declined });
  const key = createIdempotencyKey();
  const calls = server.calls.length;
  const refused = await attemptDonation(server, { key });
  assert.equal(refused.result, '403 challenge-required');
  assert.equal((await server.fetchOutcome(key)).status, 404);
  assert.equal(server.calls.length, calls);
  const headers = await createSolutionHeader(server);
  assert.equal((await attemptDonation(server, { key, headers })).result, '200 succeeded');
  const { challenge, solution } = JSON.parse(
    Buffer.from(headers['Challenge-Solution']!, 'base64').toString(),
  ) as { challenge: Challenge; solution: { counter: number } };
  const { algorithm, cost } = challenge.parameters;
  assert.deepEqual([algorithm, cost], ['PBKDF2/SHA-256', CHALLENGE_COST.rounds]);
  const { minTries: fewest, maxTries: most } = CHALLENGE_COST;
  assert.ok(solution.counter >= fewest && solution.counter <= most, `${solution.counter} tries`);
  assert.equal(
    (await attemptDonation(server, { clientAddress: '203.0.113.10' })).result,
    '200 succeeded',
    'other clients need no proof of work',
  );
});

test('announces a required proof of work before the donation, and offers a challenge on request otherwise', async () => {
  await using server = await startServer();
  assert.ok(await fetchChallenge(server, CLIENT_ADDRESS, 'form=main&required=true'));
  for (let attempts = 0; attempts < 2; attempts += 1)
    await attemptDonation(server, { card: CARDS.declined });
  const { parameters } = (await fetchChallenge(server, CLIENT_ADDRESS))!;
  assert.deepEqual(
    Object.keys(parameters).sort(),
    ['algorithm', 'cost', 'expiresAt', 'keyLength', 'keyPrefix', 'keySignature', 'nonce', 'salt'],
    'the challenge does not identify the client',
  );
  assert.equal(
    (await server.handler.fetch(new Request('https://give.example/challenge?form=none'))).status,
    404,
  );
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
  const encodeSolution = (changed: unknown): string =>
    Buffer.from(JSON.stringify(changed)).toString('base64');
  const { challenge, solution } = read;
  const { parameters, signature } = challenge;
  const altered = [
    { challenge: { ...challenge, parameters: { ...parameters, cost: 1 } }, solution },
    {
      challenge: {
        ...challenge,
        parameters: { ...parameters, expiresAt: Math.floor(Date.now() / 1_000) + 86_400 },
      },
      solution,
    },
    { challenge: { ...challenge, parameters: { ...parameters, expiresAt: 1e15 } }, solution },
    { challenge: { ...challenge, signature: signature.toUpperCase() }, solution },
    { challenge, solution: { ...solution, derivedKey: '00'.repeat(32) } },
    { challenge, solution: { counter: solution.counter } },
    { challenge: { parameters }, solution },
    {},
    [],
    null,
    'x',
    {
      challenge: { ...challenge, parameters: { expiresAt: Math.floor(Date.now() / 1_000) + 60 } },
      solution: { counter: -1, derivedKey: 'zz' },
    },
  ].map(encodeSolution);
  for (const header of [
    expired['Challenge-Solution']!,
    (await createSolutionHeader(other))['Challenge-Solution']!,
    ...altered,
    'not base64 }',
    '',
    'A'.repeat(3_000),
  ]) {
    assert.equal(
      (await attemptDonation(server, { headers: { 'Challenge-Solution': header } })).result,
      '403 challenge-required',
      Buffer.from(header, 'base64').toString().slice(0, 300),
    );
  }
  assert.equal(
    (await attemptDonation(server, { headers: { 'Challenge-Solution': good } })).result,
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
    for (let index = 0; index < 2; index += 1)
      await attemptDonation(server, {
        clientAddress: connected,
        card: CARDS.declined,
        headers: createForgedHeader(index),
      });
    assert.deepEqual(
      await donateConcurrently(
        server,
        Array.from({ length: times }, (_, index) => ({
          address: connected,
          headers: createForgedHeader(index),
        })),
      ),
      { '403 challenge-required': times },
    );
    if (trustedProxies > 0)
      assert.equal(
        (
          await attemptDonation(server, {
            clientAddress: connected,
            headers: { 'X-Forwarded-For': ['198.51.100.7', ...real.slice(1)].join(', ') },
          })
        ).result,
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
  for (let index = 0; index < 4; index += 1)
    assert.equal(
      (
        await attemptDonation(server, {
          clientAddress: `2001:db8:1:2::${index}`,
          card: CARDS.declined,
        })
      ).result,
      '402 failed',
    );
  assert.equal(
    (await attemptDonation(server, { clientAddress: '2001:db8:1:2::ffff' })).result,
    '403 challenge-required',
  );
  assert.equal(
    (await attemptDonation(server, { clientAddress: '2001:db8:1:3::1' })).result,
    '200 succeeded',
  );
});

test('counts an email in any spelling and from any IP address', async () => {
  await using server = await startServer();
  for (const [index, email] of ['tester@example.org', 'Tester+1@Example.org'].entries())
    assert.equal(
      (
        await attemptDonation(server, {
          clientAddress: `198.51.100.${index}`,
          email,
          card: CARDS.declined,
        })
      ).result,
      '402 failed',
    );
  assert.equal(
    (
      await attemptDonation(server, {
        clientAddress: '198.51.100.9',
        email: 'tester+x@example.org',
      })
    ).result,
    '403 challenge-required',
  );
  assert.equal(
    (await attemptDonation(server, { clientAddress: undefined, email: 'TESTER@example.org' }))
      .result,
    '403 challenge-required',
  );
});

test(
  'accepts 60 donations in ten minutes from one school, with three declined cards and the required proofs of work',
  { timeout: 60_000 },
  async () => {
    await using server = await startServer();
    const result: string[] = [];
    const donateAsPupil = async (index: number): Promise<void> => {
      const gift = {
        card: [20, 40, 50].includes(index) ? CARDS.declined : CARDS.good,
        key: createIdempotencyKey(),
      };
      const first = await attemptDonation(server, gift);
      result.push(
        first.result === '403 challenge-required'
          ? (
              await attemptDonation(server, {
                ...gift,
                headers: await createSolutionHeader(server),
              })
            ).result
          : first.result,
      );
    };
    for (let index = 0; index < 60; index += 6)
      await Promise.all([0, 1, 2, 3, 4, 5].map((place) => donateAsPupil(index + place)));
    assert.deepEqual(
      [
        result.filter((one) => one === '200 succeeded').length,
        result.filter((one) => one === '402 failed').length,
      ],
      [57, 3],
    );
  },
);

test('blocks only the IP address with twelve declines for the rest of ten minutes, even with proofs and good cards', async () => {
  await using server = await startServer();
  for (let index = 0; index < 12; index += 1)
    assert.equal(
      (
        await attemptDonation(server, {
          card: CARDS.declined,
          headers: index < 2 ? {} : await createSolutionHeader(server),
        })
      ).result,
      '402 failed',
    );
  const key = createIdempotencyKey();
  const { result, response } = await attemptDonation(server, {
    key,
    headers: await createSolutionHeader(server),
  });
  const wait = Number(response.headers.get('Retry-After'));
  assert.equal(result, '429 too-many-requests');
  assert.ok(wait > 500 && wait <= 600, String(wait));
  assert.doesNotMatch((await readProblem(response)).detail, /address|declin|card|e-mail/i);
  assert.equal((await server.fetchOutcome(key)).status, 404);
  assert.equal(
    (await attemptDonation(server, { clientAddress: '203.0.113.10' })).result,
    '200 succeeded',
  );
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
    assert.equal((await attemptDonation(server)).result, '403 challenge-required');
    assert.equal(
      (await attemptDonation(server, { headers: await createSolutionHeader(server) })).result,
      '200 succeeded',
    );
    const address = '198.51.100.201';
    for (let index = 0; index < 3; index += 1)
      assert.equal(
        (
          await attemptDonation(server, {
            clientAddress: address,
            card: CARDS.declined,
            headers: await createSolutionHeader(server),
          })
        ).result,
        '402 failed',
      );
    for (let index = 0; index < 8; index += 1)
      assert.equal(
        (await attemptDonation(server, { clientAddress: address })).result,
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
  const { '402 failed': declined = 0, '403 challenge-required': asked = 0 } = result;
  assert.ok(declined > 0 && declined <= 64, JSON.stringify(result));
  assert.equal(declined + asked, 200);
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
  const { result, response } = await attemptDonation(server, {
    key,
    form: { website: 'https://spam.example' },
  });
  assert.equal(result, '429 too-many-requests');
  assert.equal(response.headers.get('Retry-After'), '600');
  assert.equal((await server.fetchOutcome(key)).status, 404);
  assert.equal((await attemptDonation(server, { key })).result, '200 succeeded');
});

test('rejects requests that a browser marks as a form or link, and accepts those without such headers', async () => {
  await using server = await startServer();
  const donateWithHeaders = async (headers: Record<string, string>): Promise<string> =>
    (await attemptDonation(server, { headers })).result;
  assert.equal(
    await donateWithHeaders({
      'Sec-Fetch-Mode': 'cors',
      'Sec-Fetch-Dest': 'empty',
      'Sec-Fetch-Site': 'cross-site',
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
      await donateWithHeaders({ [`Sec-Fetch-${name}`]: found }),
      '403 origin-not-allowed',
      found,
    );
  for (const path of ['/donations/confirm', '/donations/cancel', '/settings-report']) {
    const response = await server.handler.fetch(
      new Request(`https://give.example${path}`, {
        method: 'POST',
        body: '{}',
        headers: {
          Origin: ORIGIN,
          'Content-Type': 'application/json',
          'Idempotency-Key': createIdempotencyKey(),
          'Sec-Fetch-Mode': 'navigate',
        },
      }),
    );
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
    assert.equal(
      (await attemptDonation(server, { form: { page } })).result,
      '403 origin-not-allowed',
      page,
    );
  assert.equal(
    (await attemptDonation(server, { form: { page: `${ORIGIN}/elsewhere` } })).result,
    '200 succeeded',
  );
});

test('limits status requests, but allows frequent ones', async () => {
  await using server = await startServer();
  const key = createIdempotencyKey();
  await attemptDonation(server, { key });
  const fetchOutcomeFrom = async (address: string | undefined): Promise<Response> =>
    server.handler.fetch(
      new Request('https://give.example/donations', {
        headers: { Origin: ORIGIN, 'Idempotency-Key': key },
      }),
      { address },
    );
  const statuses = await Promise.all(
    Array.from({ length: 1_300 }, async () => (await fetchOutcomeFrom(CLIENT_ADDRESS)).status),
  );
  assert.deepEqual(
    [
      statuses.filter((status) => status === 200).length,
      statuses.filter((status) => status === 429).length,
    ],
    [1_200, 100],
  );
  assert.ok(Number((await fetchOutcomeFrom(CLIENT_ADDRESS)).headers.get('Retry-After')) <= 60);
  assert.equal((await fetchOutcomeFrom('203.0.113.10')).status, 200);
  assert.equal(
    (await fetchOutcomeFrom(undefined)).status,
    200,
    'without a client address, no limit applies',
  );
});

test('limits reports of ignored settings and challenges', async () => {
  await using server = await startServer();
  const postSettingsReport = async (): Promise<number> =>
    (
      await server.handler.fetch(
        new Request('https://give.example/settings-report', {
          method: 'POST',
          body: JSON.stringify({ form: 'main', ignored: [{ name: 'amt', reason: 'invalid' }] }),
          headers: { Origin: ORIGIN, 'Content-Type': 'application/json' },
        }),
        { address: CLIENT_ADDRESS },
      )
    ).status;
  const reported = await Promise.all(Array.from({ length: 130 }, postSettingsReport));
  assert.equal(reported.filter((status) => status === 429).length, 10);
  const asked = await Promise.all(
    Array.from(
      { length: 310 },
      async () =>
        (
          await server.handler.fetch(new Request('https://give.example/challenge?form=main'), {
            address: CLIENT_ADDRESS,
          })
        ).status,
    ),
  );
  assert.equal(asked.filter((status) => status === 429).length, 10);
});

test('reports a decline without its reason', async () => {
  await using server = await startServer();
  const { response } = await attemptDonation(server, { card: CARDS.declined });
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

test('tries at most 12 of 40 cards that arrive at once from one address', async () => {
  await using server = await startServer();
  const headers = await createSolutionHeaders(server, 40);
  assert.deepEqual(
    await donateConcurrently(
      server,
      headers.map((solution) => ({ card: CARDS.declined, headers: solution })),
    ),
    { '402 failed': 12, '429 too-many-requests': 28 },
  );
});

test('tries at most 24 of 40 cards that arrive at once from one IPv6 network', async () => {
  await using server = await startServer();
  const headers = await createSolutionHeaders(server, 40);
  assert.deepEqual(
    await donateConcurrently(
      server,
      headers.map((solution, index) => ({
        card: CARDS.declined,
        headers: solution,
        clientAddress: `2001:db8::${index}`,
      })),
    ),
    { '402 failed': 24, '429 too-many-requests': 16 },
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
