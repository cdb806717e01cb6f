import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const RECORDS = 100_000;
const MOST_GROWN = 5_000_000;

let server: Server;
let baseUrl = '';

/** Records from a place in the list on, made when they are asked for. */
function recordsFrom(skip: number, take: number): object[] {
  return Array.from({ length: Math.max(0, Math.min(take, RECORDS - skip)) }, (_, index) => ({
    id: skip + index,
    name: `Record ${skip + index}`,
    description: 'A well for a village, drilled and lined',
    dateCreated: '11/21/2026 12:00:00 PM',
  }));
}

/** A page of either interface, by its way of paging. */
function pageOf(
  url: URL,
  body: string,
): { readonly headers: Readonly<Record<string, string>>; readonly body: unknown } {
  if (!url.pathname.startsWith('/v1/')) {
    const { skip, take } = body
      ? (JSON.parse(body) as { skip: number; take: number })
      : { skip: Number(url.searchParams.get('skip')), take: Number(url.searchParams.get('take')) };
    return { headers: {}, body: { items: recordsFrom(skip, take) } };
  }
  const page = Number(url.searchParams.get('page') ?? 1);
  const pageSize = Number(url.searchParams.get('pageSize'));
  const totalPages = RECORDS / pageSize;
  const nextPageLink =
    page < totalPages ? `${baseUrl}${url.pathname}?page=${page + 1}&pageSize=${pageSize}` : '';
  return {
    headers: {
      'x-pagination': JSON.stringify({
        totalCount: RECORDS,
        totalPages,
        prevPageLink: '',
        nextPageLink,
      }),
    },
    body: recordsFrom((page - 1) * pageSize, pageSize),
  };
}

before(async () => {
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (piece) => {
      text += String(piece);
    });
    request.on('end', () => {
      const { headers, body } = pageOf(new URL(request.url ?? '', baseUrl), text);
      response
        .writeHead(200, { 'Content-Type': 'application/json', ...headers })
        .end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

after(() => {
  server.closeAllConnections();
  server.close();
});

interface Walked {
  readonly count: number;
  readonly kept: number;
  readonly grown: number;
}

/** Walks in a process of its own, so that the heap holds nothing of this one's. */
function walk(...words: readonly string[]): Promise<Walked> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [
      '--expose-gc',
      fileURLToPath(import.meta.resolve('./walker.ts')),
      baseUrl,
      ...words,
    ]);
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (piece) => {
      stdout += String(piece);
    });
    child.stderr.on('data', (piece) => {
      stderr += String(piece);
    });
    child.on('close', (code) => {
      if (code === 0) resolve(JSON.parse(stdout) as Walked);
      else reject(new Error(stderr));
    });
  });
}

for (const list of ['campaigns', 'queried campaigns', 'activities', 'donors', 'donations']) {
  test(`walking over 100,000 ${list} holds memory flat`, { timeout: 60_000 }, async () => {
    const { count, grown } = await walk(list);
    assert.equal(count, RECORDS);
    assert.ok(grown < MOST_GROWN, `the heap grew by ${grown} bytes`);
  });
}

test('memory that is not flat would be seen', { timeout: 60_000 }, async () => {
  const { kept, grown } = await walk('donations', 'keep');
  assert.equal(kept, RECORDS);
  assert.ok(grown > 2 * MOST_GROWN, `the heap grew by ${grown} bytes`);
});
