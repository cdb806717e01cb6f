import type { Kysely } from 'kysely';
import type { InboundWebhookRow, Tables } from '../database/schema.ts';
import { findReferences } from '../donations/reference.ts';
import { ALL_TIME } from '../lib/period.ts';
import { iterateListPages } from '../reporting/iterate-pages.ts';
import { mentionsEmail } from './match-email.ts';

const PAGE_SIZE = 50;

/** Lists the webhooks that contain the email or one of the references, oldest first. */
export async function listWebhooksMentioning(
  db: Kysely<Tables>,
  organization: string,
  email: string,
  references: readonly string[],
): Promise<InboundWebhookRow[]> {
  const own = new Set(references);
  const mentions = (text: string | null): boolean => mentionsDonor(text ?? '', email, own);
  const found: InboundWebhookRow[] = [];
  for await (const row of iterateInboundWebhooks(db, organization))
    if (mentions(row.body) || mentions(row.lastError)) found.push(row);
  return found;
}

export type WebhookMentions = Awaited<ReturnType<typeof indexWebhookMentions>>;

/** Reading the webhooks within a deletion's transaction would block other writes. */
export async function indexWebhookMentions(
  db: Kysely<Tables>,
  organization: string,
  email?: string,
) {
  const byEmail: string[] = [];
  /** Keyed by reference. Webhooks about a renewal are under the first donation's reference. */
  const byReference = new Map<string, string[]>();
  for await (const { id, body, lastError: error } of iterateInboundWebhooks(db, organization)) {
    const texts = [body, error ?? ''];
    if (email !== undefined && texts.some((text) => mentionsEmail(text, email))) byEmail.push(id);
    for (const reference of new Set(texts.flatMap(findReferences))) {
      const ids = byReference.get(reference);
      if (ids) ids.push(id);
      else byReference.set(reference, [id]);
    }
  }
  return { byEmail, byReference };
}

async function* iterateInboundWebhooks(db: Kysely<Tables>, organization: string) {
  const options = { organization, period: ALL_TIME, size: PAGE_SIZE };
  for await (const page of iterateListPages(db, 'inboundWebhooks', options)) yield* page;
}

export function mentionsDonor(
  text: string,
  email: string | undefined,
  references: ReadonlySet<string>,
): boolean {
  return (
    (email !== undefined && mentionsEmail(text, email)) ||
    findReferences(text).some((reference) => references.has(reference))
  );
}
