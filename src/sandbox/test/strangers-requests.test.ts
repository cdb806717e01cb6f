/**
 * Requests that public clients of the platforms send, reconstructed in our own words from their
 * sources. docs/evidence/strangers-requests.md lists the clients.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  DonationPlatformClient,
  ThrottledError,
} from '../../platform-clients/donation-v1/index.ts';
import { NOON, openSandbox, type SandboxFixture } from './support.ts';

const IMPORTED_COLUMNS = [
  'Id',
  'Date',
  'Project(s)',
  'Amount',
  'Tender Type Info',
  'Donor Id',
  'Donor First Name',
  'Donor Last Name',
  'Donor Email',
  'Donor Phone',
  'Billing Address Line 1',
  'Billing Address Line 2',
  'Billing Address City',
  'Billing Address State',
  'Billing Address Postal',
  'Billing Address Country',
  'Status',
  'Transaction Id',
];

interface ImportedGift {
  readonly id: number;
  readonly isAnonymous: boolean;
  readonly metadata: readonly string[];
  readonly projects: readonly { readonly name: string; readonly amount: string }[];
}

async function recordGift(
  { request }: SandboxFixture,
  gift: { readonly reference: string; readonly total?: string; readonly giftStatus?: number },
): Promise<void> {
  const { total = '25.00' } = gift;
  const { status } = await request('/sandbox/gifts', {
    summary: 'a gift',
    total,
    donor: { firstName: 'Ana', lastName: 'Silva', email: 'ana@example.org', country: 'USA' },
    projects: [{ code: 'WATER', name: 'Village wells', amount: total }],
    paymentMethod: 0,
    ...gift,
  });
  assert.equal(status, 200);
}

/** Sends the query of the Python import, page by page, as the import does. */
async function importGifts(
  { request }: SandboxFixture,
  statuses: readonly string[],
  startDate = '2026-11-13',
): Promise<ImportedGift[]> {
  const gifts: ImportedGift[] = [];
  const take = 100;
  for (let skip = 0; ; skip += take) {
    const conditions = [
      { parameter: 'Create Date', operator: 'GreaterThanOrEqual', value: startDate },
      { parameter: 'Status', operator: 'IsAnyOf', values: statuses },
    ];
    const query = {
      take,
      skip,
      sortBy: 'createdate',
      descending: false,
      queryType: 3,
      selectedColumns: IMPORTED_COLUMNS,
      groups: [{ conditions }],
    };
    const { status, body, headers } = await request('/api/Gift/query', query, {
      method: 'POST',
      headers: {
        Authorization: 'Bearer key',
        'Content-Type': 'application/json',
        Accept: 'text/plain',
      },
    });
    assert.equal(status, 200);
    assert.equal(headers.get('X-RateLimit-Remaining'), null);
    const { items, total } = body as { items: ImportedGift[]; total: number };
    gifts.push(...items);
    if (skip + take >= total) return gifts;
  }
}

test('answers the gift query of a Python import, with metadata in the order of the columns', async () => {
  const sandbox = openSandbox({ liveClients: true });
  for (let index = 0; index < 101; index += 1)
    await recordGift(sandbox, { reference: `R${index}` });
  await recordGift(sandbox, { reference: 'LARGE', total: '1200.00' });
  await recordGift(sandbox, { reference: 'REFUNDED', giftStatus: 4 });
  await recordGift(sandbox, { reference: 'LOST', giftStatus: 11 });

  const approved = await importGifts(sandbox, ['Approved']);
  assert.equal(new Set(approved.map(({ id }) => id)).size, 102);
  const { metadata, projects, isAnonymous } = approved.at(-1)!;
  const values = Object.fromEntries(
    IMPORTED_COLUMNS.map((column, index) => [column, metadata[index]]),
  );
  assert.deepEqual(
    [values.Date, values['Donor First Name'], values['Billing Address Country'], values.Status],
    ['11/21/2026', 'Ana', 'USA', 'Approved'],
  );
  assert.match(values['Tender Type Info']!, /^Visa x\d{4}$/);
  assert.ok(Number(values['Donor Id']) > 0);
  assert.equal(values['Transaction Id'], 'LARGE');
  assert.deepEqual(
    [projects, isAnonymous],
    [[{ name: 'Village wells', amount: '$1,200.00' }], false],
  );

  const returned = await importGifts(sandbox, ['ChargeBack', 'Refunded']);
  assert.deepEqual(
    returned.map((gift) => gift.metadata.at(-1)),
    ['REFUNDED', 'LOST'],
  );
  assert.deepEqual(await importGifts(sandbox, ['Approved'], '2026-11-22'), []);
});

test('lists gifts with parameters in PascalCase, and ignores others', async () => {
  const sandbox = openSandbox();
  for (const reference of ['A', 'B', 'C']) await recordGift(sandbox, { reference });
  const list = async (query: string): Promise<unknown> => {
    const { items, total } = (await sandbox.request(`/api/Gift/list?${query}`)).body as {
      items: { transactionId: string }[];
      total: number;
    };
    return [items.map(({ transactionId }) => transactionId).join(''), total];
  };
  assert.deepEqual(await list('Skip=1&Take=1&SortBy=date&Descending=true'), ['B', 3]);
  assert.deepEqual(await list('skip=1&take=1'), ['ABC', 3]);
});

test('answers only specified requests unless live clients are emulated', async () => {
  const { request, requestV1 } = openSandbox();
  assert.equal((await request('/api/Gift/query', {})).status, 404);
  assert.equal((await requestV1('/v1/donors/1/donations')).status, 404);
  assert.equal((await requestV1('/v1/donors?crmKeySecond=1')).status, 400);
  assert.equal((await requestV1('/v3/embed-campaigns')).status, 404);
});

