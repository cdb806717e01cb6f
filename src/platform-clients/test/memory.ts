import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

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
export const LISTS = ['campaigns', 'queried campaigns', 'activities', 'donors', 'donations'];

export interface ListServer extends AsyncDisposable {
  /**
   * Iterates over lists in a separate process, whose heap contains nothing from the test.
   * @param options.leaks retains all records to simulate a leak.
   */
  measure(
    lists: readonly string[],
    options?: { readonly leaks?: boolean },
  ): Promise<IterationReport[]>;
}

/** Serves long lists with the pagination of both APIs. */
export async function serveLists({
  records,
  description,
}: {
  readonly records: number;
  /** Text of each record. */
  readonly description: string;
}): Promise<ListServer> {
  const createRecords = (skip: number, take: number): object[] =>
    Array.from({ length: Math.max(0, Math.min(take, records - skip)) }, (_, index) => ({
      id: skip + index,
      name: `Record ${skip + index}`,
      description,
      dateCreated: '11/21/2026 12:00:00 PM',
    }));

  const createPageBySkip = (url: URL, body: string): object => {
    const { skip, take } = body
      ? (JSON.parse(body) as { skip: number; take: number })
      : { skip: Number(url.searchParams.get('skip')), take: Number(url.searchParams.get('take')) };
    return { items: createRecords(skip, take) };
  };

  const createPageByNumber = (
    url: URL,
  ): { readonly pagination: object; readonly body: object[] } => {
    const page = Number(url.searchParams.get('page') ?? 1);
    const pageSize = Number(url.searchParams.get('pageSize'));
    const totalPages = records / pageSize;
    const next = `${url.origin}${url.pathname}?page=${page + 1}&pageSize=${pageSize}`;
    return {
      pagination: {
        totalCount: records,
        totalPages,
        prevPageLink: '',
        nextPageLink: page < totalPages ? next : '',
      },
      body: createRecords((page - 1) * pageSize, pageSize),
    };
  };

  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += String(chunk);
    });
    request.on('end', () => {
      const url = new URL(request.url ?? '', baseUrl);
      response.setHeader('Content-Type', 'application/json');
      if (url.pathname.startsWith('/v1/')) {
        const { pagination, body } = createPageByNumber(url);
        response.setHeader('x-pagination', JSON.stringify(pagination));
        response.end(JSON.stringify(body));
      } else {
        response.end(JSON.stringify(createPageBySkip(url, text)));
      }
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    measure: (lists, { leaks = false } = {}) =>
      new Promise((resolve, reject) => {
        const child = spawn(process.execPath, [
          '--expose-gc',
          fileURLToPath(import.meta.resolve('./iterate-lists.ts')),
          baseUrl,
          String(records),
          ...(leaks ? ['--leak'] : []),
          ...lists,
        ]);
        let stdout = '';
        let stderr = '';
        child.stdout.on('data', (chunk) => {
          stdout += String(chunk);
        });
        child.stderr.on('data', (chunk) => {
          stderr += String(chunk);
        });
        child.on('close', (code) => {
          if (code === 0) resolve(JSON.parse(stdout) as IterationReport[]);
          else reject(new Error(stderr));
        });
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
