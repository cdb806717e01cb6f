import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { DonationPlatformClient } from '../../src/platform-clients/donation-v1/index.ts';
import * as v1Enumerations from '../../src/platform-clients/donation-v1/enumerations.ts';
import * as fundraisingEnumerations from '../../src/platform-clients/fundraising/enumerations.ts';
import {
  FundraisingClient,
  type QueryOptions,
} from '../../src/platform-clients/fundraising/index.ts';
import type { SandboxOptions } from '../../src/sandbox/index.ts';
import { openSandbox } from '../sandbox/support.ts';
import { ApiDocument, type Held } from './api-document.ts';

const HERE = 'http://127.0.0.1:4102';
const fundraising = await ApiDocument.open('fundraising');
const v1 = await ApiDocument.open('donation-v1');
const ORGANIZATION = { 'X-OrganizationKey': 'organization', 'Content-Type': 'application/json' };

type Ask = (
  path: string,
  body?: object,
  init?: RequestInit & { readonly at?: string },
) => Promise<Held>;

/** Asks a sandbox, seeded by default, and holds what it answers against the document. */
function open(
  document: ApiDocument,
  headers: Readonly<Record<string, string>>,
  options: Partial<SandboxOptions> = {},
): Ask {
  const { sandbox } = openSandbox({ seed: true, ...options });
  return (path, body, { at = HERE, ...init } = {}) =>
    document.hold(
      new Request(at + path, {
        headers,
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
        ...init,
      }),
      sandbox.fetch,
    );
}
const openFundraising = (options?: Partial<SandboxOptions>): Ask =>
  open(fundraising, { Authorization: 'Bearer key', 'Content-Type': 'application/json' }, options);
const openV1 = (options?: Partial<SandboxOptions>): Ask =>
  open(v1, { ...ORGANIZATION, Authorization: 'Basic read-key' }, options);

const page = { skip: 0, take: 20 };
const query = {
  queryType: 'Campaign',
  ...page,
  groups: [
    {
      conditions: [
        {
          parameter: 'startDate',
          operator: 'Between',
          value: '2025-01-01',
          secondaryValue: '2026-12-31',
        },
        { parameter: 'name', operator: 'IsKnown' },
      ],
    },
  ],
};
const condition = (fields: object): object => ({
  ...query,
  groups: [{ conditions: [{ parameter: 'givingGoal', operator: 'Is', value: '1', ...fields }] }],
});

/** What the documents allow, by operation. */
const fundraisingCalls: Readonly<Record<string, readonly Parameters<Ask>[]>> = {
  listCampaigns: [
    ['/api/campaign/list?skip=0&take=20'],
    ['/api/campaign/list?skip=1&take=2&filter=RIVER&sortBy=givingGoal&descending=true'],
    ['/api/campaign/list?skip=0&take=0'],
  ],
  queryCampaigns: [
    ['/api/campaign/query', query],
    ['/api/campaign/query', { ...query, groups: [], filter: 'a', selectedColumns: ['id', 'name'] }],
  ],
  listActivities: [
    ['/api/activity/list', page],
    ['/api/activity/list', { ...page, filter: 'gave', selectedActivityOrigins: [0, 5] }],
  ],
  getQueryOptions: Object.keys(fundraisingEnumerations.QueryType).map((name) => [
    `/api/query/options/${name}`,
  ]),
};
const everyParameter =
  'page=1&pageSize=200&createdAfter=2020-01-01&createdBefore=2030-12-31&includeTestTransactions=true&includeDetails=true&searchString=a&code=&isActiveOnly=true&modifiedOnOrAfter=2020-01-01';
const v1Calls: Readonly<Record<string, readonly Parameters<Ask>[]>> = {
  listDonors: [
    ['/v1/donors'],
    ['/v1/donors?page=2&pageSize=5&includeDetails=true'],
    ['/v1/donors?page=9999'],
    [`/v1/donors?${everyParameter}`],
  ],
  listDonations: [
    ['/v1/donations'],
    ['/v1/donations?page=2&pageSize=5&includeDetails=true'],
    ['/v1/donations?page=9999'],
    [`/v1/donations?${everyParameter}&isDeleted=false`],
  ],
};
const interfaces = [
  {
    name: 'fundraising',
    document: fundraising,
    calls: fundraisingCalls,
    ask: openFundraising,
    fault: 'platform',
    success: '200',
    throttled: '429',
    failure: 'default',
    unknownKey: 'Bearer other',
    enumerations: fundraisingEnumerations,
  },
  {
    name: 'donation-v1',
    document: v1,
    calls: v1Calls,
    ask: openV1,
    fault: 'v1',
    success: '2XX',
    throttled: '4XX',
    failure: '5XX',
    unknownKey: 'Basic other',
    enumerations: v1Enumerations,
  },
] as const;

