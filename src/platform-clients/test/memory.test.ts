import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Memory use of one iteration over a list. */
interface IterationReport {
  readonly list: string;
  readonly count: number;
  /** Number of records that the program retained to simulate a leak. */
  readonly retained: number;
  /** Growth of the heap in bytes after the first tenth of the records. */
  readonly heapGrowth: number;
}

/** The lists that `iterate-lists.ts` can iterate over. */
const LISTS = ['campaigns', 'queried campaigns', 'activities', 'donors', 'donations'];
const RECORDS = 4_000;
const MAX_GROWTH = 2_000_000;
const DESCRIPTION = 'A well. '.repeat(250);

const createRecords = (skip: number, take: number): object[] =>
  Array.from({ length: Math.max(0, Math.min(take, RECORDS - skip)) }, (_, index) => ({
    id: skip + index,
    name: `Record ${skip + index}`,
    description: DESCRIPTION,
    dateCreated: '11/21/2026 12:00:00 PM',
  }));

/** Serves long lists with the pagination of both APIs. */
const server = createServer((request, response) => {
  void (async () => {
    const url = new URL(request.url!, baseUrl);
    const query = Object.fromEntries(url.searchParams);
    response.setHeader('Content-Type', 'application/json');
    if (!url.pathname.startsWith('/v1/')) {
      const { skip, take } = request.method === 'POST' ? ((await json(request)) as Page) : query;
      response.end(JSON.stringify({ items: createRecords(Number(skip), Number(take)) }));
      return;
    }
    const pageSize = Number(query.pageSize);
    const page = Number(query.page ?? 1);
    const totalPages = RECORDS / pageSize;
    const nextUrl = `${url.origin}${url.pathname}?page=${page + 1}&pageSize=${pageSize}`;
    const nextPageLink = page < totalPages ? nextUrl : '';
    response.setHeader(
      'x-pagination',
      JSON.stringify({ totalCount: RECORDS, totalPages, prevPageLink: '', nextPageLink }),
    );
    response.end(JSON.stringify(createRecords((page - 1) * pageSize, pageSize)));
  })();
});
interface Page {
  readonly skip: number;
  readonly take: number;
}
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
after(() => {
  server.closeAllConnections();
  server.close();
});

/** Iterates over lists in a separate process, whose heap contains nothing from the test. */
async function measure(...words: readonly string[]): Promise<IterationReport[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    fileURLToPath(import.meta.resolve('./iterate-lists.ts')),
    baseUrl,
    String(RECORDS),
    ...words,
  ]);
  return JSON.parse(stdout) as IterationReport[];
}

test('iterating over a list uses a constant amount of memory', async () => {
  const reports = await measure(...LISTS);
  assert.equal(reports.length, LISTS.length);
  for (const { list, count, heapGrowth } of reports) {
    assert.equal(count, RECORDS);
    assert.ok(heapGrowth < MAX_GROWTH, `${list}: the heap grew by ${heapGrowth} bytes`);
  }
});

test('the test detects a memory leak', async () => {
  const [report] = await measure('--leak', 'donations');
  assert.equal(report!.retained, RECORDS);
  assert.ok(report!.heapGrowth > 2 * MAX_GROWTH, `the heap grew by ${report!.heapGrowth} bytes`);
});
