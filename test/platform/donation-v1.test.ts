import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  DonationPlatformClient,
  DonationPlatformError,
  NoAnswerError,
  ThrottledError,
  dayOf,
  readDate,
  writeDate,
  type DonationListRequest,
  type DonationPlatformClientOptions,
} from '../../src/platform-clients/donation-v1/index.ts';
import { LIMITS, RequestWindows } from '../../src/platform-clients/donation-v1/windows.ts';

let organizations = 0;
/** A client of an organisation of its own, before an answer. */
function clientOf(
  answer: (request: Request) => Response | Promise<Response>,
  options: Partial<DonationPlatformClientOptions> = {},
): DonationPlatformClient {
  organizations += 1;
  return new DonationPlatformClient({
    baseUrl: 'https://v1.test',
    organizationKey: `org-${organizations}`,
    licenseKey: 'canary-key',
    fetch: async (input, init) => answer(new Request(input, init)),
    ...options,
  });
}
const page = (items: unknown[], pagination: unknown): Response =>
  Response.json(items, { headers: { 'x-pagination': JSON.stringify(pagination) } });
const isThrottled =
  (wait: number) =>
  (error: unknown): boolean =>
    error instanceof ThrottledError && error.retryAt.getTime() === wait;

test('dates: MM/DD/YYYY HH:MM:SS AM/PM, UTC, both ways', () => {
  for (const [written, iso] of [
    ['01/02/2026 12:00:00 AM', '2026-01-02T00:00:00.000Z'],
    ['01/02/2026 12:59:59 PM', '2026-01-02T12:59:59.000Z'],
    ['02/29/2028 11:05:09 PM', '2028-02-29T23:05:09.000Z'],
  ] as const) {
    assert.equal(readDate(written).toISOString(), iso);
    assert.equal(writeDate(new Date(iso)), written);
  }
  for (const junk of [
    '',
    '1/2/2026 12:00:00 AM',
    '02/29/2026 01:00:00 AM',
    '13/01/2026 01:00:00 AM',
    '01/01/2026 00:00:00 AM',
    '01/01/2026 13:00:00 PM',
    '01/01/2026 01:60:00 AM',
    '2026-01-01T00:00:00Z',
    '01/01/2026 01:00:00',
  ])
    assert.throws(() => readDate(junk), RangeError, junk);
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0100-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
      (date) => {
        assert.equal(
          readDate(writeDate(date)).getTime(),
          Math.floor(date.getTime() / 1_000) * 1_000,
        );
      },
    ),
  );
  assert.deepEqual(
    [dayOf('2026-02-28'), dayOf(new Date('2026-02-28T23:59:59Z'))],
    ['2026-02-28', '2026-02-28'],
  );
  for (const junk of ['2026-02-30', '02/28/2026', '2026-2-8'])
    assert.throws(() => dayOf(junk), RangeError, junk);
});

test('every documented parameter is sent by its name, with the keys in their headers', async () => {
  const asked: Request[] = [];
  const request: Required<DonationListRequest> = {
    page: 2,
    pageSize: 200,
    createdAfter: '2026-01-01',
    createdBefore: new Date('2026-01-31T12:00:00Z'),
    modifiedOnOrAfter: '2026-01-02',
    includeTestTransactions: true,
    includeDetails: false,
    searchString: 'a&b',
    code: 'X',
    isActiveOnly: true,
    isDeleted: false,
  };
  for (const keyEncoding of ['raw', 'base64'] as const)
    await clientOf(
      (one) => {
        asked.push(one);
        return page([], {});
      },
      { keyEncoding, organizationKey: 'org' },
    ).donations(request);
  assert.deepEqual(Object.fromEntries(new URL(asked[0]!.url).searchParams), {
    page: '2',
    pageSize: '200',
    createdAfter: '2026-01-01',
    createdBefore: '2026-01-31',
    modifiedOnOrAfter: '2026-01-02',
    includeTestTransactions: 'true',
    includeDetails: 'false',
    searchString: 'a&b',
    code: 'X',
    isActiveOnly: 'true',
    isDeleted: 'false',
  });
  assert.deepEqual(
    asked.map(({ headers }) => [
      headers.get('X-OrganizationKey'),
      headers.get('Authorization'),
      headers.get('Content-Type'),
    ]),
    [
      ['org', 'Basic canary-key', 'application/json'],
      ['org', `Basic ${btoa('canary-key')}`, 'application/json'],
    ],
  );
  for (const [bad, message] of [
    [{ page: 0 }, /page is 0/],
    [{ pageSize: 201 }, /pageSize is 201; expected a whole number from 1 to 200/],
    [{ pageSize: 1.5 }, /pageSize is 1.5/],
    [{ createdAfter: '01/01/2026' }, /is no day of the form yyyy-mm-dd/],
  ] as const) {
    await assert.rejects(clientOf(() => page([], {})).donors(bad), message);
  }
});

