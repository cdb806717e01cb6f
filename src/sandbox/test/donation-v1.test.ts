import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getList, getMessage, openSandbox, type TestResponse } from './support.ts';

const MINUTE = 60_000;
const parsePagination = ({ headers }: TestResponse) =>
  JSON.parse(headers.get('x-pagination')!) as {
    totalCount: number;
    totalPages: number;
    prevPageLink: string;
    nextPageLink: string;
  };
const getRateLimitHeaders = ({ headers }: TestResponse): (string | null)[] =>
  ['Limit', 'Remaining', 'Reset'].map((name) => headers.get(`X-Rate-Limit-${name}`));

test('Authentication: the content type is required, and the key may be raw or base64', async () => {
  const { requestV1 } = openSandbox();
  assert.equal((await requestV1('/v1/donors')).status, 200);
  assert.equal((await requestV1('/v1/donors', { key: btoa('read-key') })).status, 200);
  assert.equal(
    (await requestV1('/v1/donors', { headers: { 'Content-Type': 'text/plain' } })).status,
    415,
  );
});

test('rejects the keys of an inactive or deleted application, and a revoked key', async () => {
  const { requestV1, request } = openSandbox();
  const getStatus = async (key: string): Promise<number> =>
    (await requestV1('/v1/donors', { key })).status;
  const controlApplications = (method: string, path: string, body?: object) =>
    request(`/sandbox/applications/${path}`, body, { method });
  assert.equal(await getStatus('old-key'), 401);
  await controlApplications('PATCH', 'old%20site', { active: true });
  assert.equal(await getStatus('old-key'), 200);
  await controlApplications('DELETE', 'old%20site');
  assert.equal(await getStatus('old-key'), 401);
  await controlApplications('DELETE', 'website/keys/read');
  assert.deepEqual([await getStatus('read-key'), await getStatus('write-key')], [401, 200]);
  const application = { name: 'a', active: true, keys: [] };
  const v1 = { organizationKey: 'o', applications: [application, application] };
  assert.throws(() => openSandbox({ v1 }), /The name 'a' is used more than once/);
});

