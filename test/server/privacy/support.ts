import type { TestServer } from '../support.ts';

/** Stores platform webhooks. @param bodies JSON or XML, by ID. */
export async function storeWebhooks(
  { inboundWebhooks: { inbox } }: TestServer,
  bodies: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [id, body] of Object.entries(bodies))
    await inbox.insertIfNew({
      id,
      organization: 'lanternwell',
      source: 'fundraising',
      kind: null,
      format: body.startsWith('<') ? 'xml' : 'json',
      body,
      hasHook: true,
    });
}
