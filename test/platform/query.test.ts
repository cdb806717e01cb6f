import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  FundraisingClient,
  InvalidQueryError,
  type QueryCondition,
  type QueryOptions,
  type QueryRequest,
  type QueryShape,
} from '../../src/platform-clients/fundraising/index.ts';

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
      'groups.0.conditions.0 uses Between without both bounds; expected value, the inclusive ' +
        'lower bound, and secondaryValue, the inclusive upper bound.',
    ],
    [
      createQuery([{ parameter: 'givingGoal', operator: 'Is' }]),
      'groups.0.conditions.0.value is missing; Is requires a value, as a string.',
    ],
    [
      createQuery([{ ...GOAL_CONDITION, operator: 'Is' }]),
      'groups.0.conditions.0.secondaryValue is set with Is; only Between has a second bound.',
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
    /conjunct is 'And', but the specification does not document the field for it/,
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
