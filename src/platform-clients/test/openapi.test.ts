import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import type { SandboxOptions } from '../../sandbox/index.ts';
import { openSandbox } from '../../sandbox/test/support.ts';
import * as v1Enumerations from '../donation-v1/enumerations.ts';
import { DonationPlatformClient } from '../donation-v1/index.ts';
import * as fundraisingEnumerations from '../fundraising/enumerations.ts';
import { FundraisingClient, type QueryOptions } from '../fundraising/index.ts';
import { ApiDocument, type CheckedResponse } from './api-document.ts';

const BASE_URL = 'http://127.0.0.1:4102';
const fundraising = await ApiDocument.load('fundraising');
const v1 = await ApiDocument.load('donation-v1');
const ORGANIZATION = { 'X-OrganizationKey': 'organization', 'Content-Type': 'application/json' };

type Send = (
  path: string,
  body?: object,
  init?: RequestInit & { readonly at?: string },
) => Promise<CheckedResponse>;

/** Returns a function that sends requests to a sandbox and checks them against the document. */
function createSender(
  document: ApiDocument,
  headers: Readonly<Record<string, string>>,
  options: Partial<SandboxOptions> = {},
): Send {
  const { sandbox } = openSandbox({ seed: true, ...options });
  return (path, body, { at = BASE_URL, ...init } = {}) =>
    document.sendChecked(
      new Request(at + path, {
        headers,
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
        ...init,
      }),
      sandbox.fetch,
    );
}
const openFundraisingSandbox = (options?: Partial<SandboxOptions>): Send =>
  createSender(
    fundraising,
    { Authorization: 'Bearer key', 'Content-Type': 'application/json' },
    options,
  );
const openV1Sandbox = (options?: Partial<SandboxOptions>): Send =>
  createSender(v1, { ...ORGANIZATION, Authorization: 'Basic read-key' }, options);

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
const createQueryWithCondition = (fields: object): object => ({
  ...query,
  groups: [{ conditions: [{ parameter: 'givingGoal', operator: 'Is', value: '1', ...fields }] }],
});

/** Valid calls by operation. */
const fundraisingCalls: Readonly<Record<string, readonly Parameters<Send>[]>> = {
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
const v1Calls: Readonly<Record<string, readonly Parameters<Send>[]>> = {
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
const APIS = [
  {
    name: 'fundraising',
    document: fundraising,
    calls: fundraisingCalls,
    ask: openFundraisingSandbox,
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
    ask: openV1Sandbox,
    fault: 'v1',
    success: '2XX',
    throttled: '4XX',
    failure: '5XX',
    unknownKey: 'Basic other',
    enumerations: v1Enumerations,
  },
] as const;

const DOCUMENTS = [...APIS.map(({ name }) => name), 'server', 'server-admin'];

test('the OpenAPI documents pass Redocly', async () => {
  const args = [
    'node_modules/@redocly/cli/bin/cli.js',
    'lint',
    ...DOCUMENTS.map((name) => `docs/reference/openapi/${name}.yaml`),
    '--config',
    'docs/reference/openapi/redocly.yaml',
  ];
  const env = {
    ...process.env,
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  };
  const { error, output } = await new Promise<{ error: Error | null; output: string }>(
    (resolve) => {
      execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
        resolve({ error, output: stdout + stderr }),
      );
    },
  );
  assert.equal(error, null, output);
  for (const name of DOCUMENTS) assert.match(output, new RegExp(`${name}\\.yaml: validated`));
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
} of APIS) {
  test(`${name}.yaml has the same enumerations as the code`, () => {
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

  test(`${name}: the sandbox responds to every operation as documented`, async () => {
    const request = openAsk();
    assert.deepEqual(Object.keys(calls).toSorted(), document.operations.toSorted());
    for (const [operation, operationCalls] of Object.entries(calls)) {
      for (const call of operationCalls) {
        const checked = await request(...call);
        assert.deepEqual(
          [checked.operation, checked.documentedStatus, checked.requestErrors],
          [operation, success, []],
          call[0],
        );
      }
    }
  });

  test(`${name}: the sandbox rejects, throttles, and fails as documented`, async () => {
    for (const [call] of Object.values(calls) as Parameters<Send>[][]) {
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
      assert.deepEqual([slowed.documentedStatus, slowed.response.status], [throttled, 429], path);
      const failed = await openAsk({
        seed: false,
        faults: [{ kind: 'server-error', times: 1, on: fault, status: 503 }],
      })(path, body);
      assert.equal(failed.documentedStatus, failure, path);
    }
  });
}

test('fundraising.yaml: queries use the names of the enumerations', () => {
  assert.deepEqual(
    fundraising.schemas.QueryTypeName?.enum,
    Object.keys(fundraisingEnumerations.QueryType),
  );
  assert.deepEqual(
    fundraising.schemas.QueryOperatorName?.enum,
    Object.keys(fundraisingEnumerations.QueryOperator),
  );
});

test('fundraising: plain HTTP fails as documented', async () => {
  for (const [call] of Object.values(fundraisingCalls)) {
    const [path, body] = call!;
    const { documentedStatus, response } = await openFundraisingSandbox({ seed: false })(
      path,
      body,
      {
        at: 'http://sandbox.test',
      },
    );
    assert.deepEqual([documentedStatus, response.status], ['default', 403], path);
  }
});

test('fundraising: every operation past the hourly limit fails as documented', async () => {
  const request = openFundraisingSandbox({ hourlyLimit: 1 });
  await request('/api/campaign/list?skip=0&take=1');
  for (const [call] of Object.values(fundraisingCalls))
    assert.equal((await request(...call!)).documentedStatus, '429');
});

test('fundraising: the sandbox rejects requests that the document does not allow', async () => {
  const request = openFundraisingSandbox();
  const forbidden: Parameters<Send>[] = [
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
    ].map((search): Parameters<Send> => [`/api/campaign/list${search}`]),
    ...[
      { take: 1 },
      { skip: 0 },
      { ...page, skip: '0' },
      { ...page, take: -1 },
      { ...page, filter: 5 },
      { ...page, selectedActivityOrigins: [6] },
      { ...page, selectedActivityOrigins: 0 },
      { ...page, selectedActivityOrigins: ['Donor'] },
    ].map((body): Parameters<Send> => ['/api/activity/list', body]),
    ...[
      page,
      { ...query, queryType: 8 },
      { ...query, queryType: 'Campaigns' },
      { ...query, skip: undefined },
      { ...query, groups: undefined },
      { ...query, groups: [{}] },
      { ...query, groups: [{ conditions: [] }] },
      { ...query, selectedColumns: 'id' },
      createQueryWithCondition({ parameter: 1 }),
      createQueryWithCondition({ operator: 0 }),
      createQueryWithCondition({ operator: 'Equals' }),
      createQueryWithCondition({ value: 1 }),
      createQueryWithCondition({ secondaryValue: '2' }),
      createQueryWithCondition({ operator: 'Between' }),
      createQueryWithCondition({ operator: 'Between', value: undefined, secondaryValue: '2' }),
    ].map((body): Parameters<Send> => ['/api/campaign/query', body]),
    ['/api/query/options/campaign'],
    ['/api/query/options/8'],
  ];
  for (const call of forbidden) {
    const checked = await request(...call);
    const message = JSON.stringify(call);
    assert.notDeepEqual(checked.requestErrors, [], message);
    assert.equal(checked.documentedStatus, 'default', message);
  }
});

test('donation-v1: the sandbox rejects requests that the document does not allow', async () => {
  const request = openV1Sandbox();
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
      const checked = await request(`${path}?${search}`);
      assert.notDeepEqual(checked.requestErrors, [], path + search);
      assert.equal(checked.documentedStatus, '4XX', path + search);
    }
  }
});