test('the documents pass a public linter', async () => {
  const words = [
    'node_modules/@redocly/cli/bin/cli.js',
    'lint',
    ...interfaces.map(({ name }) => `docs/openapi/${name}.yaml`),
    '--config',
    'docs/openapi/redocly.yaml',
  ];
  const env = {
    ...process.env,
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  };
  const { error, output } = await new Promise<{ error: Error | null; output: string }>(
    (resolve) => {
      execFile(process.execPath, words, { env }, (error, stdout, stderr) =>
        resolve({ error, output: stdout + stderr }),
      );
    },
  );
  assert.equal(error, null, output);
  for (const { name } of interfaces) assert.match(output, new RegExp(`${name}\\.yaml: validated`));
});

for (const {
  name,
  document,
  calls,
  ask: openAsk,
  fault,
  success,
  throttled,
  failure,
  unknownKey,
  enumerations,
} of interfaces) {
  test(`${name}.yaml has the enumerations of the code, each value with its name`, () => {
    const documented = Object.entries(document.schemas).flatMap(
      ([schema, { enum: values = [], 'x-enum-varnames': names }]) => {
        if (!names) return [];
        assert.equal(values.length, names.length, schema);
        return [
          [schema, Object.fromEntries(names.map((name, index) => [name, values[index]]))] as const,
        ];
      },
    );
    assert.deepEqual(Object.fromEntries(documented), { ...enumerations });
  });

  test(`${name}: the sandbox answers every operation as documented`, async () => {
    const ask = openAsk();
    assert.deepEqual(Object.keys(calls).toSorted(), document.operations.toSorted());
    for (const [operation, asked] of Object.entries(calls)) {
      for (const call of asked) {
        const held = await ask(...call);
        assert.deepEqual(
          [held.operation, held.as, held.refused],
          [operation, success, []],
          call[0],
        );
      }
    }
  });

  test(`${name}: the sandbox refuses, throttles and fails as documented`, async () => {
    for (const [call] of Object.values(calls) as Parameters<Ask>[][]) {
      const [path, body] = call!;
      const refusing = openAsk({ seed: false });
      const withoutKey = await refusing(path, body, { headers: ORGANIZATION });
      const withOther = await refusing(path, body, {
        headers: { ...ORGANIZATION, Authorization: unknownKey },
      });
      assert.deepEqual([withoutKey.response.status, withOther.response.status], [401, 401], path);
      const slowed = await openAsk({
        seed: false,
        faults: [{ kind: 'too-many', times: 1, on: fault }],
      })(path, body);
      assert.deepEqual([slowed.as, slowed.response.status], [throttled, 429], path);
      const failed = await openAsk({
        seed: false,
        faults: [{ kind: 'server-error', times: 1, on: fault, status: 503 }],
      })(path, body);
      assert.equal(failed.as, failure, path);
    }
  });
}

test('fundraising.yaml: the names that queries send are those of the enumerations', () => {
  assert.deepEqual(
    fundraising.schemas.QueryTypeName?.enum,
    Object.keys(fundraisingEnumerations.QueryType),
  );
  assert.deepEqual(
    fundraising.schemas.QueryOperatorName?.enum,
    Object.keys(fundraisingEnumerations.QueryOperator),
  );
});

test('fundraising: plain HTTP is answered as documented', async () => {
  for (const [call] of Object.values(fundraisingCalls)) {
    const [path, body] = call!;
    const { as, response } = await openFundraising({ seed: false })(path, body, {
      at: 'http://sandbox.test',
    });
    assert.deepEqual([as, response.status], ['default', 403], path);
  }
});

test('fundraising: past the hourly limit, every operation is answered as documented', async () => {
  const ask = openFundraising({ hourlyLimit: 1 });
  await ask('/api/campaign/list?skip=0&take=1');
  for (const [call] of Object.values(fundraisingCalls))
    assert.equal((await ask(...call!)).as, '429');
});

