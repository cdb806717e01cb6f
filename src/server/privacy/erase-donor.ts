import { setImmediate } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { describeError } from '../lib/describe-error.ts';
import type { Logger } from '../lib/logger.ts';
import { anonymizePayload } from '../donations/anonymize.ts';
import type { Database } from '../database/database.ts';
import type { OutboxEvent, Donation, InboundWebhookRow, Tables } from '../database/schema.ts';
import { getDisputeStatus } from '../reporting/ledger-entries.ts';
import { findReferences } from '../donations/reference.ts';
import { mentionsEmail } from './match-email.ts';
import { findNotesMentioning } from './redact-notes.ts';

/** Whose data is deleted. */
export interface DonorErasure {
  readonly organization: string;
  /** Absent where only time has passed. */
  readonly email?: string | undefined;
  /** Of the gifts whose donor is forgotten. */
  readonly references: readonly string[];
  readonly webhooks: WebhookMentions;
  /** Who deletes it. */
  readonly by: string;
  readonly at: number;
}

/** Deletes from one table what names a donor. */
type EraseFromTable = (transaction: Transaction<Tables>, forgotten: DonorErasure) => Promise<void>;

/**
 * The amounts, references, states, dates and projects stay, for the books; so does the hash of the
 * idempotency key, which says nothing of anybody: without it, a late repetition of the request
 * would be charged as a new gift.
 */
async function eraseFromDonations(
  transaction: Transaction<Tables>,
  { references, by, at }: DonorErasure,
): Promise<void> {
  for (const reference of references) {
    const { payload } = await transaction
      .selectFrom('donations')
      .select('payload')
      .where('reference', '=', reference)
      .executeTakeFirstOrThrow();
    await transaction
      .updateTable('donations')
      .set({
        payload: JSON.stringify(anonymizePayload(payload)),
        fingerprint: '',
        last_error: null,
        redacted_at: at,
        redacted_by: by,
      })
      .where('reference', '=', reference)
      .execute();
  }
}

/**
 * What a platform said of a refusal may quote what it was sent. Of a change that does not wait, the
 * words are the server's own.
 */
async function eraseFromOutbox(
  transaction: Transaction<Tables>,
  { references }: DonorErasure,
): Promise<void> {
  if (references.length === 0) return;
  await transaction
    .updateTable('outbox')
    .set({ last_error: null })
    .where((build) =>
      build.or([build('reference', 'in', references), build('parent_reference', 'in', references)]),
    )
    .where((build) =>
      build.or([build('status', '=', 'pending'), build('kind', 'in', ['donation', 'renewal'])]),
    )
    .execute();
}

/**
 * What platforms sent, as it came: whatever names the donor's address or one of the gifts goes
 * whole.
 */
async function eraseFromInboundWebhooks(
  transaction: Transaction<Tables>,
  { webhooks: { byEmail, byReference }, references }: DonorErasure,
): Promise<void> {
  const ids = new Set([
    ...byEmail,
    ...references.flatMap((reference) => byReference.get(reference) ?? []),
  ]);
  for (const id of ids)
    await transaction.deleteFrom('inbound_webhooks').where('id', '=', id).execute();
}

/**
 * What people wrote when they decided something of these gifts, and of others where they named the
 * address. Who decided what and when stays.
 */
async function eraseFromReviewDecisions(
  transaction: Transaction<Tables>,
  { organization, email, references }: DonorErasure,
): Promise<void> {
  if (references.length > 0)
    await transaction
      .updateTable('review_decisions')
      .set({ note: '' })
      .where('reference', 'in', references)
      .execute();
  if (email === undefined) return;
  const { ofDecisions } = await findNotesMentioning(transaction, organization, email);
  for (const { id } of ofDecisions)
    await transaction
      .updateTable('review_decisions')
      .set({ note: '' })
      .where('id', '=', id)
      .execute();
}

/** Why an organisation was paused stays, but where it names the address. */
async function eraseFromPauses(
  transaction: Transaction<Tables>,
  { organization, email }: DonorErasure,
): Promise<void> {
  if (email === undefined) return;
  const { ofPauses } = await findNotesMentioning(transaction, organization, email);
  for (const { id } of ofPauses)
    await transaction
      .updateTable('pauses')
      .set({ note: '', resume_note: null })
      .where('id', '=', id)
      .execute();
}

