import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { until } from '../until.ts';

export interface Heard {
  readonly path: string;
  readonly type: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Listener extends AsyncDisposable {
  readonly heard: Heard[];
  readonly address: string;
  /** Waits until so many were heard, and a little longer to see that no more come. */
  readonly hear: (count: number) => Promise<Heard[]>;
}

/**
 * A server that hears webhooks and answers with the statuses in turn, 200 when they are used up.
 * @param hearing called with each body before it is answered.
 */
export async function startListener(
  statuses: number[] = [],
  hearing: (body: string) => Promise<void> = async () => undefined,
): Promise<Listener> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += String(piece);
    });
    request.on('end', () => {
      heard.push({
        path: request.url ?? '',
        type: request.headers['content-type'] ?? '',
        headers: request.headers,
        body,
      });
      void hearing(body).finally(() =>
        response.writeHead(statuses.shift() ?? 200, { Location: '/elsewhere' }).end(),
      );
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    heard,
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async hear(count) {
      await until(() => heard.length >= count);
      await setTimeout(60);
      return heard;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