test('the iterator follows nextPageLink within its own address, and nowhere else', async () => {
  const asked: string[] = [];
  const client = clientOf((request) => {
    asked.push(request.url);
    const at = Number(new URL(request.url).searchParams.get('page') ?? 1);
    return page([{ id: at }], {
      totalCount: 3,
      totalPages: 3,
      prevPageLink: '',
      nextPageLink: at < 3 ? `https://v1.test/v1/donations?page=${at + 1}&pageSize=1` : '',
    });
  });
  const ids = [];
  for await (const { id } of client.eachDonation({ pageSize: 1 })) ids.push(id);
  assert.deepEqual(
    [ids, asked],
    [
      [1, 2, 3],
      [
        'https://v1.test/v1/donations?pageSize=1',
        'https://v1.test/v1/donations?page=2&pageSize=1',
        'https://v1.test/v1/donations?page=3&pageSize=1',
      ],
    ],
  );
  for (const link of [
    'https://evil.test/v1/donations?page=2',
    'http://v1.test/v1/donations',
    'https://v1.test.evil.test/',
    'https://v1.test@evil.test/',
    '//evil.test/',
  ]) {
    const led = clientOf(() =>
      page([{ id: 1 }], { totalCount: 2, totalPages: 2, nextPageLink: link }),
    );
    await assert.rejects(
      async () => {
        for await (const { id } of led.eachDonor()) assert.equal(id, 1);
      },
      (error) => error instanceof NoAnswerError && error.message.includes('not followed'),
      link,
    );
  }
});

test('limits: 100 a minute, 1,000 an hour and 4,000 a day are kept before sending, all together', () => {
  const windows = new RequestWindows();
  let now = 0;
  let sent = 0;
  let inMinute = 0;
  let inHour = 0;
  const at: number[] = [];
  while (sent < 4_000) {
    const full = windows.take(now);
    if (full) {
      assert.ok(full.until.getTime() > now);
      now = full.until.getTime();
      continue;
    }
    at.push(now);
    sent += 1;
    inMinute = Math.max(inMinute, at.filter((time) => time > now - 60_000).length);
    inHour = Math.max(inHour, at.filter((time) => time > now - 3_600_000).length);
  }
  assert.deepEqual([inMinute, inHour, windows.full(now)?.period], [100, 1_000, '1d']);
  assert.equal(windows.full(now)?.until.getTime(), 86_400_000);
  assert.deepEqual(
    LIMITS.map(({ period, requests }) => [period, requests]),
    [
      ['1m', 100],
      ['1h', 1_000],
      ['1d', 4_000],
    ],
  );
});

test('limits: the clients of one organisation in one process share them', async () => {
  let sent = 0;
  const options = { organizationKey: 'shared', now: () => 1_000_000 };
  const clients = [1, 2].map(() =>
    clientOf(() => {
      sent += 1;
      return page([], {});
    }, options),
  );
  for (let index = 0; index < 100; index += 1) await clients[index % 2]!.donors();
  for (const client of clients)
    await assert.rejects(
      client.donors(),
      (error) => isThrottled(1_060_000)(error) && !(error as ThrottledError).wasSent,
    );
  await clientOf(
    () => {
      sent += 1;
      return page([], {});
    },
    { now: () => 1_000_000 },
  ).donors();
  assert.equal(sent, 101);
});

