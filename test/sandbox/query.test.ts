import assert from 'node:assert/strict';
import { test } from 'node:test';
import { itemsOf, messageOf, openSandbox, type Answer } from './support.ts';

const PATH = '/api/campaign/query';
interface Condition {
  readonly parameter: string;
  readonly operator: string;
  readonly value?: unknown;
  readonly secondaryValue?: unknown;
}
const queryOf = (...conditions: Condition[]) => ({
  queryType: 'Campaign',
  groups: [{ conditions }],
  skip: 0,
  take: 50,
});
const ids = (answer: Answer): unknown[] => itemsOf(answer).map(({ id }) => id);

test('GET /api/query/options/{queryType}: allowed parameters, the operators of each, and available result fields', async () => {
  const { ask } = openSandbox();
  const { body } = await ask('/api/query/options/Campaign');
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
  const unknown = await ask('/api/query/options/Campaigns');
  assert.equal(unknown.status, 404);
  assert.match(
    messageOf(unknown),
    /Other, Donor, DonorAddress, Gift, Project, Premium, Page, RecurringGift, Campaign, Segment/,
  );
});

test('every operator that the options list is answered by the query', async () => {
  const { ask } = openSandbox();
  const { parameters } = (await ask('/api/query/options/Campaign')).body as {
    parameters: { name: string; type: string; operators: string[]; values?: string[] }[];
  };
  const operand: Readonly<Record<string, string>> = {
    number: '102',
    string: 'well',
    date: '2026-04-01',
    enum: 'Running',
  };
  for (const { name, type, operators } of parameters) {
    for (const operator of operators) {
      const value = operand[type]!;
      const { status, body } = await ask(
        PATH,
        queryOf({
          parameter: name,
          operator,
          ...(!operator.endsWith('Known') && { value }),
          ...(operator === 'Between' && { secondaryValue: value }),
        }),
      );
      assert.equal(status, 200, `${name} ${operator}: ${JSON.stringify(body)}`);
    }
  }
});

test('QueryOperator: each selects what its name says', async () => {
  const { ask } = openSandbox();
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
  ] as const) {
    assert.deepEqual(
      ids(await ask(PATH, queryOf({ parameter, operator, ...(value !== undefined && { value }) }))),
      expected,
      `${parameter} ${operator} ${value}`,
    );
  }
});

