import type { InboundWebhookRow } from '../../../src/server/database/schema.ts';
import type {
  PlatformEvent,
  WebhookSource,
} from '../../../src/server/organizations/webhook-source.ts';
import { startServer, type TestServer, type TestServerOptions } from '../support.ts';

export const SECRET = 'canary-3f9d0c2b71a84e56-platform';
export const V1_SECRET = 'canary-a86b5d40e92c17f3-platform';

export interface TestServerWithHook extends TestServer {
  /** Events for which the hook succeeded. */
  readonly hookCalls: PlatformEvent[];
}

/** @param hook called before an event is added to `hookCalls`; may throw. */
export async function startServerWithHook(
  hook: (event: PlatformEvent, context: { readonly signal: AbortSignal }) => unknown = () =>
    undefined,
  options: TestServerOptions = {},
): Promise<TestServerWithHook> {
  const hookCalls: PlatformEvent[] = [];
  const withHook: Partial<WebhookSource> = {
    kindPath: 'eventName',
    idPath: 'eventId',
    hook: async (event, context) => {
      await hook(event, context);
      hookCalls.push(event);
    },
  };
  const server = await startServer({
    ...options,
    webhookSources: [
      { source: 'fundraising', secret: SECRET, ...withHook },
      { source: 'donation-v1', secret: V1_SECRET, kindPath: 'type', hook: withHook.hook },
    ],
  });
  return { ...server, hookCalls };
}

export const postWebhook = (
  server: Pick<TestServer, 'fetch'>,
  body: BodyInit,
  {
    path = `/platform-webhooks/lanternwell/${SECRET}`,
    type = 'application/json',
    method = 'POST',
  } = {},
): Promise<Response> =>
  server.fetch(path, {
    method,
    headers: { 'Content-Type': type },
    ...(method === 'POST' && { body }),
  });
export const createJsonBody = (
  eventId: number,
  eventName: string | number = 'Gift_Added',
): string =>
  JSON.stringify({
    eventId: `e${eventId}`,
    eventName,
    gift: { reference: 'R', donorEmail: 'ana@example.org' },
  });
export const createXmlBody = (eventId: number, eventName: string | number = 'Gift_Added'): string =>
  `<?xml version="1.0"?><event><gift><reference>R</reference></gift><eventName>${eventName}</eventName><eventId>e${eventId}</eventId></event>`;

export const listWebhooks = async ({ inboundWebhooks: { inbox } }: TestServer) =>
  Promise.all(
    (await inbox.listWebhooks(20_000)).map(async ({ id }) => (await inbox.findById(id))!),
  );

/** A webhook without an ID of its organization, as the inbox receives it. */
export const WEBHOOK = { source: 'fundraising', kind: null, format: 'json', body: '{}' } as const;
/** Builds the row of a webhook. */
export const buildInboundRow = (
  id: string,
  change: Pick<InboundWebhookRow, 'organization' | 'bytes' | 'status' | 'receivedAt'>,
): InboundWebhookRow => ({ ...WEBHOOK, id, attempts: 0, nextRunAt: 0, lastError: null, ...change });