test('a throttle answer, whatever its status, is an error with the wait, which is then kept', async () => {
  let now = 1_000_000;
  let sent = 0;
  const throttled = (
    headers: Record<string, string>,
    details: string | undefined = 'Maximum of 100 requests per 1m. Wait 30 seconds.',
    status = 403,
  ): DonationPlatformClient =>
    clientOf(
      () => {
        sent += 1;
        return Response.json(
          { message: 'Quota exceeded', ...(details !== '' && { details }) },
          { status, headers },
        );
      },
      { now: () => now },
    );
  await assert.rejects(
    throttled({ 'Retry-After': '12' }).donors(),
    (error) =>
      isThrottled(1_012_000)(error) && (error as ThrottledError).message === 'Quota exceeded',
  );
  await assert.rejects(throttled({}, undefined, 429).donors(), isThrottled(1_030_000));
  await assert.rejects(throttled({ 'Retry-After': '5' }, '', 429).donors(), isThrottled(1_005_000));
  await assert.rejects(
    throttled({}, 'Maximum of 100 requests per 60 seconds. Wait 7 seconds.').donors(),
    isThrottled(1_007_000),
  );
  await assert.rejects(
    clientOf(() => new Response('', { status: 429, headers: { 'Retry-After': '7' } }), {
      now: () => now,
    }).donors(),
    isThrottled(1_007_000),
  );
  for (const plain of [
    () => Response.json({ message: 'Bad field', details: 'email is required' }, { status: 400 }),
    () => Response.json({ message: 'busy' }, { status: 503, headers: { 'Retry-After': '7' } }),
  ]) {
    const answered = clientOf(plain);
    await assert.rejects(answered.donors(), DonationPlatformError);
    await assert.rejects(answered.donors(), DonationPlatformError);
  }
  for (const odd of ['-5', 'NaN', 'Wed, 21 Oct', '99999999999999'])
    await assert.rejects(throttled({ 'Retry-After': odd }).donors(), isThrottled(1_060_000), odd);
  await assert.rejects(
    throttled({ 'Retry-After': '999999999' }).donors(),
    isThrottled(1_000_000 + 86_400_000),
  );
  const client = throttled({ 'Retry-After': '12' });
  await assert.rejects(client.donors(), ThrottledError);
  const before = sent;
  await assert.rejects(
    client.donors(),
    (error) => isThrottled(1_012_000)(error) && !(error as ThrottledError).wasSent,
  );
  now += 12_000;
  await assert.rejects(client.donors(), (error) => (error as ThrottledError).wasSent);
  assert.equal(sent, before + 1);
});