test('Between: value is the inclusive lower bound, secondaryValue the inclusive upper bound', async () => {
  const { ask } = openSandbox();
  assert.deepEqual(
    ids(
      await ask(
        PATH,
        queryOf({
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
    ids(
      await ask(
        PATH,
        queryOf({
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
    (await ask(PATH, queryOf({ parameter: 'givingGoal', operator: 'Between', value: '60000' })))
      .status,
    400,
  );
  assert.equal(
    (
      await ask(
        PATH,
        queryOf({ parameter: 'givingGoal', operator: 'Is', value: '60000', secondaryValue: '2' }),
      )
    ).status,
    400,
  );
});

test('ConjunctOperator: And unless told otherwise, between conditions and between groups', async () => {
  const { ask } = openSandbox();
  const wells = { parameter: 'name', operator: 'Contains', value: 'wells' };
  const river = { parameter: 'name', operator: 'Contains', value: 'river' };
  const query = queryOf(wells, river);
  assert.deepEqual(ids(await ask(PATH, query)), []);
  assert.deepEqual(
    ids(await ask(PATH, { ...query, groups: [{ conditions: [wells, river], conjunct: 'Or' }] })),
    [101, 105],
  );
  assert.deepEqual(
    ids(await ask(PATH, { ...query, groups: [{ conditions: [wells] }, { conditions: [river] }] })),
    [],
  );
  assert.deepEqual(
    ids(
      await ask(PATH, {
        ...query,
        groups: [{ conditions: [wells] }, { conditions: [river] }],
        conjunct: 1,
      }),
    ),
    [101, 105],
  );
  assert.equal((await ask(PATH, { ...query, conjunct: 'Xor' })).status, 400);
});

test('selectedColumns limits the columns returned; filter, skip, take and sorting apply', async () => {
  const { ask } = openSandbox();
  const all = { ...queryOf({ parameter: 'id', operator: 'IsKnown' }) };
  assert.deepEqual(itemsOf(await ask(PATH, { ...all, take: 1, selectedColumns: ['name', 'id'] })), [
    { id: 101, name: 'Winter Wells' },
  ]);
  assert.deepEqual(ids(await ask(PATH, { ...all, filter: 'WATER' })), [102, 104, 105]);
  assert.deepEqual(ids(await ask(PATH, { ...all, filter: 'water', skip: 1, take: 1 })), [104]);
  assert.deepEqual(
    ids(await ask(PATH, { ...all, take: 2, sortBy: 'givingGoal', descending: true })),
    [106, 103],
  );
  assert.deepEqual(ids(await ask(PATH, { ...all, take: 0 })), []);
});

test('a query that names what is not allowed is refused with what is', async () => {
  const { ask } = openSandbox();
  const good = queryOf({ parameter: 'id', operator: 'Is', value: '1' });
  for (const [query, said] of [
    [
      queryOf({ parameter: 'goal', operator: 'Is', value: '1' }),
      /'goal' is no parameter.*givingGoal/,
    ],
    [
      queryOf({ parameter: 'name', operator: 'Before', value: 'x' }),
      /'Before' is no operator of name; expected one of Is, IsNot/,
    ],
    [queryOf({ parameter: 'id', operator: '0', value: '1' }), /is no operator/],
    [
      queryOf({ parameter: 'id', operator: 'Is', value: 1 }),
      /value is required for id with Is: a string/,
    ],
    [queryOf({ parameter: 'id', operator: 'Is', value: 'one' }), /is no number/],
    [queryOf({ parameter: 'startDate', operator: 'Is', value: '2026-02-30' }), /is no date/],
    [
      queryOf({ parameter: 'phase', operator: 'Is', value: 'Done' }),
      /expected one of Upcoming, Running, Ended/,
    ],
    [{ ...good, selectedColumns: ['id', 'goal'] }, /'goal' is no column.*avgGiftGoal/],
    [{ ...good, queryType: 'Gift' }, /expects Campaign/],
    [{ ...good, groups: undefined }, /groups is required/],
    [{ ...good, groups: [{ conditions: [] }] }, /needs conditions/],
    [
      { ...good, operatorBetweenGroups: 'Or' },
      /'operatorBetweenGroups' is no field of a query.*conjunct/,
    ],
    [{ ...good, skip: undefined }, /skip is required/],
    [{ ...good, take: '5' }, /take is required/],
  ] as const) {
    const answer = await ask(PATH, query);
    assert.equal(answer.status, 400, JSON.stringify(query));
    assert.match(messageOf(answer), said);
  }
});

test("plain HTTP fails but from this machine, and a proxy's word counts", async () => {
  const { ask } = openSandbox();
  const path = '/api/campaign/list?skip=0&take=1';
  const status = async (origin: string, forwarded?: string): Promise<number> =>
    (
      await ask(`${origin}${path}`, undefined, {
        headers: {
          Authorization: 'Bearer key',
          ...(forwarded && { 'X-Forwarded-Proto': forwarded }),
        },
      })
    ).status;
  assert.deepEqual(
    await Promise.all([
      status('https://platform.example'),
      status('http://127.0.0.1:4102'),
      status('http://[::1]:4102'),
      status('http://localhost'),
      status('http://platform.example', 'https'),
    ]),
    [200, 200, 200, 200, 200],
  );
  assert.deepEqual(
    await Promise.all([
      status('http://platform.example'),
      status('http://127.0.0.1', 'http'),
      status('http://127.0.0.1.evil.example'),
      status('http://platform.example', 'http, https'),
    ]),
    [403, 403, 403, 403],
  );
});
