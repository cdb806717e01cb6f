import type { Handler } from '../../../src/server/http/create-app.ts';
import type {
  PlatformEvent,
  WebhookSource,
} from '../../../src/server/organizations/webhook-source.ts';
import { openDesk, type Desk, type DeskOptions } from '../support.ts';

export const SECRET = 'canary-3f9d0c2b71a84e56-platform';
export const V1_SECRET = 'canary-a86b5d40e92c17f3-platform';

export interface HookedDesk extends Desk {
  /** What the hook was called with and did not refuse. */
  readonly heard: PlatformEvent[];
}

/** A desk whose organisation hears both platforms. @param hook what it does beside remembering. */
export async function openHookedDesk(
  hook: (event: PlatformEvent, given: { readonly signal: AbortSignal }) => unknown = () =>
    undefined,
  options: DeskOptions = {},
): Promise<HookedDesk> {
  const heard: PlatformEvent[] = [];
  const kept: Partial<WebhookSource> = {
    kindPath: 'eventName',
    idPath: 'eventId',
    hook: async (event, given) => {
      await hook(event, given);
      heard.push(event);
    },
  };
  const desk = await openDesk({
    ...options,
    webhookSources: [
      { source: 'fundraising', secret: SECRET, ...kept },
      { source: 'donation-v1', secret: V1_SECRET, kindPath: 'type', hook: kept.hook },
    ],
  });
  return { ...desk, heard };
}

export const send = (
  desk: { readonly handler: { readonly fetch: Handler } },
  body: BodyInit,
  {
    path = `/platform-webhooks/lanternwell/${SECRET}`,
    type = 'application/json',
    method = 'POST',
  } = {},
): Promise<Response> =>
  Promise.resolve(
    desk.handler.fetch(
      new Request(`https://give.example${path}`, {
        method,
        headers: { 'Content-Type': type },
        ...(method === 'POST' && { body }),
      }),
    ),
  );
export const asJson = (eventId: number, eventName: string | number = 'Gift_Added'): string =>
  JSON.stringify({
    eventId: `e${eventId}`,
    eventName,
    gift: { reference: 'R', donorEmail: 'ana@example.org' },
  });
export const asXml = (eventId: number, eventName: string | number = 'Gift_Added'): string =>
  `<?xml version="1.0"?><event><gift><reference>R</reference></gift><eventName>${eventName}</eventName><eventId>e${eventId}</eventId></event>`;

export const kept = async ({ inboundWebhooks: { inbox } }: Desk) =>
  Promise.all((await inbox.list(20_000)).map(async ({ id }) => (await inbox.findById(id))!));
