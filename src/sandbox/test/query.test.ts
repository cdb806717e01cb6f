import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QueryOperator, QueryType } from '../../platform-clients/fundraising/index.ts';
import { getItems, getMessage, openSandbox, type SandboxFixture } from './support.ts';

const PATH = '/api/campaign/query';
interface Condition {
  readonly parameter: string;
  readonly operator: string;
  readonly value?: unknown;
  readonly secondaryValue?: unknown;
}
const createQuery = (...conditions: Condition[]) => ({
  queryType: 'Campaign',
  groups: [{ conditions }],
  skip: 0,
  take: 50,
});
/** Returns the IDs of the found campaigns, or the status of an error. */
async function findCampaigns(request: SandboxFixture['request'], query: object): Promise<unknown> {
  const response = await request(PATH, query);
  return response.status === 200 ? getItems(response).map(({ id }) => id) : response.status;
}

test('GET /api/query/options/{queryType}: allowed parameters, the operators of each, and available result fields', async () => {
  const { request } = openSandbox();
  const { body } = await request('/api/query/options/Campaign');
  const { parameters, columns } = body as {
    parameters: { name: string; type: string; operators: string[] }[];
    columns: string[];
  };
  assert.deepEqual(parameters.find(({ name }) => name === 'startDate')?.operators, [
    'Is',
    'IsNot',
    'IsKnown',
    'IsNotKnown',
    'Before',
    'After',
    'OnOrBefore',
    'OnOrAfter',
    'Between',
  ]);
  assert.deepEqual(columns, [
    'id',
    'name',
    'description',
    'startDate',
    'endDate',
    'givingGoal',
    'avgGiftGoal',
  ]);
  assert.deepEqual([...new Set(parameters.map(({ type }) => type))].sort(), [
    'date',
    'enum',
    'number',
    'string',
  ]);
  const unknown = await request('/api/query/options/Campaigns');
  assert.equal(unknown.status, 404);
  assert.match(
    getMessage(unknown),
    /Other, Donor, DonorAddress, Gift, Project, Premium, Page, RecurringGift, Campaign, Segment/,
  );
});

test('campaigns can be queried with each operator of the specification', async () => {
  const { request } = openSandbox();
  const { parameters } = (await request('/api/query/options/Campaign')).body as {
    parameters: { operators: string[] }[];
  };
  const operators = new Set(parameters.flatMap((parameter) => parameter.operators));
  assert.deepEqual([...operators].sort(), Object.keys(QueryOperator).sort());
});

test('each query type of the specification has parameters and columns', async () => {
  const { request } = openSandbox();
  for (const type of Object.keys(QueryType)) {
    const { status, body } = await request(`/api/query/options/${type}`);
    const { parameters, columns } = body as { parameters: unknown[]; columns: unknown[] };
    assert.deepEqual([status, parameters.length > 0, columns.length > 0], [200, true, true], type);
  }
});

test('the query supports every operator that the options list', async () => {
  const { request } = openSandbox();
  const { parameters } = (await request('/api/query/options/Campaign')).body as {
    parameters: { name: string; type: string; operators: string[]; values?: string[] }[];
  };
  const operand: Readonly<Record<string, string>> = {
    number: '102',
    string: 'well',
    date: '2026-04-01',
    enum: 'Running',
  };
  const hasNoValue = /Known$|Set$|True$|False$/;
  for (const { name, type, operators } of parameters) {
    for (const operator of operators) {
      const value = name === 'isRunning' ? 'True' : operand[type]!;
      const { status, body } = await request(
        PATH,
        createQuery({
          parameter: name,
          operator,
          ...(!hasNoValue.test(operator) && { value }),
          ...(operator === 'Between' && { secondaryValue: value }),
        }),
      );
      assert.equal(status, 200, `${name} ${operator}: ${JSON.stringify(body)}`);
    }
  }
});

test('QueryOperator: each operator selects the matching campaigns', async () => {
  const { request } = openSandbox();
  for (const [parameter, operator, value, expected, secondaryValue] of [
    ['id', 'Is', '103', [103]],
    ['id', 'IsNot', '103', [101, 102, 104, 105, 106]],
    ['id', 'LessThan', '103', [101, 102]],
    ['id', 'LessThanOrEqual', '102', [101, 102]],
    ['id', 'GreaterThan', '104', [105, 106]],
    ['id', 'GreaterThanOrEqual', '105', [105, 106]],
    ['id', 'In', '101, 106', [101, 106]],
    ['id', 'NotIn', '101,106', [102, 103, 104, 105]],
    ['name', 'Is', 'river watch', [105]],
    ['name', 'IsNot', 'River Watch', [101, 102, 103, 104, 106]],
    ['name', 'Contains', 'L', [101, 102, 103, 104, 106]],
    ['name', 'DoesNotContain', 'l', [105]],
    ['name', 'StartsWith', 'taps', [102]],
    ['name', 'EndsWith', 'wells', [101]],
    ['description', 'IsKnown', undefined, [101, 102, 103, 104, 105, 106]],
    ['description', 'IsNotKnown', undefined, []],
    ['startDate', 'Is', '2026-04-01', [105]],
    ['startDate', 'IsNot', '2026-04-01', [101, 102, 103, 104, 106]],
    ['startDate', 'Before', '2026-03-12', [103, 106]],
    ['startDate', 'OnOrBefore', '2026-03-12', [103, 104, 106]],
    ['startDate', 'After', '2026-08-15', [101]],
    ['startDate', 'OnOrAfter', '2026-08-15', [101, 102]],
    ['startDate', 'Between', '2026-03-12', [102, 104, 105], '2026-08-15'],
    ['phase', 'Is', 'Ended', [104]],
    ['phase', 'IsNot', 'Running', [104]],
    ['phase', 'IsAnyOf', 'Ended,Upcoming', [104]],
    ['phase', 'IsNoneOf', 'Running', [104]],
    ['phase', 'HasAny', 'Ended,Upcoming', [104]],
    ['phase', 'HasNone', 'Running', [104]],
    ['phase', 'IsSet', undefined, [101, 102, 103, 104, 105, 106]],
    ['phase', 'IsNotSet', undefined, []],
    ['isRunning', 'IsTrue', undefined, [101, 102, 103, 105, 106]],
    ['isRunning', 'IsFalse', undefined, [104]],
    ['name', 'IsIn', 'river watch, Taps at School', [102, 105]],
    ['name', 'IsNotIn', 'River Watch', [101, 102, 103, 104, 106]],
    ['name', 'Matches', 'r*w*', [105]],
    ['name', 'Matches', 'river', []],
    ['name', 'Matches', '*s', [101, 103]],
    ['name', 'Matches', 'river watch*h', []],
  ] as [string, string, string | undefined, number[], string?][]) {
    const query = createQuery({ parameter, operator, value, secondaryValue });
    assert.deepEqual(
      await findCampaigns(request, query),
      expected,
      `${parameter} ${operator} ${value}`,
    );
  }
});