test('donation-v1: both operations past a limit fail with a message and details', async () => {
  const request = openV1Sandbox();
  for (let sent = 0; sent < 100; sent += 1) await request('/v1/donors?pageSize=1');
  for (const path of ['/v1/donors', '/v1/donations']) {
    const { documentedStatus, body, response } = await request(path);
    assert.deepEqual(
      [documentedStatus, response.status, response.headers.get('X-Rate-Limit-Limit')],
      ['4XX', 429, '1m'],
    );
    v1.assertMatches('Throttle', body);
  }
});

test('fundraising: the client sends and receives what is documented', async () => {
  const { sandbox } = openSandbox({ seed: true });
  const operations = new Set<string>();
  const client = new FundraisingClient({
    baseUrl: BASE_URL,
    apiKey: 'key',
    query: { parseOptions: (body) => body as QueryOptions },
    fetch: async (input, init) => {
      const { operation, requestErrors, response } = await fundraising.sendChecked(
        new Request(input, init),
        sandbox.fetch,
      );
      assert.deepEqual(requestErrors, []);
      operations.add(operation);
      return response;
    },
  });
  await client.listCampaigns({ ...page, filter: 'a', sortBy: 'avgGiftGoal', descending: true });
  await client.listActivities({
    ...page,
    filter: 'a',
    selectedActivityOrigins: [fundraisingEnumerations.ActivityOrigin.Donor],
  });
  const { body: options } = await client.getQueryOptions('Campaign');
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
  assert.deepEqual([...operations].toSorted(), fundraising.operations.toSorted());
});

test('donation-v1: the client sends and receives what is documented, on every page', async () => {
  const { sandbox } = openSandbox({ seed: true });
  const operations = new Set<string>();
  const client = new DonationPlatformClient({
    baseUrl: BASE_URL,
    organizationKey: 'organization',
    licenseKey: 'read-key',
    fetch: async (input, init) => {
      const { operation, requestErrors, response } = await v1.sendChecked(
        new Request(input, init),
        sandbox.fetch,
      );
      assert.deepEqual(requestErrors, []);
      operations.add(operation);
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
  await client.listDonors({ page: 1, pageSize: 200, ...all });
  await client.listDonations({ page: 1, pageSize: 200, ...all, isDeleted: false });
  for await (const { body } of client.iterateDonorPages({ includeDetails: true }))
    assert.ok(body.length > 0);
  for await (const { body } of client.iterateDonationPages({ includeDetails: true }))
    assert.ok(body.length > 0);
  assert.deepEqual([...operations].toSorted(), v1.operations.toSorted());
});
