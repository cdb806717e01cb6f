import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import {
  outboundWebhookMessageSchema,
  type OutboundWebhookEvent,
  type OutboundWebhookMessage,
} from '../../../src/core/schemas/webhook-event.ts';
import {
  createWebhookEndpoints,
  type WebhookEndpoint,
} from '../../../src/server/organizations/webhook-endpoint.ts';
import { outcomeOf, type Desk } from '../support.ts';

export const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
export const OLD_SECRET = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;

/** One request that a receiver got. */
interface Received {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly message: OutboundWebhookMessage;
}

export interface Receiver extends AsyncDisposable {
  readonly address: WebhookEndpoint;
  readonly received: Received[];
}

/**
 * The site's own server, which believes what the library verifies and nothing else.
 * @param answer what it does with each request, after so many before it.
 */
export async function openReceiver(
  answer: (response: ServerResponse, before: number) => unknown = (response) =>
    response.writeHead(204).end(),
  events?: [OutboundWebhookEvent, ...OutboundWebhookEvent[]],
): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request
      .on('data', (piece: Buffer) => {
        body += piece.toString();
      })
      .on('end', () => {
        const headers = request.headers as Record<string, string>;
        const message = outboundWebhookMessageSchema.parse(
          new Webhook(SECRET).verify(body, headers),
        );
        answer(response, received.push({ id: headers['webhook-id']!, headers, body, message }) - 1);
      });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/donations`;
  const [address] = createWebhookEndpoints(
    [{ url, secret: { env: 'NEW' }, previousSecret: { env: 'OLD' }, events }],
    (name) => ('env' in name && name.env === 'NEW' ? SECRET : OLD_SECRET),
    'organizations.0',
  );
  return {
    address: address!,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export const rowsOf = ({ database }: Desk) =>
  database.db.selectFrom('webhook_messages').selectAll().orderBy('created_at').execute();
export const give = async (desk: Desk, change: Parameters<Desk['request']>[0] = {}) =>
  outcomeOf(await desk.post(await desk.request(change)));
export const typesOf = ({ received }: Receiver): string[] =>
  received.map(({ message }) => message.type);