test('Paging: 20 by default, at most 200, and x-pagination has exactly its four fields', async () => {
  const { requestV1 } = openSandbox({ seed: true });
  const first = await requestV1('/v1/donors');
  assert.equal(getList(first).length, 20);
  assert.deepEqual(parsePagination(first), {
    totalCount: 220,
    totalPages: 11,
    prevPageLink: '',
    nextPageLink: 'http://127.0.0.1:4102/v1/donors?page=2&pageSize=20',
  });
  const capped = await requestV1('/v1/donors?pageSize=500&code=&includeDetails=false');
  assert.equal(getList(capped).length, 200);
  const last = await requestV1(parsePagination(capped).nextPageLink);
  assert.deepEqual(
    [getList(last).length, parsePagination(last).nextPageLink, parsePagination(last).prevPageLink],
    [20, '', 'http://127.0.0.1:4102/v1/donors?pageSize=200&code=&includeDetails=false&page=1'],
  );
  for (const query of ['page=0', 'page=x', 'pageSize=0', 'pageSize=1.5', 'pagesize=5'])
    assert.equal((await requestV1(`/v1/donors?${query}`)).status, 400, query);
  assert.deepEqual(parsePagination(await requestV1('/v1/donors?searchString=nobody%20at%20all')), {
    totalCount: 0,
    totalPages: 0,
    prevPageLink: '',
    nextPageLink: '',
  });
  const proxied = await requestV1('http://platform.example/v1/donors', {
    headers: { 'X-Forwarded-Proto': 'https' },
  });
  assert.match(parsePagination(proxied).nextPageLink, /^https:\/\/platform\.example\//);
});

test('Dates: UTC, MM/DD/YYYY HH:MM:SS AM/PM', async () => {
  for (const [time, formatted] of [
    ['2026-01-02T00:05:09Z', '01/02/2026 12:05:09 AM'],
    ['2026-12-31T12:00:00Z', '12/31/2026 12:00:00 PM'],
    ['2026-06-07T23:59:59Z', '06/07/2026 11:59:59 PM'],
  ] as const) {
    const { changeV1 } = openSandbox({ now: () => new Date(time) });
    const { body } = await changeV1('POST', '/v1/donors', {});
    assert.equal((body as { dateCreated: string }).dateCreated, formatted);
  }
});

test('a change updates lastModified, but not dateCreated', async () => {
  const { requestV1, changeV1, advanceTime } = openSandbox();
  await changeV1('POST', '/v1/donors', {});
  advanceTime(1_440 * MINUTE);
  await changeV1('PUT', '/v1/donors/1', {});
  for (const [query, count] of [
    ['modifiedOnOrAfter=2026-11-22', 1],
    ['createdAfter=2026-11-22', 0],
    ['createdBefore=2026-11-21', 1],
    ['createdBefore=2026-11-20', 0],
  ] as const)
    assert.equal(getList(await requestV1(`/v1/donors?${query}`)).length, count, query);
});

test("includeDetails adds a donation's nested data, and flags may be in any case", async () => {
  const { requestV1 } = openSandbox({ seed: true });
  const [total, totalWithTests] = await Promise.all(
    ['', '?includeTestTransactions=TRUE'].map(
      async (query) => parsePagination(await requestV1(`/v1/donations${query}`)).totalCount,
    ),
  );
  assert.ok(totalWithTests! > total!);
  const [plain] = getList(await requestV1('/v1/donations?pageSize=1'));
  const [detailed] = getList(await requestV1('/v1/donations?pageSize=1&includeDetails=true'));
  assert.deepEqual(
    Object.keys(detailed!).filter((name) => !(name in plain!)),
    ['donor', 'fundAllocations', 'CustomDataItems'],
  );
  assert.equal(typeof plain!.IsAnonymous, 'boolean');
});

test('recurring schedules: search, edit, delete, and move to a different donor', async () => {
  const { request, requestV1, changeV1 } = openSandbox();
  const gift = { summary: 'monthly', total: '25.00', gift: { frequency: 'monthly' } };
  const record = async (reference: string, email: string, others: object): Promise<void> => {
    await request('/sandbox/gifts', { ...gift, reference, donor: { email }, ...others });
  };
  await record('ONCE', 'ana@example.org', { gift: { frequency: 'once' } });
  await record('A', 'ana@example.org', { recurringGiftStatus: 1 });
  await record('A-2', 'ana@example.org', { recurringGiftStatus: 1, parent: 'A' });
  await record('B', 'kim@example.org', { recurringGiftStatus: 4, total: '9.99' });
  const list = async (path: string): Promise<unknown[]> =>
    getList(await requestV1(path)).map(({ id, amountInCents, recurringFrequency, status }) => [
      id,
      amountInCents,
      recurringFrequency,
      status,
    ]);
  for (const path of ['/v1/schedules', '/v1/schedules/search'])
    assert.deepEqual(await list(path), [
      [2, 2_500, 12, 1],
      [4, 999, 12, 4],
    ]);
  assert.deepEqual(await list('/v1/schedules/search?status=4'), [[4, 999, 12, 4]]);
  assert.deepEqual(await list('/v1/schedules/search?donorId=1'), [[2, 2_500, 12, 1]]);
  assert.equal((await requestV1('/v1/schedules?state=4')).status, 400);
  const edited = { amountInCents: 3_050, recurringFrequency: 4, status: 2 };
  assert.equal((await changeV1('PUT', '/v1/schedules/2', edited)).status, 200);
  assert.deepEqual(await list('/v1/schedules?donorId=1'), [[2, 3_050, 4, 2]]);
  for (const wrong of [
    { amountInCents: 1.5 },
    { amountInCents: 0 },
    { recurringFrequency: 3 },
    { status: 6 },
    { amount: 5 },
  ])
    assert.equal((await changeV1('PUT', '/v1/schedules/2', wrong)).status, 400);
  assert.equal((await changeV1('PUT', '/v1/schedules/2/donor', { donorId: 2 })).status, 200);
  assert.equal((await list('/v1/schedules?donorId=2')).length, 2);
  assert.equal((await changeV1('PUT', '/v1/schedules/2/donor', { donorId: 9 })).status, 400);
  assert.equal((await changeV1('DELETE', '/v1/schedules/2', {})).status, 200);
  assert.deepEqual(await list('/v1/schedules'), [[4, 999, 12, 4]]);
  for (const id of [1, 2, 99])
    assert.equal((await changeV1('DELETE', `/v1/schedules/${id}`, {})).status, 404);
  const { status } = await requestV1('/v1/schedules/4', { method: 'DELETE' });
  assert.equal(status, 403);
});

test('donation search, moving a donation to a different donor, and products', async () => {
  const { requestV1, changeV1 } = openSandbox({ seed: true });
  const all = parsePagination(await requestV1('/v1/donations')).totalCount;
  const approved = parsePagination(await requestV1('/v1/donations/search?status=1')).totalCount;
  assert.ok(approved > 0 && approved < all, `${approved} of ${all}`);
  const own = getList(await requestV1('/v1/donations/search?donorId=3&pageSize=200'));
  assert.ok(own.length > 0 && own.every(({ donorId }) => donorId === 3));
  const move = (donorId: number) => changeV1('PUT', '/v1/donations/1/donor', { donorId });
  assert.deepEqual([(await move(3)).status, (await move(9_999)).status], [200, 400]);
  const moved = getList(await requestV1('/v1/donations/search?donorId=3&pageSize=200'));
  assert.ok(moved.some(({ id }) => id === 1));
  assert.equal((await requestV1('/v1/donations?status=1')).status, 400);
  const codes = async (query: string): Promise<unknown[]> =>
    getList(await requestV1(`/v1/products${query}`)).map(({ code }) => code);
  assert.deepEqual(await codes(''), ['FILTER', 'PUMP', 'TANK']);
  assert.deepEqual(await codes('?isActiveOnly=true&searchString=pump'), ['PUMP']);
});

test('searchString searches CRM keys and transaction IDs', async () => {
  const { requestV1 } = openSandbox({ seed: true });
  const [someone] = getList(await requestV1('/v1/donors?pageSize=1'));
  assert.deepEqual(
    getList(await requestV1(`/v1/donors?searchString=${String(someone!.crmKey).toLowerCase()}`))[0],
    someone,
  );
  const [gift] = getList(await requestV1('/v1/donations?searchString=lw-10007'));
  assert.equal(gift?.transactionId, 'LW-10007');
});

test('Limits: all limits apply together, and each response reports the tightest', async () => {
  const { requestV1, advanceTime } = openSandbox();
  assert.deepEqual(getRateLimitHeaders(await requestV1('/v1/donors')), [
    '1m',
    '99',
    '2026-11-21T12:01:00.000Z',
  ]);
  for (let request = 2; request <= 100; request += 1) await requestV1('/v1/donors');
  const broken = await requestV1('/v1/donors');
  assert.equal(broken.status, 429);
  assert.deepEqual(broken.body, {
    message: 'Too many requests.',
    details: 'The maximum is 100 requests per 1m. Please wait 60 seconds.',
  });
  assert.deepEqual(
    [broken.headers.get('Retry-After'), ...getRateLimitHeaders(broken)],
    ['60', '1m', '0', '2026-11-21T12:01:00.000Z'],
  );
  advanceTime(59_001);
  assert.equal((await requestV1('/v1/donors')).headers.get('Retry-After'), '1');
  advanceTime(MINUTE);
  for (let request = 103; request <= 1_000; request += 1) {
    if (request % 90 === 0) advanceTime(MINUTE);
    assert.equal((await requestV1('/v1/donors')).status, 200, String(request));
  }
  advanceTime(MINUTE);
  const hourly = await requestV1('/v1/donors');
  assert.deepEqual(
    [hourly.status, ...getRateLimitHeaders(hourly)],
    [429, '1h', '0', '2026-11-21T13:00:00.000Z'],
  );
  assert.match((hourly.body as { details: string }).details, /1000 requests per 1h/);
});

test('public endpoints search funds, and sum up the donations', async () => {
  const { sandbox } = openSandbox({ seed: true });
  const requestPublic = async (path: string): Promise<Response> =>
    sandbox.fetch(new Request(`https://platform.example${path}`));
  const funds: unknown = await (await requestPublic('/public/funds?searchString=SCHOOL')).json();
  assert.deepEqual(
    (funds as { code: string }[]).map(({ code }) => code),
    ['SCHOOL'],
  );
  const summary: unknown = await (await requestPublic('/public/widgets/summary')).json();
  assert.ok((summary as { total: number }).total > 10_000);
  assert.equal(
    (await requestPublic('/public/funds')).headers.get('X-Sandbox-Extension'),
    'not in the specification',
  );
});

test('Cross-origin resource sharing: other origins may call and read the paging and rate-limit headers', async () => {
  const { sandbox, requestV1 } = openSandbox();
  const preflight = await sandbox.fetch(
    new Request('http://127.0.0.1/v1/donors', {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://lanternwell.example',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'authorization,x-organizationkey',
      },
    }),
  );
  assert.equal(preflight.status, 204);
  assert.match(preflight.headers.get('Access-Control-Allow-Headers') ?? '', /X-OrganizationKey/);
  for (const answer of [
    await requestV1('/v1/donors'),
    await requestV1('/v1/donors', { key: 'other' }),
  ]) {
    assert.equal(answer.headers.get('Access-Control-Allow-Origin'), '*');
    assert.match(
      answer.headers.get('Access-Control-Expose-Headers') ?? '',
      /x-pagination.*X-Rate-Limit-Remaining.*Retry-After/,
    );
  }
});