/** What was to be shown after a press may quote what a platform said. */
async function eraseFromAdminSessions(
  transaction: Transaction<Tables>,
  { email, references }: DonorErasure,
): Promise<void> {
  const sessions = await transaction
    .selectFrom('admin_sessions')
    .select(['id', 'notice'])
    .where('notice', 'is not', null)
    .execute();
  const known = new Set(references);
  for (const { id, notice } of sessions)
    if (mentionsDonor(notice!, email, known))
      await transaction
        .updateTable('admin_sessions')
        .set({ notice: null })
        .where('id', '=', id)
        .execute();
}

/** By table, each once. */
const ERASE_BY_TABLE: Readonly<Record<keyof Tables, EraseFromTable | 'nothing of donors'>> = {
  donations: eraseFromDonations,
  outbox: eraseFromOutbox,
  inbound_webhooks: eraseFromInboundWebhooks,
  review_decisions: eraseFromReviewDecisions,
  pauses: eraseFromPauses,
  admin_sessions: eraseFromAdminSessions,
  // Hashes under a secret that is deleted after two days; each is deleted itself minutes after it
  // was counted last.
  rate_limits: 'nothing of donors',
  daily_secrets: 'nothing of donors',
  // A message is made when it is sent, from what is kept of its gift then.
  webhook_messages: 'nothing of donors',
  api_quotas: 'nothing of donors',
  ignored_setting_stats: 'nothing of donors',
  jobs: 'nothing of donors',
  health_probes: 'nothing of donors',
  archived_assets: 'nothing of donors',
};

const PAGE = 50;

/**
 * The webhooks of an organisation's platform that name an address or one of these gifts, the oldest
 * first.
 */
export async function* listWebhooksMentioning(
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
  const known = new Set(references);
  for await (const row of listInboundWebhooks(db, organization))
    if (mentionsDonor(row.body, email, known) || mentionsDonor(row.last_error ?? '', email, known))
      yield row;
}

/** The ids of the webhooks of an organisation's platform, by what they name. */
export interface WebhookMentions {
  readonly byEmail: readonly string[];
  /** A renewal's stand under its first gift. */
  readonly byReference: ReadonlyMap<string, readonly string[]>;
}

/**
 * Reads all that an organisation's platform told, for deletions, whose transaction would stop
 * everybody else for as long.
 */
export async function indexWebhookMentions(
  db: Kysely<Tables>,
  organization: string,
  email?: string,
): Promise<WebhookMentions> {
  const byEmail: string[] = [];
  const byReference = new Map<string, string[]>();
  for await (const { id, body, last_error: problem } of listInboundWebhooks(db, organization)) {
    const texts = [body, problem ?? ''];
    if (email !== undefined && texts.some((text) => mentionsEmail(text, email))) byEmail.push(id);
    for (const reference of new Set(texts.flatMap(findReferences))) {
      const ids = byReference.get(reference);
      if (ids) ids.push(id);
      else byReference.set(reference, [id]);
    }
  }
  return { byEmail, byReference };
}

async function* listInboundWebhooks(
  db: Kysely<Tables>,
  organization: string,
): AsyncGenerator<InboundWebhookRow> {
  for (let last: InboundWebhookRow | undefined; ;) {
    let page = db
      .selectFrom('inbound_webhooks')
      .selectAll()
      .where('organization', '=', organization);
    if (last)
      page = page
        .where('received_at', '>=', last.received_at)
        .where((build) =>
          build.or([build('received_at', '>', last!.received_at), build('id', '>', last!.id)]),
        );
    const rows = await page.orderBy('received_at').orderBy('id').limit(PAGE).execute();
    yield* rows;
    if (rows.length < PAGE) return;
    last = rows.at(-1);
    await setImmediate();
  }
}

function mentionsDonor(
  text: string,
  email: string | undefined,
  references: ReadonlySet<string>,
): boolean {
  return (
    (email !== undefined && mentionsEmail(text, email)) ||
    findReferences(text).some((reference) => references.has(reference))
  );
}

/** Why a donor's data is still needed, and what to do. */
export interface RetainedDonation {
  readonly reference: string;
  readonly why: string;
}

