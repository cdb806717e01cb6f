import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { InboundWebhookRow, Tables } from '../database/schema.ts';
import { findReferences } from '../donations/reference.ts';
import { mentionsEmail } from './match-email.ts';

const PAGE_SIZE = 50;

/** Yields an organization's inbound webhooks that mention a donor, oldest first. */
export async function* iterateWebhooksMentioning(
  db: Kysely<Tables>,
  {
    organization,
    email,
    references,
  }: {
    readonly organization: string;
    readonly email: string;
    readonly references: readonly string[];
  },
): AsyncGenerator<InboundWebhookRow> {
  const own = new Set(references);
  for await (const row of iterateInboundWebhooks(db, organization))
    if (mentionsDonor(row.body, email, own) || mentionsDonor(row.lastError ?? '', email, own))
      yield row;
}

/** IDs of the inbound webhooks that mention a donor or a donation. */
export interface WebhookMentions {
  /** IDs of webhooks that contain the donor's email. */
  readonly byEmail: readonly string[];
  /**
   * IDs of webhooks that contain a reference, keyed by reference. Webhooks about a renewal are
   * listed under the first donation's reference.
   */
  readonly byReference: ReadonlyMap<string, readonly string[]>;
}

/**
 * Indexes an organization's inbound webhooks before a deletion. Reading the webhooks within the
 * deletion's transaction would block other writes.
 */
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

async function* iterateInboundWebhooks(
  db: Kysely<Tables>,
  organization: string,
): AsyncGenerator<InboundWebhookRow> {
  for (let last: InboundWebhookRow | undefined; ;) {
    let page = db
      .selectFrom('inboundWebhooks')
      .selectAll()
      .where('organization', '=', organization);
    if (last)
      page = page
        .where('receivedAt', '>=', last.receivedAt)
        .where((build) =>
          build.or([build('receivedAt', '>', last!.receivedAt), build('id', '>', last!.id)]),
        );
    const rows = await page.orderBy('receivedAt').orderBy('id').limit(PAGE_SIZE).execute();
    yield* rows;
    if (rows.length < PAGE_SIZE) return;
    last = rows.at(-1);
    await setImmediate();
  }
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