test('an (Empty) endpoint of each object type returns a skeleton that can create a record', async () => {
  const { requestV1, changeV1 } = openSandbox();
  for (const path of [
    '/v1/donors',
    '/v1/donations',
    '/v1/funds',
    '/v1/schedules',
    '/v1/products',
    '/v1/webhooks',
    '/v2/campaigns',
  ]) {
    const { status, headers } = await requestV1(`${path}/empty`);
    assert.deepEqual(
      [status, headers.get('X-Sandbox-Extension')],
      [200, 'not in the specification'],
      path,
    );
  }
  const fetchSkeleton = async (type: string): Promise<object> =>
    (await requestV1(`/v1/${type}/empty`)).body as object;
  const createRecord = (type: string, body: object): Promise<TestResponse> =>
    changeV1('POST', `/v1/${type}`, body);
  const { body: donor } = await createRecord('donors', {
    ...(await fetchSkeleton('donors')),
    firstName: 'Ana',
  });
  const donation = {
    ...(await fetchSkeleton('donations')),
    donorId: (donor as { id: number }).id,
    amount: 51.81,
    fundAllocations: [{ fundCode: 'WATER', amount: 51.81 }],
    CustomDataItems: [],
  };
  assert.match(
    getMessage(await createRecord('donations', donation)),
    /creditCardExpiration is required/,
  );
  const { body } = await createRecord('donations', {
    ...donation,
    creditCardExpiration: '12/2030',
  });
  assert.equal((body as { amount: number }).amount, 51.81);
  assert.equal(getList(await requestV1('/v1/donations')).length, 1);
});

test('marks v1 campaigns as deprecated, and only undocumented calls as extensions', async () => {
  const { requestV1 } = openSandbox();
  const [old, current] = [await requestV1('/v1/campaigns'), await requestV1('/v2/campaigns')];
  assert.deepEqual(
    [old.headers.get('Deprecation'), current.headers.get('Deprecation')],
    ['true', null],
  );
  assert.deepEqual(old.body, current.body);
  assert.equal(getList(current).length, 6);
  for (const [path, extension] of [
    ['/v1/donors', null],
    ['/v1/donations', null],
    ['/v1/funds', 'not in the specification'],
    ['/v2/campaigns', 'not in the specification'],
  ] as const)
    assert.equal((await requestV1(path)).headers.get('X-Sandbox-Extension'), extension);
});
