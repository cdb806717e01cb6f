import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { waitUntil } from '../../../test/wait-until.ts';

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WebhookListener extends AsyncDisposable {
  readonly received: ReceivedRequest[];
  readonly url: string;
  /** Waits for this number of requests, and a little longer to detect extra ones. */
  readonly waitForRequests: (count: number) => Promise<ReceivedRequest[]>;
}

/**
 * Starts a server that records webhooks and responds with the statuses in turn, then with 200.
 * @param onRequest called with each body before the response.
 */
export async function startWebhookListener(
  statuses: number[] = [],
  onRequest: (body: string) => Promise<void> = async () => undefined,
): Promise<WebhookListener> {
  const received: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      received.push({ path: request.url!, headers, body });
      void onRequest(body).finally(() =>
        response.writeHead(statuses.shift() ?? 200, { Location: '/elsewhere' }).end(),
      );
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async waitForRequests(count) {
      await waitUntil(() => received.length >= count);
      await setTimeout(60);
      return received;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