test('fundraising: what the document forbids, the sandbox refuses', async () => {
  const ask = openFundraising();
  const forbidden: Parameters<Ask>[] = [
    ...[
      '',
      '?skip=0',
      '?take=5',
      '?skip=a&take=5',
      '?skip=0&take=1.5',
      '?skip=-1&take=5',
      '?skip=0&take=5&sortBy=description',
      '?skip=0&take=5&descending=maybe',
      '?skip=0&take=5&page=1',
    ].map((search): Parameters<Ask> => [`/api/campaign/list${search}`]),
    ...[
      { take: 1 },
      { skip: 0 },
      { ...page, skip: '0' },
      { ...page, take: -1 },
      { ...page, filter: 5 },
      { ...page, selectedActivityOrigins: [6] },
      { ...page, selectedActivityOrigins: 0 },
      { ...page, selectedActivityOrigins: ['Donor'] },
    ].map((body): Parameters<Ask> => ['/api/activity/list', body]),
    ...[
      page,
      { ...query, queryType: 8 },
      { ...query, queryType: 'Campaigns' },
      { ...query, skip: undefined },
      { ...query, groups: undefined },
      { ...query, groups: [{}] },
      { ...query, groups: [{ conditions: [] }] },
      { ...query, selectedColumns: 'id' },
      condition({ parameter: 1 }),
      condition({ operator: 0 }),
      condition({ operator: 'Equals' }),
      condition({ value: 1 }),
      condition({ secondaryValue: '2' }),
      condition({ operator: 'Between' }),
      condition({ operator: 'Between', value: undefined, secondaryValue: '2' }),
    ].map((body): Parameters<Ask> => ['/api/campaign/query', body]),
    ['/api/query/options/campaign'],
    ['/api/query/options/8'],
  ];
  for (const call of forbidden) {
    const held = await ask(...call);
    const said = JSON.stringify(call);
    assert.notDeepEqual(held.refused, [], said);
    assert.equal(held.as, 'default', said);
  }
});

test('donation-v1: what the document forbids, the sandbox refuses', async () => {
  const ask = openV1();
  for (const [path, own] of [
    ['/v1/donors', ['isDeleted=true']],
    ['/v1/donations', ['includeTestTransactions=maybe']],
  ] as const) {
    for (const search of [
      'page=a',
      'page=1.5',
      'pageSize=many',
      'createdAfter=11/21/2026',
      'createdBefore=2026-02-30',
      'modifiedOnOrAfter=today',
      'includeDetails=2',
      'isActiveOnly=no',
      'skip=0',
      ...own,
    ]) {
      const held = await ask(`${path}?${search}`);
      assert.notDeepEqual(held.refused, [], path + search);
      assert.equal(held.as, '4XX', path + search);
    }
  }
});

test('donation-v1: past a limit, both operations are answered with a message and details', async () => {
  const ask = openV1();
  for (let sent = 0; sent < 100; sent += 1) await ask('/v1/donors?pageSize=1');
  for (const path of ['/v1/donors', '/v1/donations']) {
    const { as, body, response } = await ask(path);
    assert.deepEqual(
      [as, response.status, response.headers.get('X-Rate-Limit-Limit')],
      ['4XX', 429, '1m'],
    );
    v1.holdValue('Throttle', body);
  }
});

test('fundraising: what the client sends and what it gets are as documented', async () => {
  const { sandbox } = openSandbox({ seed: true });
  const asked = new Set<string>();
  const client = new FundraisingClient({
    baseUrl: HERE,
    apiKey: 'key',
    query: { readOptions: (body) => body as QueryOptions },
    fetch: async (input, init) => {
      const { operation, refused, response } = await fundraising.hold(
        new Request(input, init),
        sandbox.fetch,
      );
      assert.deepEqual(refused, []);
      asked.add(operation);
      return response;
    },
  });
  await client.campaigns({ ...page, filter: 'a', sortBy: 'avgGiftGoal', descending: true });
  await client.activities({
    ...page,
    filter: 'a',
    selectedActivityOrigins: [fundraisingEnumerations.ActivityOrigin.Donor],
  });
  const { body: options } = await client.queryOptions('Campaign');
  await client.queryCampaigns(
    {
      ...page,
      filter: 'a',
      selectedColumns: ['id'],
      groups: [
        {
          conditions: [{ parameter: 'id', operator: 'Between', value: '1', secondaryValue: '200' }],
        },
      ],
    },
    options,
  );
  assert.deepEqual([...asked].toSorted(), fundraising.operations.toSorted());
});

test('donation-v1: what the client sends and what it gets are as documented, page after page', async () => {
  const { sandbox } = openSandbox({ seed: true });
  const asked = new Set<string>();
  const client = new DonationPlatformClient({
    baseUrl: HERE,
    organizationKey: 'organization',
    licenseKey: 'read-key',
    fetch: async (input, init) => {
      const { operation, refused, response } = await v1.hold(
        new Request(input, init),
        sandbox.fetch,
      );
      assert.deepEqual(refused, []);
      asked.add(operation);
      return response;
    },
  });
  const all = {
    createdAfter: '2020-01-01',
    createdBefore: new Date(),
    modifiedOnOrAfter: '2020-01-01',
    includeTestTransactions: true,
    includeDetails: true,
    searchString: 'a',
    code: '',
    isActiveOnly: true,
  };
  await client.donors({ page: 1, pageSize: 200, ...all });
  await client.donations({ page: 1, pageSize: 200, ...all, isDeleted: false });
  for await (const { body } of client.donorPages({ includeDetails: true }))
    assert.ok(body.length > 0);
  for await (const { body } of client.donationPages({ includeDetails: true }))
    assert.ok(body.length > 0);
  assert.deepEqual([...asked].toSorted(), v1.operations.toSorted());
});