test('sorts the campaigns before it limits them', async () => {
  const { request } = openSandbox();
  const all = createQuery({ parameter: 'id', operator: 'IsKnown' });
  const query = { ...all, take: 2, sortBy: 'givingGoal', descending: true };
  assert.deepEqual(await findCampaigns(request, query), [106, 103]);
});

test('rejects an invalid query and lists the allowed values', async () => {
  const { request } = openSandbox();
  const good = createQuery({ parameter: 'id', operator: 'Is', value: '1' });
  for (const [query, message] of [
    [
      createQuery({ parameter: 'goal', operator: 'Is', value: '1' }),
      /parameter is 'goal'.*givingGoal/,
    ],
    [
      createQuery({ parameter: 'name', operator: 'Before', value: 'x' }),
      /The operator for name is 'Before'; expected one of Is, IsNot/,
    ],
    [createQuery({ parameter: 'id', operator: '0', value: '1' }), /The operator for id is '0'/],
    [
      createQuery({ parameter: 'id', operator: 'Is', value: 1 }),
      /value must be a string; the condition for id uses Is/,
    ],
    [createQuery({ parameter: 'id', operator: 'Is', value: 'one' }), /expected a number/],
    [createQuery({ parameter: 'id', operator: 'Between', value: '1' }), /secondaryValue/],
    [createQuery({ parameter: 'id', operator: 'Is', value: '1', secondaryValue: '2' }), /Between/],
    [{ ...good, conjunct: 'Xor' }, /conjunct/],
    [
      createQuery({ parameter: 'startDate', operator: 'Is', value: '2026-02-30' }),
      /expected a date/,
    ],
    [
      createQuery({ parameter: 'phase', operator: 'Is', value: 'Done' }),
      /expected one of Upcoming, Running, Ended/,
    ],
    [{ ...good, selectedColumns: ['id', 'goal'] }, /Unknown column 'goal'.*avgGiftGoal/],
    [{ ...good, queryType: 'Gift' }, /expects Campaign/],
    [{ ...good, groups: undefined }, /groups must be an array/],
    [{ ...good, groups: [{ conditions: [] }] }, /must have a conditions array/],
    [
      { ...good, operatorBetweenGroups: 'Or' },
      /Unknown query field 'operatorBetweenGroups'.*conjunct/,
    ],
    [{ ...good, skip: undefined }, /skip must be an integer/],
    [{ ...good, take: '5' }, /take must be an integer/],
  ] as const) {
    const answer = await request(PATH, query);
    assert.equal(answer.status, 400, JSON.stringify(query));
    assert.match(getMessage(answer), message);
  }
});

test('rejects plain HTTP from other machines and honors X-Forwarded-Proto', async () => {
  const { request } = openSandbox();
  const path = '/api/campaign/list?skip=0&take=1';
  for (const [expected, origin, protocol] of [
    [200, 'https://platform.example'],
    [200, 'http://127.0.0.1:4102'],
    [200, 'http://[::1]:4102'],
    [200, 'http://localhost'],
    [200, 'http://platform.example', 'https'],
    [403, 'http://platform.example'],
    [403, 'http://127.0.0.1', 'http'],
    [403, 'http://127.0.0.1.evil.example'],
    [403, 'http://platform.example', 'http, https'],
  ] as const) {
    const headers = {
      Authorization: 'Bearer key',
      ...(protocol && { 'X-Forwarded-Proto': protocol }),
    };
    const { status } = await request(origin + path, undefined, { headers });
    assert.equal(status, expected, `${origin} ${protocol}`);
  }
});

test('ConjunctOperator: defaults to And between conditions and between groups, and 1 is Or', async () => {
  const { request } = openSandbox();
  const [wells, river] = ['wells', 'river'].map((value) => [
    { parameter: 'name', operator: 'Contains', value },
  ]);
  const query = createQuery(...wells!, ...river!);
  const groups = [{ conditions: wells }, { conditions: river }];
  assert.deepEqual(await findCampaigns(request, query), []);
  assert.deepEqual(await findCampaigns(request, { ...query, groups }), []);
  assert.deepEqual(await findCampaigns(request, { ...query, groups, conjunct: 1 }), [101, 105]);
});
