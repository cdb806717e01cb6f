import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIdempotencyKey, ORIGIN, readOutcome, readProblem, startServer } from '../support.ts';

const FOREIGN_ORIGINS = [
  'null',
  '*',
  '',
  ' ',
  'http://lanternwell.example',
  'https://lanternwell.example/',
  'https://lanternwell.example:443',
  'https://lanternwell.example:444',
  'https://LANTERNWELL.example',
  'https://lanternwell.example.',
  'https://a.lanternwell.example',
  'https://lanternwell.example.evil.example',
  'https://LANTERNWELL.example.evil',
  'https://evil.example',
  'https://evil-lanternwell.example',
  'https://lanternwell.exampl',
  'https://lanternwell.example@evil.example',
  'https://evil.example/https://lanternwell.example',
  'https://evil.example?https://lanternwell.example',
  'https://evil.example#https://lanternwell.example',
  'https://lanternwell.example, https://evil.example',
  'https://evil.example, https://lanternwell.example',
  'https://lanternwell.example https://evil.example',
  'lanternwell.example',
  '//lanternwell.example',
  'ftp://lanternwell.example',
  'file://',
  'chrome-extension://lanternwell.example',
  'https://xn--lanternwell-.example',
  'https://lanternwell%2eexample',
  'https://lanternwell.example%00.evil.example',
  'https://give.example',
  'https://127.0.0.1',
  'HTTPS://lanternwell.example',
];

const PREFLIGHT_HEADERS = {
  'Access-Control-Request-Method': 'POST',
  'Access-Control-Request-Headers': 'content-type,idempotency-key',
};

test('explains why a page may not show a form or goal', async () => {
  await using server = await startServer();
  for (const origin of FOREIGN_ORIGINS)
    for (const path of ['/form', '/goal', '/form?id=absent']) {
      const response = await server.fetch(path, { headers: { Origin: origin } });
      assert.deepEqual(
        [
          response.status,
          response.headers.get('Access-Control-Allow-Origin'),
          response.headers.get('Access-Control-Allow-Credentials'),
          ((await response.json()) as { code: string }).code,
        ],
        [403, '*', null, 'origin-not-allowed'],
        `${origin} ${path}`,
      );
      assert.match(response.headers.get('Vary') ?? '', /Origin/);
    }
  for (const headers of [{}, { Origin: ORIGIN }] as Record<string, string>[])
    assert.equal((await server.fetch('/form', { headers })).status, 200);
});

test('allows foreign origins neither to read responses nor to donate', async () => {
  await using server = await startServer();
  assert.ok(FOREIGN_ORIGINS.length >= 30);
  const body = JSON.stringify(await server.createRequest());
  const jsonHeaders = {
    'Content-Type': 'application/json',
    'Idempotency-Key': createIdempotencyKey(),
  };
  const requests: readonly (readonly [
    path: string,
    init: { method?: string; headers?: object },
  ])[] = [
    ['/countries', {}],
    ['/donations', { headers: { 'Idempotency-Key': createIdempotencyKey() } }],
    ...['/donations', '/donations/confirm', '/donations/cancel', '/settings-report'].flatMap(
      (path) =>
        [
          [path, { method: 'OPTIONS', headers: PREFLIGHT_HEADERS }],
          [path, { method: 'POST', body, headers: jsonHeaders }],
        ] as const,
    ),
  ];
  for (const origin of FOREIGN_ORIGINS)
    for (const [path, init] of requests) {
      const response = await server.fetch(path, {
        ...init,
        headers: { ...init.headers, Origin: origin },
      });
      const name = `${origin} ${init.method ?? 'GET'} ${path}`;
      assert.deepEqual(
        ['Access-Control-Allow-Origin', 'Access-Control-Allow-Credentials'].map((header) =>
          response.headers.get(header),
        ),
        [null, null],
        name,
      );
      if (init.method === 'POST') assert.equal(response.status, 403, name);
      // A shared cache must not send this response to an origin that may read it, or vice versa.
      if (path !== '/donations') assert.match(response.headers.get('Vary') ?? '', /Origin/, name);
    }
  assert.deepEqual(server.calls, []);
  const allowed = await server.fetch('/donations', {
    method: 'OPTIONS',
    headers: { Origin: ORIGIN, 'Access-Control-Request-Method': 'POST' },
  });
  assert.deepEqual(
    [
      allowed.status,
      allowed.headers.get('Access-Control-Allow-Origin'),
      allowed.headers.get('Access-Control-Allow-Headers'),
    ],
    [204, ORIGIN, 'Content-Type,Idempotency-Key,If-None-Match,Challenge-Solution'],
  );
});

test('answers a repeated request with its outcome although its origin now belongs to another organization', async () => {
  await using server = await startServer();
  const key = createIdempotencyKey();
  const request = await server.createRequest();
  const first = await readOutcome(await server.postDonation(request, { key }));
  const [organization] = server.organizations.all;
  server.replaceOrganizations([
    { ...organization!, origins: new Set(['https://new.example']) },
    { ...organization!, id: 'other', forms: [], goals: [] },
  ]);
  const repeated = await server.postDonation(request, { key });
  assert.equal((await readOutcome(repeated)).reference, first.reference);
  const another = await server.postDonation(await server.createRequest());
  assert.equal((await readProblem(another)).code, 'origin-not-allowed');
});