test("the literal header 'Retry After', which no parser here reads, is a throttle and no network error", async () => {
  const server: Server = createServer((_request, response: ServerResponse) => {
    response.socket!.end(
      'HTTP/1.1 429 Too Many\r\nContent-Type: application/json\r\nRetry After: 7\r\nContent-Length: 2\r\n\r\n{}',
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const client = new DonationPlatformClient({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    organizationKey: 'odd',
    licenseKey: 'key',
    now: () => 5_000,
  });
  await assert.rejects(client.donors(), isThrottled(65_000));
  server.closeAllConnections();
  server.close();
});

test("errors keep the platform's message and no key; a redirect is not followed", async () => {
  await assert.rejects(
    clientOf(() => Response.json({ message: 'pageSize is wrong' }, { status: 400 })).donors(),
    (error) =>
      error instanceof DonationPlatformError &&
      error.status === 400 &&
      error.message === 'pageSize is wrong',
  );
  await assert.rejects(
    clientOf(
      () => new Response(null, { status: 302, headers: { Location: 'https://evil.test' } }),
    ).donors(),
    (error) => error instanceof DonationPlatformError && error.status === 302,
  );
  await assert.rejects(clientOf(() => new Response('<html>')).donors(), NoAnswerError);
  await assert.rejects(clientOf(() => Response.json({})).donors(), /is no list/);
  await assert.rejects(
    clientOf(() => {
      throw new TypeError('fetch failed');
    }).donors(),
    (error) =>
      error instanceof NoAnswerError &&
      !JSON.stringify(error, Object.getOwnPropertyNames(error)).includes('canary'),
  );
});

test('what a client cannot be held wrong with', async () => {
  const make = (options: Partial<DonationPlatformClientOptions>) => () =>
    clientOf(() => page([], {}), options);
  for (const baseUrl of [
    'http://v1.test',
    'ftp://v1.test',
    'https://user:pw@v1.test',
    'v1.test',
    'https://v1.test?x',
  ])
    assert.throws(make({ baseUrl }), TypeError, baseUrl);
  for (const licenseKey of ['', 'a b', 'a\nb']) assert.throws(make({ licenseKey }), TypeError);
  for (const timeout of [0, -1, 60_001, NaN]) assert.throws(make({ timeout }), RangeError);
  await assert.rejects(
    clientOf(() => page([], {})).call('GET', '/v1/campaigns?page=1'),
    /deprecated; use those of v2/,
  );
  assert.deepEqual(
    (await clientOf(() => Response.json({ id: 1 })).call('POST', '/v1/anything', { a: 1 })).body,
    { id: 1 },
  );
});

test('a path stays below the address, whatever it looks like', async () => {
  const client = clientOf(() => Response.json([]));
  for (const path of ['.evil.test/x', '@evil.test/', ':8443/v1', 'v1/donors', ''])
    await assert.rejects(client.call('GET', path), /no path below baseUrl/, path);
  await assert.rejects(client.call('GET', '/v1/./campaigns'), /deprecated/);
  assert.deepEqual((await client.call('GET', '/v1/campaign-pages')).body, []);
});

test('an address in another form is the same address: walks and limits hold', async () => {
  let sent = 0;
  const clients = ['https://V1.test', 'https://v1.test:443/', 'https://v1.test/a/..'].map(
    (baseUrl) =>
      clientOf(
        (request) => {
          sent += 1;
          const at = Number(new URL(request.url).searchParams.get('page') ?? 1);
          return page([{ id: at }], {
            totalCount: 2,
            totalPages: 2,
            nextPageLink: at < 2 ? 'https://v1.test/v1/donors?page=2' : '',
          });
        },
        { baseUrl, organizationKey: 'one', now: () => 7_000 },
      ),
  );
  for (const client of clients) for await (const { id } of client.eachDonor()) assert.ok(id);
  assert.equal(sent, 6);
  for (let calls = 6; calls < 100; calls += 1) await clients[0]!.donors();
  await assert.rejects(clients[2]!.donors(), ThrottledError);
});

test('what was never sent is no lost answer, and an answer without a body is one', async () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  await assert.rejects(
    clientOf(() => Response.json({})).call('POST', '/v1/x', circular),
    TypeError,
  );
  assert.equal(
    (await clientOf(() => new Response(null, { status: 204 })).call('DELETE', '/v1/x')).body,
    undefined,
  );
  await assert.rejects(async () => {
    for await (const { id } of clientOf(() => Response.json([{ id: 1 }])).eachDonor())
      assert.ok(id);
  }, /no header x-pagination/);
});

test('no error names what somebody searched for', async () => {
  for (const answer of [
    () => {
      throw new TypeError('fetch failed');
    },
    () => new Response('<html>'),
    () => Response.json({}),
    () => new Response('{}', { status: 500 }),
  ] as const) {
    await assert.rejects(
      clientOf(answer).donors({ searchString: 'ana@example.org' }),
      (error) => !(error as Error).message.includes('ana'),
    );
  }
});

test('public endpoints are called without keys and outside the limits', async () => {
  const asked: Request[] = [];
  const client = clientOf(
    (request) => {
      asked.push(request);
      return Response.json([]);
    },
    { now: () => 9_000 },
  );
  for (let index = 0; index < 150; index += 1) await client.publicCall('/public/widgets/1?x=/../y');
  assert.deepEqual(
    [
      asked.length,
      asked[0]!.headers.get('Authorization'),
      asked[0]!.headers.get('X-OrganizationKey'),
    ],
    [150, null, null],
  );
  await client.donors();
  for (const path of ['/v1/donors', '/public/../v1/donors', 'public/x', '/public/%2e%2e/v1'])
    await assert.rejects(client.publicCall(path), RangeError, path);
});

test('headers that are missing or odd are left out', async () => {
  const read = async (headers: Record<string, string>) =>
    await clientOf(() => Response.json([], { headers })).donors();
  assert.deepEqual(
    (
      await read({
        'X-Rate-Limit-Limit': '1m',
        'X-Rate-Limit-Remaining': '99',
        'X-Rate-Limit-Reset': '2026-11-21T10:00:00Z',
      })
    ).rateLimit,
    { period: '1m', remaining: 99, resetsAt: new Date('2026-11-21T10:00:00Z') },
  );
  assert.deepEqual(
    (await read({ 'X-Rate-Limit-Remaining': '-1', 'X-Rate-Limit-Reset': 'soon' })).rateLimit,
    {},
  );
  for (const odd of ['', 'x', 'null', '[]', '{"totalCount":"1","totalPages":1}'])
    assert.equal((await read({ 'x-pagination': odd })).pagination, undefined, odd);
});
