import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type {
  OutboundWebhookEvent,
  OutboundWebhookMessage,
} from '../../../src/core/schemas/webhook-event.ts';
import {
  createWebhookEndpoints,
  type WebhookEndpoint,
} from '../../../src/server/organizations/outbound-webhook-endpoint.ts';
import { outboundWebhookMessageSchema } from '../../response-schemas.ts';
import type { TestServer } from '../support.ts';

export const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
export const PREVIOUS_SECRET = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;

/** A request to a receiver. */
interface ReceivedMessage {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly message: OutboundWebhookMessage;
}

export interface WebhookListener extends AsyncDisposable {
  readonly endpoint: WebhookEndpoint;
  readonly received: ReceivedMessage[];
}

/**
 * Opens a server that receives webhooks and verifies their signatures.
 * @param respond responds to a request; `count` is the number of earlier requests.
 */
export async function startWebhookListener(
  respond: (response: ServerResponse, count: number) => unknown = (response) =>
    response.writeHead(204).end(),
  events?: [OutboundWebhookEvent, ...OutboundWebhookEvent[]],
): Promise<WebhookListener> {
  const received: ReceivedMessage[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request
      .on('data', (chunk: Buffer) => {
        body += chunk.toString();
      })
      .on('end', () => {
        const headers = request.headers as Record<string, string>;
        const message = outboundWebhookMessageSchema.parse(
          new Webhook(SECRET).verify(body, headers),
        );
        respond(
          response,
          received.push({ id: headers['webhook-id']!, headers, body, message }) - 1,
        );
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/donations`;
  const [endpoint] = createWebhookEndpoints(
    [{ url, secret: { env: 'NEW' }, previousSecret: { env: 'OLD' }, events }],
    (name) => ('env' in name && name.env === 'NEW' ? SECRET : PREVIOUS_SECRET),
    'organizations.0',
  );
  return {
    endpoint: endpoint!,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export const listMessages = ({ database }: TestServer) =>
  database.db.selectFrom('webhookMessages').selectAll().orderBy('createdAt').execute();
export const listReceivedTypes = ({ received }: WebhookListener): string[] =>
  received.map(({ message }) => message.type);
