import type { Kysely } from 'kysely';
import type { InboundWebhookRow, Tables } from '../database/schema.ts';
import { findReferences } from '../donations/reference.ts';
import { iterateDatabasePages } from '../reporting/iterate-pages.ts';
import { mentionsEmail } from './match-email.ts';

const PAGE_SIZE = 50;

/** Oldest first. */
export async function* iterateWebhooksMentioning(
  db: Kysely<Tables>,
  organization: string,
  email: string,
  references: readonly string[],
): AsyncGenerator<InboundWebhookRow> {
  const own = new Set(references);
  for await (const row of iterateInboundWebhooks(db, organization))
    if (mentionsDonor(row.body, email, own) || mentionsDonor(row.lastError ?? '', email, own))
      yield row;
}

export interface WebhookMentions {
  readonly byEmail: readonly string[];
  /** Keyed by reference. Webhooks about a renewal are under the first donation's reference. */
  readonly byReference: ReadonlyMap<string, readonly string[]>;
}

/** Reading the webhooks within a deletion's transaction would block other writes. */
export async function indexWebhookMentions(
  db: Kysely<Tables>,
  organization: string,
  email?: string,
): Promise<WebhookMentions> {
  const byEmail: string[] = [];
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
  const pages = iterateDatabasePages((last: InboundWebhookRow | undefined, limit) => {
    const { receivedAt, id } = last ?? { receivedAt: 0, id: '' };
    return db
      .selectFrom('inboundWebhooks')
      .selectAll()
      .where('organization', '=', organization)
      .where('receivedAt', '>=', receivedAt)
      .where((build) => build.or([build('receivedAt', '>', receivedAt), build('id', '>', id)]))
      .orderBy('receivedAt')
      .orderBy('id')
      .limit(limit)
      .execute();
  }, PAGE_SIZE);
  for await (const page of pages) yield* page;
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
