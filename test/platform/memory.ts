import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

/** A walk over all records of a list. */
interface Walked {
  readonly list: string;
  readonly count: number;
  /** Records that the walker holds on to, as a leak would. */
  readonly kept: number;
  /** Bytes that the heap grew by after the first tenth of the records. */
  readonly grown: number;
}

/** Lists with all ways of walking over them; see `walker.ts`. */
export const LISTS = ['campaigns', 'queried campaigns', 'activities', 'donors', 'donations'];

export interface Lists extends AsyncDisposable {
  /**
   * Walks over lists in a process of their own, whose heap holds nothing of the test's.
   *
   * @param options.keeps Whether the walker collects the records.
   */
  walk(lists: readonly string[], options?: { readonly keeps?: boolean }): Promise<Walked[]>;
}

/** Serves long lists in the ways that both interfaces page. */
export async function serveLists({
  records,
  description,
}: {
  readonly records: number;
  /** Text in each record. */
  readonly description: string;
}): Promise<Lists> {
  const recordsFrom = (skip: number, take: number): object[] =>
    Array.from({ length: Math.max(0, Math.min(take, records - skip)) }, (_, index) => ({
      id: skip + index,
      name: `Record ${skip + index}`,
      description,
      dateCreated: '11/21/2026 12:00:00 PM',
    }));

  const pageBySkip = (url: URL, body: string): object => {
    const { skip, take } = body
      ? (JSON.parse(body) as { skip: number; take: number })
      : { skip: Number(url.searchParams.get('skip')), take: Number(url.searchParams.get('take')) };
    return { items: recordsFrom(skip, take) };
  };

  const pageByNumber = (url: URL): { readonly pagination: object; readonly body: object[] } => {
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
      body: recordsFrom((page - 1) * pageSize, pageSize),
    };
  };

  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (piece) => {
      text += String(piece);
    });
    request.on('end', () => {
      const url = new URL(request.url ?? '', baseUrl);
      response.setHeader('Content-Type', 'application/json');
      if (url.pathname.startsWith('/v1/')) {
        const { pagination, body } = pageByNumber(url);
        response.setHeader('x-pagination', JSON.stringify(pagination));
        response.end(JSON.stringify(body));
      } else {
        response.end(JSON.stringify(pageBySkip(url, text)));
      }
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    walk: (lists, { keeps = false } = {}) =>
      new Promise((resolve, reject) => {
        const child = spawn(process.execPath, [
          '--expose-gc',
          fileURLToPath(import.meta.resolve('./walker.ts')),
          baseUrl,
          String(records),
          ...(keeps ? ['--keep'] : []),
          ...lists,
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
          if (code === 0) resolve(JSON.parse(stdout) as Walked[]);
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
