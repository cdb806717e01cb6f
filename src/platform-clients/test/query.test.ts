import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  FundraisingClient,
  InvalidQueryError,
  type QueryCondition,
  type QueryOptions,
  type QueryRequest,
  type QueryShape,
  readMetadata,
  toQueryBody,
} from '../fundraising/index.ts';

const OPTIONS: QueryOptions = {
  parameters: [
    { name: 'givingGoal', operators: ['Is', 'Between'] },
    { name: 'startDate', operators: ['Before', 'After'] },
  ],
  columns: ['id', 'name'],
};
const createQuery = (
  conditions: readonly [QueryCondition, ...QueryCondition[]],
  more: Partial<QueryRequest> = {},
): QueryRequest => ({ skip: 0, take: 20, groups: [{ conditions }], ...more });
const createClient = (shape: QueryShape = {}) => {
  const bodies: unknown[] = [];
  return {
    bodies,
    client: new FundraisingClient({
      baseUrl: 'https://platform.test',
      apiKey: 'key',
      query: shape,
      fetch: async (input, init) => {
        bodies.push(await new Request(input, init).json());
        return Response.json({ items: [] });
      },
    }),
  };
};
const GOAL_CONDITION = {
  parameter: 'givingGoal',
  operator: 'Between',
  value: '1000',
  secondaryValue: '2000',
} as const;

test('sends a query that its options allow', async () => {
  const { client: platform, bodies } = createClient();
  await platform.queryCampaigns(
    createQuery([GOAL_CONDITION], { selectedColumns: ['name'], filter: 'well' }),
    OPTIONS,
  );
  assert.deepEqual(bodies, [
    {
      queryType: 'Campaign',
      skip: 0,
      take: 20,
      filter: 'well',
      selectedColumns: ['name'],
      groups: [{ conditions: [GOAL_CONDITION] }],
    },
  ]);
});

test('rejects a query that its options do not allow, and lists the allowed values', async () => {
  const { client: platform, bodies } = createClient();
  for (const [request, message] of [
    [
      createQuery([{ parameter: 'goal', operator: 'Is', value: '1' }]),
      "groups.0.conditions.0.parameter is 'goal'; expected one of givingGoal, startDate.",
    ],
    [
      createQuery([{ parameter: 'startDate', operator: 'Is', value: '1' }]),
      "groups.0.conditions.0.operator is 'Is'; startDate supports Before, After.",
    ],
    [
      createQuery([{ parameter: 'givingGoal', operator: 'Between', value: '1' }]),
      'groups.0.conditions.0 uses Between but lacks a bound; expected value (inclusive ' +
        'lower bound) and secondaryValue (inclusive upper bound).',
    ],
    [
      createQuery([{ parameter: 'givingGoal', operator: 'Is' }]),
      'groups.0.conditions.0.value is missing; Is requires a string value.',
    ],
    [
      createQuery([{ ...GOAL_CONDITION, operator: 'Is' }]),
      'groups.0.conditions.0.secondaryValue is set, but the operator is Is; only Between has a second bound.',
    ],
    [
      createQuery([GOAL_CONDITION], { selectedColumns: ['id', 'goal'] }),
      "selectedColumns.1 is 'goal'; expected one of id, name.",
    ],
  ] as const) {
    await assert.rejects(
      platform.queryCampaigns(request, OPTIONS),
      (error) => error instanceof InvalidQueryError && error.message === message,
      message,
    );
  }
  await assert.rejects(
    platform.queryCampaigns(createQuery([GOAL_CONDITION], { take: -1 }), OPTIONS),
    /take is -1; expected an integer of 0 or more/,
  );
  assert.deepEqual(bodies, []);
});

test('sends a conjunct in the configured field, and rejects it if no field is configured', async () => {
  const joined = createQuery([GOAL_CONDITION], {
    conjunct: 'And',
    groups: [{ conjunct: 'Or', conditions: [GOAL_CONDITION, GOAL_CONDITION] }],
  });
  const { client: platform, bodies } = createClient();
  await assert.rejects(
    platform.queryCampaigns(joined, OPTIONS),
    /conjunct is 'And', but the specification does not document the request field for conjuncts/,
  );
  const named = createClient({ conjunctField: 'conjunctOperator' });
  await named.client.queryCampaigns(joined, OPTIONS);
  assert.deepEqual(named.bodies, [
    {
      queryType: 'Campaign',
      skip: 0,
      take: 20,
      conjunctOperator: 'And',
      groups: [{ conjunctOperator: 'Or', conditions: [GOAL_CONDITION, GOAL_CONDITION] }],
    },
  ]);
  assert.deepEqual(bodies, []);
});

test('rejects getQueryOptions without parseOptions', async () => {
  await assert.rejects(
    createClient().client.getQueryOptions('Campaign'),
    /does not document the shape of the query options/,
  );
});

const LIST_OPTIONS: QueryOptions = {
  parameters: [{ name: 'Status', operators: ['Is', 'IsAnyOf'] }],
  columns: ['Id', 'Amount'],
};

test('sends list operands in values and the query type as an integer, as live clients do', async () => {
  const { client: platform, bodies } = createClient({ queryTypeFormat: 'value' });
  const condition = {
    parameter: 'Status',
    operator: 'IsAnyOf',
    values: ['Approved', 'Refunded'],
  } as const;
  await platform.queryCampaigns(
    createQuery([condition], { sortBy: 'createdate', descending: true }),
    LIST_OPTIONS,
  );
  assert.deepEqual(bodies, [
    {
      queryType: 8,
      skip: 0,
      take: 20,
      sortBy: 'createdate',
      descending: true,
      groups: [{ conditions: [condition] }],
    },
  ]);
  assert.equal(toQueryBody('Gift', createQuery([condition])).queryType, 'Gift');
  for (const [rejected, message] of [
    [
      { ...condition, operator: 'Is' },
      /values is set, but the operator is Is; expected one of In, NotIn/,
    ],
    [
      { ...condition, value: 'Approved' },
      /has both value and values; expected only one of the two/,
    ],
  ] as const)
    await assert.rejects(
      platform.queryCampaigns(createQuery([rejected]), LIST_OPTIONS),
      (error) => error instanceof InvalidQueryError && message.test(error.message),
    );
});

test('reads values by column from metadata', () => {
  const columns = ['Id', 'Amount'];
  assert.deepEqual(readMetadata({ id: 7, metadata: ['7', '$5.00'] }, columns), {
    Id: '7',
    Amount: '$5.00',
  });
  assert.throws(
    () => readMetadata({ metadata: ['7'] }, columns),
    /a metadata array of length 1; expected one value per selected column \(2\)/,
  );
  assert.throws(() => readMetadata({ id: 7 }, columns), /no metadata array/);
});

test('sends parameters in PascalCase if configured, and needs no rate-limit headers', async () => {
  const queries: string[] = [];
  const client = new FundraisingClient({
    baseUrl: 'https://platform.test',
    apiKey: 'key',
    parameterCase: 'pascal',
    fetch: async (input, init) => {
      queries.push(new URL(new Request(input, init).url).search);
      return Response.json({ items: [], total: 0 });
    },
  });
  const { body, rateLimit } = await client.listCampaigns({
    skip: 0,
    take: 5,
    filter: 'water',
    sortBy: 'name',
    descending: true,
  });
  assert.deepEqual(queries, ['?Skip=0&Take=5&Filter=water&SortBy=name&Descending=true']);
  assert.deepEqual([body.total, rateLimit], [0, {}]);
});
