import assert from 'node:assert/strict';
import fc from 'fast-check';
import { STRIPE_SECRET_KEY } from '../../../src/sandbox/index.ts';
import {
  createIdempotencyKey,
  ORIGIN,
  PLATFORM_KEY,
  startServer,
  WEBHOOK_SECRET,
} from '../support.ts';

const ADMIN_KEY = 'canary-admin-key';
const PATHS = [
  '/form',
  '/form?id=main&language=de',
  '/donations',
  '/donations/confirm',
  '/donations/cancel',
  '/settings-report',
  '/countries',
  '/countries/DE',
  '/links',
  '/links/preview/main',
  '/manage',
  '/manage?provider=stripe&id=main',
  '/webhooks/stripe/lanternwell',
  '/pages/page.css',
  '/donation-form.js',
  '/donation-form.abc.js',
  '/embed.json',
  '/healthz',
  '/api/review-queue',
];

/** Strings that attackers put into headers and URLs. */
const ATTACK_STRINGS = [
  '__proto__',
  'constructor',
  'toString',
  '../../etc/passwd',
  '%00',
  '%2e%2e',
  '%',
  '%ff',
  "' OR 1=1 --",
  '<script>',
  '${7*7}',
  '{{7*7}}',
  'null',
  'undefined',
  'NaN',
  '-1',
  '1e999',
  'x'.repeat(3_000),
  '\u202e',
  '\u2028',
  '*',
  '"',
  '\\',
  ';',
  ',',
];
const attackString = fc.oneof(
  fc.constantFrom(...ATTACK_STRINGS),
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

const target = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...PATHS) },
  fc.tuple(fc.constantFrom(...PATHS), attackString).map(([path, more]) => `${path}/${more}`),
  fc
    .tuple(
      fc.constantFrom(...PATHS),
      fc.constantFrom('id', 'language', 'provider', 'days', '__proto__'),
      attackString,
    )
    .map(([path, name, value]) => `${path.split('?')[0]}?${name}=${value}`),
  attackString.map((path) => `/${path}`),
);
const method = fc.constantFrom(
  ...'GET GET POST POST POST HEAD PUT DELETE PATCH OPTIONS FLY'.split(' '),
);
const headerValue = attackString.map((text) => text.replace(/[^\x20-\x7e\x80-\xff]/g, '').trim());
const headers = fc.record(
  {
    Origin: fc.oneof({ weight: 3, arbitrary: fc.constant(ORIGIN) }, headerValue),
    'Content-Type': fc.oneof(
      { weight: 3, arbitrary: fc.constant('application/json') },
      fc.constantFrom(
        'text/plain',
        'application/xml',
        'multipart/form-data; boundary=x',
        'application/json; charset=utf-16',
      ),
      headerValue,
    ),
    'Idempotency-Key': fc.oneof(
      { weight: 3, arbitrary: fc.constant(0).map(createIdempotencyKey) },
      headerValue,
    ),
    'If-None-Match': headerValue,
    'Accept-Encoding': headerValue,
    'Accept-Language': headerValue,
    Range: headerValue,
    Cookie: headerValue,
    Authorization: headerValue,
    'X-Forwarded-For': headerValue,
    'X-Request-Id': headerValue,
    'Sandbox-Signature': headerValue,
    'Stripe-Signature': headerValue,
    'Sec-Fetch-Site': headerValue,
    'Access-Control-Request-Method': headerValue,
    'Access-Control-Request-Headers': headerValue,
  },
  { requiredKeys: [] },
);

/** Creates valid donations with a change, or arbitrary text. */
function createBodies(good: string): fc.Arbitrary<string> {
  const places = [...good.matchAll(/"[^"]*"|\d+|true|false/g)].map(
    ({ index, 0: text }) => [index, text] as const,
  );
  const value = fc.oneof(
    fc.json({ maxDepth: 3 }),
    attackString.map((text) => JSON.stringify(text)),
    fc.constantFrom(
      '1e999',
      '-0',
      '9007199254740993',
      '[]',
      '{}',
      'null',
      '{"__proto__":{"x":1}}',
      '"\\ud800"',
      '[[[[[[]]]]]]',
    ),
  );
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.constantFrom(...places), value)
        .map(
          ([[index, text], other]) =>
            good.slice(0, index) + other + good.slice(index + text.length),
        ),
    },
    fc.nat({ max: good.length }).map((end) => good.slice(0, end)),
    fc
      .tuple(fc.nat({ max: good.length }), attackString)
      .map(([at, text]) => good.slice(0, at) + text + good.slice(at)),
    fc.json({ maxDepth: 5 }),
    attackString,
    fc.constant(good),
  );
}

const SECRETS = [PLATFORM_KEY, STRIPE_SECRET_KEY, WEBHOOK_SECRET, ADMIN_KEY];
const LEAK = new RegExp(
  `${SECRETS.join('|')}|canary@example\\.org|\\n +at |/src/|node_modules|node:internal|` +
    'SQLITE|TypeError|ZodError',
);

/** Sends fuzzed requests, checks their responses, and returns the number of responses by status. */
export async function sendFuzzedRequests(count: number): Promise<ReadonlyMap<number, number>> {
  let time = Date.UTC(2026, 10, 21);
  await using server = await startServer({
    adminKey: ADMIN_KEY,
    now: () => time,
    intercept: async () => new Response('canary-upstream', { status: 500 }),
  });
  const { admin } = server;
  const statuses = new Map<number, number>();
  const body = createBodies(JSON.stringify(await server.createRequest()));
  const donation = fc.record({
    verb: fc.constant('POST'),
    path: fc.constant('/donations'),
    headers: fc.constant(0).map(() => ({
      Origin: ORIGIN,
      'Content-Type': 'application/json',
      'Idempotency-Key': createIdempotencyKey(),
    })),
    body,
    isPublic: fc.constant(true),
  });
  const anything = fc.record({
    verb: method,
    path: target,
    headers,
    body,
    isPublic: fc.integer({ min: 0, max: 4 }).map((one) => one > 0),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.oneof({ weight: 1, arbitrary: donation }, { weight: 2, arbitrary: anything }),
      async ({ verb, path, headers, body, isPublic }) => {
        time += 10;
        const url = `https://give.example${path}`;
        if (!URL.canParse(url)) return;
        const hasBody = !['GET', 'HEAD'].includes(verb);
        const request = new Request(url, { method: verb, headers, ...(hasBody && { body }) });
        const response = await (isPublic ? server.handler.fetch(request) : admin(request));
        const text = await response.text();
        const headerText = [...response.headers].map((header) => header.join(': ')).join('\n');
        assert.ok(
          response.status < 500 || (response.status === 503 && url.includes('/manage')),
          `${response.status} ${text}`,
        );
        assert.doesNotMatch(text + headerText, LEAK);
        assert.equal(response.headers.get('X-Content-Type-Options'), 'nosniff');
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      },
    ),
    { numRuns: count },
  );
  assert.equal(server.logLines.filter((line) => line.includes('request failed')).length, 0);
  assert.equal(Object.keys(Object.prototype).length, 0);
  return statuses;
}
