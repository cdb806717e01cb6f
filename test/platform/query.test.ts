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

const options: QueryOptions = {
  parameters: [
    { name: 'givingGoal', operators: ['Is', 'Between'] },
    { name: 'startDate', operators: ['Before', 'After'] },
  ],
  columns: ['id', 'name'],
};
const query = (
  conditions: readonly [QueryCondition, ...QueryCondition[]],
  more: Partial<QueryRequest> = {},
): QueryRequest => ({ skip: 0, take: 20, groups: [{ conditions }], ...more });
const client = (shape: QueryShape = {}) => {
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
const goal = {
  parameter: 'givingGoal',
  operator: 'Between',
  value: '1000',
  secondaryValue: '2000',
} as const;

test('a query that its options allow is sent in the request model', async () => {
  const { client: platform, bodies } = client();
  await platform.queryCampaigns(
    query([goal], { selectedColumns: ['name'], filter: 'well' }),
    options,
  );
  assert.deepEqual(bodies, [
    {
      queryType: 'Campaign',
      skip: 0,
      take: 20,
      filter: 'well',
      selectedColumns: ['name'],
      groups: [{ conditions: [goal] }],
    },
  ]);
});

test('a query that its options do not allow is not sent, and its error lists what is allowed', async () => {
  const { client: platform, bodies } = client();
  for (const [request, message] of [
    [
      query([{ parameter: 'goal', operator: 'Is', value: '1' }]),
      "groups.0.conditions.0.parameter is 'goal'; this query has givingGoal, startDate.",
    ],
    [
      query([{ parameter: 'startDate', operator: 'Is', value: '1' }]),
      "groups.0.conditions.0.operator is 'Is'; startDate supports Before, After.",
    ],
    [
      query([{ parameter: 'givingGoal', operator: 'Between', value: '1' }]),
      'groups.0.conditions.0 is Between and lacks a bound; expected value, the inclusive lower one, and secondaryValue, the inclusive upper one.',
    ],
    [
      query([{ ...goal, operator: 'Is' }]),
      'groups.0.conditions.0.secondaryValue stands with Is; only Between has a second bound.',
    ],
    [
      query([goal], { selectedColumns: ['id', 'goal'] }),
      "selectedColumns.1 is 'goal'; this query has id, name.",
    ],
  ] as const) {
    await assert.rejects(
      platform.queryCampaigns(request, options),
      (error) => error instanceof InvalidQueryError && error.message === message,
      message,
    );
  }
  await assert.rejects(
    platform.queryCampaigns(query([goal], { take: -1 }), options),
    /take is -1; expected a whole number/,
  );
  assert.deepEqual(bodies, []);
});

test('a conjunct is sent in the field that somebody named, and refused where nobody did', async () => {
  const joined = query([goal], {
    conjunct: 'And',
    groups: [{ conjunct: 'Or', conditions: [goal, goal] }],
  });
  const { client: platform, bodies } = client();
  await assert.rejects(
    platform.queryCampaigns(joined, options),
    /conjunct is 'And', and the specification does not show in which field/,
  );
  const named = client({ conjunctField: 'conjunctOperator' });
  await named.client.queryCampaigns(joined, options);
  assert.deepEqual(named.bodies, [
    {
      queryType: 'Campaign',
      skip: 0,
      take: 20,
      conjunctOperator: 'And',
      groups: [{ conjunctOperator: 'Or', conditions: [goal, goal] }],
    },
  ]);
  assert.deepEqual(bodies, []);
});

test('options are read by whoever knows their shape', async () => {
  await assert.rejects(
    client().client.queryOptions('Campaign'),
    /does not show the shape of the query options/,
  );
});
