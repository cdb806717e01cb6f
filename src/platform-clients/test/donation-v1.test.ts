import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type DonationListRequest,
  DonationPlatformClient,
  type DonationPlatformClientOptions,
  DonationPlatformError,
  formatDate,
  formatDay,
  NoResponseError,
  PageLimitError,
  parseDate,
  ThrottledError,
} from '../donation-v1/index.ts';
import { LIMITS, RateLimiter } from '../donation-v1/rate-limiter.ts';

let organizationCount = 0;
/** Creates a client of a new organization whose requests receive this response. */
function createClient(
  respond: (request: Request) => Response | Promise<Response>,
  options: Partial<DonationPlatformClientOptions> = {},
): DonationPlatformClient {
  organizationCount += 1;
  return new DonationPlatformClient({
    baseUrl: 'https://v1.test',
    organizationKey: `org-${organizationCount}`,
    licenseKey: 'canary-key',
    fetch: async (input, init) => respond(new Request(input, init)),
    ...options,
  });
}
const respondWithPage = (items: unknown[], pagination: unknown): Response =>
  Response.json(items, { headers: { 'x-pagination': JSON.stringify(pagination) } });
const isThrottledUntil =
  (wait: number) =>
  (error: unknown): boolean =>
    error instanceof ThrottledError && error.retryAt.getTime() === wait;

test('parses and formats dates as MM/DD/YYYY HH:MM:SS AM/PM in UTC', () => {
  for (const [written, iso] of [
    ['01/02/2026 12:00:00 AM', '2026-01-02T00:00:00.000Z'],
    ['01/02/2026 12:59:59 PM', '2026-01-02T12:59:59.000Z'],
    ['02/29/2028 11:05:09 PM', '2028-02-29T23:05:09.000Z'],
  ] as const) {
    assert.equal(parseDate(written).toISOString(), iso);
    assert.equal(formatDate(new Date(iso)), written);
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
    assert.throws(() => parseDate(junk), RangeError, junk);
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0100-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
      (date) => {
        assert.equal(
          parseDate(formatDate(date)).getTime(),
          Math.floor(date.getTime() / 1_000) * 1_000,
        );
      },
    ),
  );
  assert.deepEqual(
    [formatDay('2026-02-28'), formatDay(new Date('2026-02-28T23:59:59Z'))],
    ['2026-02-28', '2026-02-28'],
  );
  for (const junk of ['2026-02-30', '02/28/2026', '2026-2-8'])
    assert.throws(() => formatDay(junk), RangeError, junk);
});

