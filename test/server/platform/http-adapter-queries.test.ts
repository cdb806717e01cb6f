/** The calls that docs/reference/http-adapter.md describes for a live platform, against the sandbox. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { HttpPlatformConfiguration } from '../../../src/core/schemas/index.ts';
import { openSandbox } from '../../../src/sandbox/test/support.ts';
import { createHttpAdapter } from '../../../src/server/platform/http.ts';
import { createClient } from './test-platform.ts';

const page = readFileSync('docs/reference/http-adapter.md', 'utf8');
/** Parses the first example of a setting in the page. */
function readExample(name: 'find' | 'list'): unknown {
  const [, json = ''] = new RegExp(`\`\`\`json\\n"${name}": (\\{.*?)\`\`\``, 's').exec(page)!;
  return JSON.parse(json);
}
const find = readExample('find') as NonNullable<HttpPlatformConfiguration['find']>;
const list = readExample('list') as NonNullable<HttpPlatformConfiguration['list']>;
const record = { path: '/sandbox/gifts', body: {}, idPath: 'id' };

function openAdapter(calls: Partial<Pick<HttpPlatformConfiguration, 'find' | 'list'>>) {
  const { sandbox, request } = openSandbox({ liveClients: true });
  const client = createClient(sandbox.fetch, 'http://127.0.0.1:4102');
  return {
    adapter: createHttpAdapter(client, { record, ...calls }),
    recordGift: async (reference: string, total: string): Promise<number> => {
      const gift = { reference, summary: 'a gift', total };
      return ((await request('/sandbox/gifts', gift)).body as { id: number }).id;
    },
  };
}

test('finds a gift by its transaction ID with a POST query', async () => {
  const { adapter, recordGift } = openAdapter({ find });
  await recordGift('OTHER', '5.00');
  const id = await recordGift('7K4M9-QXD2P', '1200.00');
  assert.equal(await adapter.findGiftId!('7K4M9-QXD2P'), String(id));
  assert.equal(await adapter.findGiftId!('MISSING'), undefined);
});

test('rejects a gift with another reference, which a platform returns if it ignores the condition', async () => {
  const { adapter, recordGift } = openAdapter({
    find: { ...find, body: { ...find.body, groups: [] } },
  });
  await recordGift('OTHER', '5.00');
  await assert.rejects(
    async () => adapter.findGiftId!('7K4M9-QXD2P'),
    /another reference at items\.0\.metadata\.0; expected 7K4M9-QXD2P/,
  );
});

test('lists gifts with a POST query, and with parameters in PascalCase', async () => {
  const pascalList = {
    path: '/api/Gift/list?Skip={skip}&Take={take}',
    itemsPath: 'items',
    referencePath: 'transactionId',
    idPath: 'id',
    amountPath: 'amount',
  };
  for (const [calls, days, count] of [
    [list, ['2026-11-01', '2026-12-01'], 101],
    [list, ['2026-10-01', '2026-11-01'], 0],
    [pascalList, ['2026-11-01', '2026-12-01'], 101],
  ] as const) {
    const { adapter, recordGift } = openAdapter({ list: calls });
    for (let index = 0; index < 101; index += 1) await recordGift(`R${index}`, '1200.50');
    const gifts = await Array.fromAsync(
      adapter.iterateGifts!(new Date(days[0]), new Date(days[1])),
    );
    assert.equal(new Set(gifts.map(({ reference }) => reference)).size, count);
    if (gifts[0]) assert.equal(Number(gifts[0].total), 1200.5);
  }
});