/** Headers of the PHP client: the scheme in upper case, the raw key, and no content type. */
const PHP_HEADERS = {
  Content: 'application/json',
  'X-OrganizationKey': 'organization',
  Authorization: 'BASIC read-key',
};

const getAsPhpClient = async ({ sandbox }: SandboxFixture, path: string): Promise<Response> =>
  sandbox.fetch(new Request(`http://127.0.0.1:4102${path}`, { headers: PHP_HEADERS }));

test('answers the requests of a PHP client of v1', async () => {
  const sandbox = openSandbox({ liveClients: true });
  const get = async (path: string) => {
    const response = await getAsPhpClient(sandbox, `/v1/${path}`);
    assert.equal(response.status, 200, path);
    return {
      records: (await response.json()) as { id: number; status: { id: number } }[],
      totalPages: (JSON.parse(response.headers.get('x-pagination')!) as { totalPages: number })
        .totalPages,
    };
  };
  await recordGift(sandbox, { reference: 'A' });
  await recordGift(sandbox, { reference: 'B', giftStatus: 2 });
  const [donor] = (await get('donors')).records;
  const edited = await sandbox.requestV1(`/v1/donors/${donor!.id}`, {
    method: 'PUT',
    key: 'write-key',
    body: JSON.stringify({ firstName: 'Ana', email: 'ana@example.org', crmKey: '4711' }),
  });
  assert.equal(edited.status, 200);
  assert.deepEqual(
    (await get('donors?crmKeySecond=4711')).records.map(({ id }) => id),
    [donor!.id],
  );
  assert.deepEqual((await get('donors?crmKeySecond=4712')).records, []);
  const { records, totalPages } = await get(
    `donors/${donor!.id}/donations?page=1&pageSize=200&createdAfter=11/20/2026 00:00:00`,
  );
  assert.deepEqual([records.map(({ status }) => status.id), totalPages], [[1, 2], 1]);
  assert.deepEqual(
    (await get('donations?page=1&pageSize=200&createdAfter=2026-11-22')).records,
    [],
  );
});

test('throttles v1 with the body that a PHP client waits by, and our own client reads it', async () => {
  const sandbox = openSandbox({ liveClients: true });
  for (let count = 0; count < 100; count += 1) await getAsPhpClient(sandbox, '/v1/donors');
  const response = await getAsPhpClient(sandbox, '/v1/donors');
  const { message, details } = (await response.json()) as { message: string; details: string };
  assert.deepEqual([response.status, message], [429, 'Rate limit exceeded quota.']);
  assert.deepEqual(details.split(' ').slice(-2), ['60', 'second(s).']);

  const client = new DonationPlatformClient({
    baseUrl: 'https://strangers.test',
    organizationKey: 'organization',
    licenseKey: 'read-key',
    now: () => NOON,
    // The wait is in the body only.
    fetch: async () => Response.json({ message, details }, { status: 429 }),
  });
  await assert.rejects(
    client.listDonors(),
    (error) => error instanceof ThrottledError && error.retryAt.getTime() === NOON + 60_000,
  );
});

test("answers the requests of the older vendor's WordPress plugin", async () => {
  const sandbox = openSandbox({ liveClients: true });
  const get = async (path: string): Promise<unknown> => {
    const response = await getAsPhpClient(sandbox, `/v3/embed-campaigns${path}`);
    return response.status === 200 ? response.json() : response.status;
  };
  const campaigns = (await get('?page=1&pageSize=25')) as { campaignId: number }[];
  assert.ok(campaigns.length > 0);
  assert.deepEqual(await get('?page=2&pageSize=25'), []);
  const [{ campaignId }] = campaigns as [{ campaignId: number }];
  const campaign = (await get(`/${campaignId}`)) as {
    publicTitle: string;
    embedScripts: Record<string, string>;
  };
  assert.deepEqual(Object.keys(campaign.embedScripts), [
    'pageContentWithDonationForm',
    'donationFormOnly',
  ]);
  assert.deepEqual(await get(`/search?searchFor=${encodeURIComponent(campaign.publicTitle)}`), [
    campaign,
  ]);
  assert.equal(await get('/999999'), 404);
});

test('keeps the Stripe metadata of the older vendor as it was sent', async () => {
  const { sandbox } = openSandbox();
  const metadata = {
    RaiseDonors_CampaignId: '101',
    RaiseDonors_ProjectShoppingCart: JSON.stringify([
      { CartId: 1, Amount: 25, ProjectId: '2215', Comment: 'test' },
    ]),
    RaiseDonors_ProjectId: '2215|25|Village wells & taps',
  };
  const body = new URLSearchParams({
    amount: '2500',
    currency: 'usd',
    ...Object.fromEntries(
      Object.entries(metadata).map(([name, value]) => [`metadata[${name}]`, value]),
    ),
  });
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await sandbox.fetch(
      new Request(`http://127.0.0.1:4102/stripe/v1/${path}`, {
        ...init,
        headers: {
          Authorization: 'Bearer sk_test_sandbox',
          'Content-Type': 'application/x-www-form-urlencoded',
        },
      }),
    );
    assert.equal(response.status, 200);
    return (await response.json()) as { id: string; metadata: object };
  };
  const { id } = await send('payment_intents', { method: 'POST', body: body.toString() });
  assert.deepEqual((await send(`payment_intents/${id}`)).metadata, metadata);
});
