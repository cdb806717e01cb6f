import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FundraisingClient, PageLimitError, type QueryOptions } from '../fundraising/index.ts';

const OPTIONS: QueryOptions = { parameters: [{ name: 'id', operators: ['IsKnown'] }], columns: [] };
const GROUPS = [{ conditions: [{ parameter: 'id', operator: 'IsKnown' }] }] as const;

/** Creates a client of a platform whose lists have this many records. */
function createClient(records: number): { client: FundraisingClient; readonly calls: object[] } {
  const calls: object[] = [];
  const client = new FundraisingClient({
    baseUrl: 'https://platform.test',
    apiKey: 'key',
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const { skip, take, ...others } = (
        request.method === 'GET'
          ? Object.fromEntries(new URL(request.url).searchParams)
          : await request.json()
      ) as { skip: string; take: string };
      calls.push({ skip: Number(skip), take: Number(take), ...others });
      const length = Math.max(0, Math.min(Number(take), records - Number(skip)));
      return Response.json({ items: Array.from({ length }, (_, id) => ({ id })) });
    },
  });
  return { client, calls };
}

async function countRecords(records: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const record of records) if (record) count += 1;
  return count;
}

test('iterators stop with an error after maxPages pages', async () => {
  for (const [name, iterate] of [
    ['GET /api/campaign/list', (client, range) => client.iterateCampaigns(range)],
    ['POST /api/activity/list', (client, range) => client.iterateActivities(range)],
    [
      'POST /api/campaign/query',
      (client, range) => client.iterateQueriedCampaigns({ groups: GROUPS, ...range }, OPTIONS),
    ],
  ] as const satisfies readonly (readonly [
    string,
    (
      client: FundraisingClient,
      range: { take?: number; maxPages?: number },
    ) => AsyncIterable<unknown>,
  ])[]) {
    const { client, calls } = createClient(Infinity);
    for (const [range, pages] of [
      [{ take: 2, maxPages: 3 }, 3],
      [{ take: 1 }, 10_000],
    ] as const) {
      await assert.rejects(
        countRecords(iterate(client, range)),
        (error) =>
          error instanceof PageLimitError &&
          error.message ===
            `${name} has more than ${pages} pages. Narrow the request, or raise maxPages.`,
        name,
      );
      assert.ok(calls.every((call) => !('maxPages' in call)));
      // One more call finds out that there is a further page.
      assert.equal(calls.splice(0).length, pages + 1);
    }
    for (const maxPages of [0, -1, 1.5, NaN])
      await assert.rejects(
        countRecords(iterate(client, { maxPages })),
        /maxPages is .*; expected an integer of 1 or more/,
      );
  }
});

test('an iterator with exactly maxPages pages ends without an error', async () => {
  const { client, calls } = createClient(6);
  const records = await countRecords(client.iterateCampaigns({ take: 2, maxPages: 3 }));
  assert.deepEqual([records, calls.length], [6, 4]);
});

test('distinguishes rejections from lost responses, follows no redirect, and shows no key', async () => {
  for (const [respond, expected] of [
    [() => Response.json({ message: 'no' }, { status: 403 }), { status: 403, message: 'no' }],
    [() => new Response(null, { status: 302 }), { name: 'FundraisingError', status: 302 }],
    [() => new Response('<html>'), { name: 'NoResponseError' }],
    [() => Response.json({}), { name: 'NoResponseError' }],
    [() => Promise.reject(new TypeError('fetch failed')), { name: 'NoResponseError' }],
  ] as const) {
    const client = new FundraisingClient({
      baseUrl: 'https://platform.test',
      apiKey: 'canary-key',
      fetch: async (input, init) => {
        assert.equal(new Request(input, init).redirect, 'manual');
        return respond();
      },
    });
    const response = client.listCampaigns({ skip: 0, take: 1 });
    await assert.rejects(response, expected);
    await assert.rejects(response, (error) => !String(error).includes('canary'));
  }
});