/**
 * @param events of the gift and of its renewals.
 * @returns why what names its donor cannot be deleted yet; `undefined` where it can.
 */
export function explainRetention(
  {
    reference,
    status,
    payment_id: paymentId,
    subscription_id: subscription,
    subscription_status: recurring,
  }: Pick<
    Donation,
    'reference' | 'status' | 'payment_id' | 'subscription_id' | 'subscription_status'
  >,
  events: readonly OutboxEvent[],
): string | undefined {
  if (status === 'unconfirmed' || status === 'requires_action')
    return 'its payment is under way. Ask again in two hours.';
  // Of a promise nobody knows when it ends; its payment has its own reference.
  if (status === 'processing' && paymentId !== reference)
    return 'its money is still on its way, such as a bank debit. Ask again when it has arrived or failed.';
  if (status === 'needs_review')
    return 'a person has to find out whether it was paid: donation-form donations review. Decide that first.';
  const unrecorded = events.find(
    (event) =>
      (event.kind === 'donation' || event.kind === 'renewal') && event.status !== 'delivered',
  );
  if (unrecorded?.status === 'pending')
    return `${unrecorded.reference} is still to be recorded at the platform. Ask again when it is.`;
  if (unrecorded)
    return `${unrecorded.reference} has to be entered at the platform by a person: donation-form donations review. Do that first.`;
  if (subscription !== null && recurring !== 'cancelled' && status !== 'failed')
    return 'it is a recurring gift that goes on. End it at the processor first; its next renewal would need the donor.';
  if (getDisputeStatus(events) === 'open')
    return 'a dispute of it is open, and the bank asks who gave. Ask again when it has ended.';
  return undefined;
}

/**
 * Deletes what names the donor of gifts, but for those of which it is still needed, in one
 * transaction.
 * @param isDue whether time has come for a gift that is not needed any more.
 * @returns the references that were deleted from, and why others were not.
 */
export async function eraseDonors(
  { writer, isShared }: Database,
  forgotten: DonorErasure,
  isDue: (row: Donation, events: readonly OutboxEvent[]) => boolean = () => true,
): Promise<{ readonly deleted: readonly string[]; readonly needed: readonly RetainedDonation[] }> {
  return writer.write(async (transaction) => {
    const deleted: string[] = [];
    const needed: RetainedDonation[] = [];
    const { references } = forgotten;
    // In the order in which the outbox locks: events before gifts.
    if (isShared && references.length > 0)
      await transaction
        .selectFrom('outbox')
        .select('id')
        .where((build) =>
          build.or([
            build('reference', 'in', references),
            build('parent_reference', 'in', references),
          ]),
        )
        .orderBy('created_at')
        .orderBy('id')
        .forUpdate()
        .execute();
    for (const reference of references) {
      const gift = transaction
        .selectFrom('donations')
        .selectAll()
        .where('reference', '=', reference)
        .where('redacted_at', 'is', null);
      const row = await (isShared ? gift.forUpdate() : gift).executeTakeFirst();
      if (!row) continue;
      const events = await transaction
        .selectFrom('outbox')
        .selectAll()
        .where((build) =>
          build.or([build('reference', '=', reference), build('parent_reference', '=', reference)]),
        )
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      const why = explainRetention(row, events);
      if (why !== undefined) needed.push({ reference, why });
      else if (isDue(row, events)) deleted.push(reference);
    }
    for (const forgetIn of Object.values(ERASE_BY_TABLE))
      if (forgetIn !== 'nothing of donors')
        await forgetIn(transaction, { ...forgotten, references: deleted });
    return { deleted, needed };
  });
}

/**
 * Removes what was deleted from SQLite's write-ahead log, where it would stay until newer writes
 * replace it. Logs a failure: the data is deleted from the tables all the same.
 */
export async function clearDeletedData({ clearLog }: Database, log: Logger): Promise<void> {
  try {
    if (!clearLog || (await clearLog())) return;
    log.warn(
      'deleted data is still in the write-ahead log, because another program reads the database; ' +
        'close that program and restart the server',
    );
  } catch (error) {
    log.warn(describeError(error), 'deleted data is still in the write-ahead log');
  }
}
