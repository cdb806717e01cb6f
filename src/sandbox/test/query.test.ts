import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getItems, getMessage, openSandbox, type TestResponse } from './support.ts';

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
const getIds = (answer: TestResponse): unknown[] => getItems(answer).map(({ id }) => id);

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

/** The specification's names and values (section "Enumerations"). */
const QUERY_OPERATORS =
  '0 Is; 1 IsNot; 2 IsKnown; 3 IsNotKnown; 4 LessThan; 5 LessThanOrEqual; 6 GreaterThan; ' +
  '7 GreaterThanOrEqual; 8 Contains; 9 StartsWith; 10 EndsWith; 11 IsTrue; 12 IsFalse; 13 IsSet; ' +
  '14 IsNotSet; 15 In; 16 NotIn; 17 Between; 18 Before; 19 After; 20 IsAnyOf; 21 IsNoneOf; ' +
  '22 Matches; 23 IsIn; 24 IsNotIn; 25 HasAny; 26 HasNone; 27 DoesNotContain; 28 OnOrBefore; ' +
  '29 OnOrAfter';
const QUERY_TYPES =
  '0 Other; 1 Donor; 2 DonorAddress; 3 Gift; 4 Project; 5 Premium; 6 Page; 7 RecurringGift; ' +
  '8 Campaign; 9 Segment';
const listNames = (values: string): string[] =>
  values.split('; ').map((value) => value.replace(/^\d+ /, ''));

test('campaigns can be queried with each operator of the specification', async () => {
  const { request } = openSandbox();
  const { parameters } = (await request('/api/query/options/Campaign')).body as {
    parameters: { operators: string[] }[];
  };
  const operators = new Set(parameters.flatMap((parameter) => parameter.operators));
  assert.deepEqual([...operators].sort(), listNames(QUERY_OPERATORS).sort());
});

test('each query type of the specification has parameters and columns', async () => {
  const { request } = openSandbox();
  for (const type of listNames(QUERY_TYPES)) {
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
  for (const [parameter, operator, value, expected] of [
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
  ] as const) {
    assert.deepEqual(
      getIds(
        await request(
          PATH,
          createQuery({ parameter, operator, ...(value !== undefined && { value }) }),
        ),
      ),
      expected,
      `${parameter} ${operator} ${value}`,
    );
  }
});

test('Between: value is the inclusive lower bound, secondaryValue the inclusive upper bound', async () => {
  const { request } = openSandbox();
  assert.deepEqual(
    getIds(
      await request(
        PATH,
        createQuery({
          parameter: 'givingGoal',
          operator: 'Between',
          value: '60000',
          secondaryValue: '180000',
        }),
      ),
    ),
    [101, 102, 104],
  );
  assert.deepEqual(
    getIds(
      await request(
        PATH,
        createQuery({
          parameter: 'startDate',
          operator: 'Between',
          value: '2026-03-12',
          secondaryValue: '2026-08-15',
        }),
      ),
    ),
    [102, 104, 105],
  );
  assert.equal(
    (
      await request(
        PATH,
        createQuery({ parameter: 'givingGoal', operator: 'Between', value: '60000' }),
      )
    ).status,
    400,
  );
  assert.equal(
    (
      await request(
        PATH,
        createQuery({
          parameter: 'givingGoal',
          operator: 'Is',
          value: '60000',
          secondaryValue: '2',
        }),
      )
    ).status,
    400,
  );
});

test('ConjunctOperator: defaults to And between conditions and between groups', async () => {
  const { request } = openSandbox();
  const wells = { parameter: 'name', operator: 'Contains', value: 'wells' };
  const river = { parameter: 'name', operator: 'Contains', value: 'river' };
  const query = createQuery(wells, river);
  assert.deepEqual(getIds(await request(PATH, query)), []);
  assert.deepEqual(
    getIds(
      await request(PATH, { ...query, groups: [{ conditions: [wells, river], conjunct: 'Or' }] }),
    ),
    [101, 105],
  );
  assert.deepEqual(
    getIds(
      await request(PATH, { ...query, groups: [{ conditions: [wells] }, { conditions: [river] }] }),
    ),
    [],
  );
  assert.deepEqual(
    getIds(
      await request(PATH, {
        ...query,
        groups: [{ conditions: [wells] }, { conditions: [river] }],
        conjunct: 1,
      }),
    ),
    [101, 105],
  );
  assert.equal((await request(PATH, { ...query, conjunct: 'Xor' })).status, 400);
});

test('selectedColumns limits the columns returned; filter, skip, take, and sorting apply', async () => {
  const { request } = openSandbox();
  const all = { ...createQuery({ parameter: 'id', operator: 'IsKnown' }) };
  assert.deepEqual(
    getItems(await request(PATH, { ...all, take: 1, selectedColumns: ['name', 'id'] })),
    [{ id: 101, name: 'Winter Wells' }],
  );
  assert.deepEqual(getIds(await request(PATH, { ...all, filter: 'WATER' })), [102, 104, 105]);
  assert.deepEqual(
    getIds(await request(PATH, { ...all, filter: 'water', skip: 1, take: 1 })),
    [104],
  );
  assert.deepEqual(
    getIds(await request(PATH, { ...all, take: 2, sortBy: 'givingGoal', descending: true })),
    [106, 103],
  );
  assert.deepEqual(getIds(await request(PATH, { ...all, take: 0 })), []);
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
  const getStatus = async (origin: string, forwarded?: string): Promise<number> =>
    (
      await request(`${origin}${path}`, undefined, {
        headers: {
          Authorization: 'Bearer key',
          ...(forwarded && { 'X-Forwarded-Proto': forwarded }),
        },
      })
    ).status;
  assert.deepEqual(
    await Promise.all([
      getStatus('https://platform.example'),
      getStatus('http://127.0.0.1:4102'),
      getStatus('http://[::1]:4102'),
      getStatus('http://localhost'),
      getStatus('http://platform.example', 'https'),
    ]),
    [200, 200, 200, 200, 200],
  );
  assert.deepEqual(
    await Promise.all([
      getStatus('http://platform.example'),
      getStatus('http://127.0.0.1', 'http'),
      getStatus('http://127.0.0.1.evil.example'),
      getStatus('http://platform.example', 'http, https'),
    ]),
    [403, 403, 403, 403],
  );
});