test('sends every documented parameter by its name, and the keys in their headers', async () => {
  const requests: Request[] = [];
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
    await createClient(
      (received) => {
        requests.push(received);
        return respondWithPage([], {});
      },
      { keyEncoding, organizationKey: 'org' },
    ).listDonations(request);
  assert.deepEqual(Object.fromEntries(new URL(requests[0]!.url).searchParams), {
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
    requests.map(({ headers }) => [
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
    [{ pageSize: 201 }, /pageSize is 201; expected an integer from 1 to 200/],
    [{ pageSize: 1.5 }, /pageSize is 1.5/],
    [{ createdAfter: '01/01/2026' }, /is not a date; expected yyyy-mm-dd/],
  ] as const) {
    await assert.rejects(createClient(() => respondWithPage([], {})).listDonors(bad), message);
  }
});

test('iterators follow nextPageLink only within baseUrl', async () => {
  const urls: string[] = [];
  const client = createClient((request) => {
    urls.push(request.url);
    const at = Number(new URL(request.url).searchParams.get('page') ?? 1);
    return respondWithPage([{ id: at }], {
      totalCount: 3,
      totalPages: 3,
      prevPageLink: '',
      nextPageLink: at < 3 ? `https://v1.test/v1/donations?page=${at + 1}&pageSize=1` : '',
    });
  });
  const ids = [];
  for await (const { id } of client.iterateDonations({ pageSize: 1 })) ids.push(id);
  assert.deepEqual(
    [ids, urls],
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
    const led = createClient(() =>
      respondWithPage([{ id: 1 }], { totalCount: 2, totalPages: 2, nextPageLink: link }),
    );
    await assert.rejects(
      async () => {
        for await (const { id } of led.iterateDonors()) assert.equal(id, 1);
      },
      (error) => error instanceof NoResponseError && error.message.includes('did not follow it'),
      link,
    );
  }
});

test('iterators stop with an error after maxPages pages', async () => {
  let now = 0;
  let sent = 0;
  const client = createClient(
    () => {
      sent += 1;
      return respondWithPage([{ id: sent }], {
        totalCount: 2,
        totalPages: 2,
        nextPageLink: `https://v1.test/v1/donations?page=${sent + 1}`,
      });
    },
    { now: () => (now += 60_000) },
  );
  const countIteratedRecords = async (maxPages?: number): Promise<number> => {
    sent = 0;
    let records = 0;
    const request = maxPages === undefined ? {} : { maxPages };
    await assert.rejects(
      async () => {
        for await (const { id } of client.iterateDonations(request)) {
          assert.ok(id);
          records += 1;
        }
      },
      (error) =>
        error instanceof PageLimitError &&
        error.message ===
          `GET /v1/donations has more than ${maxPages ?? 10_000} pages. Narrow the request, or raise maxPages.`,
    );
    return records;
  };
  assert.deepEqual([await countIteratedRecords(3), sent], [3, 3]);
  assert.deepEqual([await countIteratedRecords(), sent], [10_000, 10_000]);
  for (const maxPages of [0, -1, 1.5, NaN])
    await assert.rejects(client.iterateDonors({ maxPages }).next(), RangeError);
});

test('an iterator with exactly maxPages pages ends without an error', async () => {
  const client = createClient((request) => {
    const number = Number(new URL(request.url).searchParams.get('page') ?? 1);
    return respondWithPage([{ id: number }], {
      totalCount: 3,
      totalPages: 3,
      nextPageLink: number < 3 ? `https://v1.test/v1/donors?page=${number + 1}` : '',
    });
  });
  const ids: unknown[] = [];
  for await (const { id } of client.iterateDonors({ maxPages: 3 })) ids.push(id);
  assert.deepEqual(ids, [1, 2, 3]);
});

test('allows at most 100 requests a minute, 1,000 an hour, and 4,000 a day', () => {
  const windows = new RateLimiter();
  let now = 0;
  let sent = 0;
  let inMinute = 0;
  let inHour = 0;
  const at: number[] = [];
  while (sent < 4_000) {
    const full = windows.countRequest(now);
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
  assert.deepEqual(
    [inMinute, inHour, windows.findExhaustedWindow(now)?.period],
    [100, 1_000, '1d'],
  );
  assert.equal(windows.findExhaustedWindow(now)?.until.getTime(), 86_400_000);
  assert.deepEqual(
    LIMITS.map(({ period, requests }) => [period, requests]),
    [
      ['1m', 100],
      ['1h', 1_000],
      ['1d', 4_000],
    ],
  );
});

test('clients of one organization share their limits within a process', async () => {
  let sent = 0;
  const options = { organizationKey: 'shared', now: () => 1_000_000 };
  const clients = [1, 2].map(() =>
    createClient(() => {
      sent += 1;
      return respondWithPage([], {});
    }, options),
  );
  for (let index = 0; index < 100; index += 1) await clients[index % 2]!.listDonors();
  for (const client of clients)
    await assert.rejects(
      client.listDonors(),
      (error) => isThrottledUntil(1_060_000)(error) && !(error as ThrottledError).wasSent,
    );
  await createClient(
    () => {
      sent += 1;
      return respondWithPage([], {});
    },
    { now: () => 1_000_000 },
  ).listDonors();
  assert.equal(sent, 101);
});

test('reads the seconds to wait in linear time', async () => {
  const digits = '1'.repeat(200_000);
  const started = performance.now();
  for (const details of [digits, `${digits} `, `9${' '.repeat(200_000)}`])
    await assert.rejects(
      createClient(() => Response.json({ message: 'Busy', details }, { status: 400 })).listDonors(),
      DonationPlatformError,
    );
  const elapsed = performance.now() - started;
  assert.ok(elapsed < 2_000, `${Math.round(elapsed)} ms`);
});

test('reports when a throttled request may be repeated, and sends nothing before then', async () => {
  let now = 1_000_000;
  let sent = 0;
  const createThrottledClient = (
    headers: Record<string, string>,
    details: string | undefined = 'Maximum of 100 requests per 1m. Wait 30 seconds.',
    status = 403,
  ): DonationPlatformClient =>
    createClient(
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
    createThrottledClient({ 'Retry-After': '12' }).listDonors(),
    (error) =>
      isThrottledUntil(1_012_000)(error) && (error as ThrottledError).message === 'Quota exceeded',
  );
  await assert.rejects(
    createThrottledClient({}, undefined, 429).listDonors(),
    isThrottledUntil(1_030_000),
  );
  await assert.rejects(
    createThrottledClient({ 'Retry-After': '5' }, '', 429).listDonors(),
    isThrottledUntil(1_005_000),
  );
  await assert.rejects(
    createThrottledClient(
      {},
      'Maximum of 100 requests per 60 seconds. Wait 7 seconds.',
    ).listDonors(),
    isThrottledUntil(1_007_000),
  );
  await assert.rejects(
    createClient(() => new Response('', { status: 429, headers: { 'Retry-After': '7' } }), {
      now: () => now,
    }).listDonors(),
    isThrottledUntil(1_007_000),
  );
  for (const plain of [
    () => Response.json({ message: 'Bad field', details: 'email is required' }, { status: 400 }),
    () => Response.json({ message: 'busy' }, { status: 503, headers: { 'Retry-After': '7' } }),
  ]) {
    const answered = createClient(plain);
    await assert.rejects(answered.listDonors(), DonationPlatformError);
    await assert.rejects(answered.listDonors(), DonationPlatformError);
  }
  for (const odd of ['-5', 'NaN', 'Wed, 21 Oct', '99999999999999'])
    await assert.rejects(
      createThrottledClient({ 'Retry-After': odd }).listDonors(),
      isThrottledUntil(1_060_000),
      odd,
    );
  await assert.rejects(
    createThrottledClient({ 'Retry-After': '999999999' }).listDonors(),
    isThrottledUntil(1_000_000 + 86_400_000),
  );
  const client = createThrottledClient({ 'Retry-After': '12' });
  await assert.rejects(client.listDonors(), ThrottledError);
  const before = sent;
  await assert.rejects(
    client.listDonors(),
    (error) => isThrottledUntil(1_012_000)(error) && !(error as ThrottledError).wasSent,
  );
  now += 12_000;
  await assert.rejects(client.listDonors(), (error) => (error as ThrottledError).wasSent);
  assert.equal(sent, before + 1);
});

/** Fetches from a server that answers with the given text, and closes the connection. */
async function listDonorsOverSocket(text: string): Promise<unknown[]> {
  const server: Server = createServer((_request, response: ServerResponse) => {
    response.socket!.end(text);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const client = new DonationPlatformClient({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    organizationKey: `socket-${(organizationCount += 1)}`,
    licenseKey: 'key',
    now: () => 5_000,
  });
  const results = await Promise.allSettled([client.listDonors()]);
  results.push(...(await Promise.allSettled([client.listDonors()])));
  server.closeAllConnections();
  server.close();
  return results.map((result) =>
    result.status === 'rejected' ? (result.reason as unknown) : result.value,
  );
}

test("recognizes a throttled response with the header 'Retry After' wherever it is, and pauses", async () => {
  const body = '{"message":"slow down"}';
  const headers = {
    type: 'Content-Type: application/json',
    close: 'Connection: close',
    length: `Content-Length: ${body.length}`,
    retry: 'Retry After: 7',
  };
  for (const order of [
    'type retry length',
    'type length retry',
    'close retry',
    'close length retry',
    'length close retry',
    'type retry close length',
  ]) {
    const lines = order.split(' ').map((name) => headers[name as keyof typeof headers]);
    const [error, next] = await listDonorsOverSocket(
      ['HTTP/1.1 429 Too Many', ...lines, '', body].join('\r\n'),
    );
    assert.ok(isThrottledUntil(65_000)(error), order);
    assert.ok(isThrottledUntil(65_000)(next) && !(next as ThrottledError).wasSent, order);
  }
});

test('does not take a response that breaks off for a throttled one', async () => {
  for (const text of [
    'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n[1',
    'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 20\r\n\r\n[1',
    'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 20\r\n',
  ])
    for (const error of await listDonorsOverSocket(text))
      assert.ok(error instanceof NoResponseError, String(error));
});

test("errors contain the platform's message but no key, and redirects are not followed", async () => {
  await assert.rejects(
    createClient(() =>
      Response.json({ message: 'pageSize is wrong' }, { status: 400 }),
    ).listDonors(),
    (error) =>
      error instanceof DonationPlatformError &&
      error.status === 400 &&
      error.message === 'pageSize is wrong',
  );
  await assert.rejects(
    createClient(
      () => new Response(null, { status: 302, headers: { Location: 'https://evil.test' } }),
    ).listDonors(),
    (error) => error instanceof DonationPlatformError && error.status === 302,
  );
  await assert.rejects(createClient(() => new Response('<html>')).listDonors(), NoResponseError);
  await assert.rejects(createClient(() => Response.json({})).listDonors(), /is not a list/);
  await assert.rejects(
    createClient(() => {
      throw new TypeError('fetch failed');
    }).listDonors(),
    (error) =>
      error instanceof NoResponseError &&
      !JSON.stringify(error, Object.getOwnPropertyNames(error)).includes('canary'),
  );
});

test('rejects invalid options and deprecated endpoints', async () => {
  const createClientWith = (options: Partial<DonationPlatformClientOptions>) => () =>
    createClient(() => respondWithPage([], {}), options);
  for (const baseUrl of [
    'http://v1.test',
    'ftp://v1.test',
    'https://user:pw@v1.test',
    'v1.test',
    'https://v1.test?x',
  ])
    assert.throws(createClientWith({ baseUrl }), TypeError, baseUrl);
  for (const licenseKey of ['', 'a b', 'a\nb'])
    assert.throws(createClientWith({ licenseKey }), TypeError);
  for (const timeout of [0, -1, 60_001, NaN])
    assert.throws(createClientWith({ timeout }), RangeError);
  await assert.rejects(
    createClient(() => respondWithPage([], {})).call('GET', '/v1/campaigns?page=1'),
    /deprecated\. Use the v2 endpoints/,
  );
  assert.deepEqual(
    (await createClient(() => Response.json({ id: 1 })).call('POST', '/v1/anything', { a: 1 }))
      .body,
    { id: 1 },
  );
});

test('rejects a path outside baseUrl', async () => {
  const client = createClient(() => Response.json([]));
  for (const path of ['.evil.test/x', '@evil.test/', ':8443/v1', 'v1/donors', ''])
    await assert.rejects(client.call('GET', path), /is not a path under baseUrl/, path);
  await assert.rejects(client.call('GET', '/v1/./campaigns'), /deprecated/);
  assert.deepEqual((await client.call('GET', '/v1/campaign-pages')).body, []);
});

test('normalizes baseUrl, so iterators and limits work with every form of it', async () => {
  let sent = 0;
  const clients = ['https://V1.test', 'https://v1.test:443/', 'https://v1.test/a/..'].map(
    (baseUrl) =>
      createClient(
        (request) => {
          sent += 1;
          const at = Number(new URL(request.url).searchParams.get('page') ?? 1);
          return respondWithPage([{ id: at }], {
            totalCount: 2,
            totalPages: 2,
            nextPageLink: at < 2 ? 'https://v1.test/v1/donors?page=2' : '',
          });
        },
        { baseUrl, organizationKey: 'one', now: () => 7_000 },
      ),
  );
  for (const client of clients) for await (const { id } of client.iterateDonors()) assert.ok(id);
  assert.equal(sent, 6);
  for (let calls = 6; calls < 100; calls += 1) await clients[0]!.listDonors();
  await assert.rejects(clients[2]!.listDonors(), ThrottledError);
});

test('accepts an empty response body, and reports an unserializable request as a TypeError', async () => {
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  await assert.rejects(
    createClient(() => Response.json({})).call('POST', '/v1/x', circular),
    TypeError,
  );
  assert.equal(
    (await createClient(() => new Response(null, { status: 204 })).call('DELETE', '/v1/x')).body,
    undefined,
  );
  await assert.rejects(async () => {
    for await (const { id } of createClient(() => Response.json([{ id: 1 }])).iterateDonors())
      assert.ok(id);
  }, /no valid x-pagination header/);
});

test('errors do not contain the search text', async () => {
  for (const answer of [
    () => {
      throw new TypeError('fetch failed');
    },
    () => new Response('<html>'),
    () => Response.json({}),
    () => new Response('{}', { status: 500 }),
  ] as const) {
    await assert.rejects(
      createClient(answer).listDonors({ searchString: 'ana@example.org' }),
      (error) => !(error as Error).message.includes('ana'),
    );
  }
});

test('calls public endpoints without keys and without limits', async () => {
  const requests: Request[] = [];
  const client = createClient(
    (request) => {
      requests.push(request);
      return Response.json([]);
    },
    { now: () => 9_000 },
  );
  for (let index = 0; index < 150; index += 1)
    await client.callPublicEndpoint('/public/widgets/1?x=/../y');
  assert.deepEqual(
    [
      requests.length,
      requests[0]!.headers.get('Authorization'),
      requests[0]!.headers.get('X-OrganizationKey'),
    ],
    [150, null, null],
  );
  await client.listDonors();
  for (const path of ['/v1/donors', '/public/../v1/donors', 'public/x', '/public/%2e%2e/v1'])
    await assert.rejects(client.callPublicEndpoint(path), RangeError, path);
});

test('omits rate limit and pagination headers that are missing or invalid', async () => {
  const listDonorsWithHeaders = async (headers: Record<string, string>) =>
    await createClient(() => Response.json([], { headers })).listDonors();
  assert.deepEqual(
    (
      await listDonorsWithHeaders({
        'X-Rate-Limit-Limit': '1m',
        'X-Rate-Limit-Remaining': '99',
        'X-Rate-Limit-Reset': '2026-11-21T10:00:00Z',
      })
    ).rateLimit,
    { period: '1m', remaining: 99, resetsAt: new Date('2026-11-21T10:00:00Z') },
  );
  assert.deepEqual(
    (await listDonorsWithHeaders({ 'X-Rate-Limit-Remaining': '-1', 'X-Rate-Limit-Reset': 'soon' }))
      .rateLimit,
    {},
  );
  for (const odd of ['', 'x', 'null', '[]', '{"totalCount":"1","totalPages":1}'])
    assert.equal((await listDonorsWithHeaders({ 'x-pagination': odd })).pagination, undefined, odd);
});
