import { setImmediate } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import { anonymize } from '../donations/anonymize.ts';
import type { Database } from '../database/database.ts';
import type { EventRow, Donation, PlatformWebhookRow, Tables } from '../database/schema.ts';
import { disputeOf } from '../reporting/ledger-entries.ts';
import { referencesIn } from '../donations/reference.ts';
import { mentions } from './match-email.ts';
import { notesNaming } from './redact-notes.ts';

/** Whose data is deleted. */
export interface Forgotten {
  readonly organization: string;
  /** Absent where only time has passed. */
  readonly email?: string | undefined;
  /** Of the gifts whose donor is forgotten. */
  readonly references: readonly string[];
  readonly webhooks: NamingWebhooks;
  /** Who deletes it. */
  readonly by: string;
  readonly at: number;
}

/** Deletes from one table what names a donor. */
type ForgetIn = (transaction: Transaction<Tables>, forgotten: Forgotten) => Promise<void>;

/**
 * The amounts, references, states, dates and projects stay, for the books; so does the hash of the
 * idempotency key, which says nothing of anybody: without it, a late repetition of the request
 * would be charged as a new gift.
 */
async function forgetInGifts(
  transaction: Transaction<Tables>,
  { references, by, at }: Forgotten,
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
        payload: JSON.stringify(anonymize(payload)),
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
async function forgetInEvents(
  transaction: Transaction<Tables>,
  { references }: Forgotten,
): Promise<void> {
  if (references.length === 0) return;
  await transaction
    .updateTable('outbox')
    .set({ last_error: null })
    .where((build) =>
      build.or([build('reference', 'in', references), build('parent', 'in', references)]),
    )
    .where((build) =>
      build.or([build('state', '=', 'waiting'), build('kind', 'in', ['gift', 'renewal'])]),
    )
    .execute();
}

/**
 * What platforms sent, as it came: whatever names the donor's address or one of the gifts goes
 * whole.
 */
async function forgetInPlatformWebhooks(
  transaction: Transaction<Tables>,
  { webhooks: { byEmail, byReference }, references }: Forgotten,
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
async function forgetInResolutions(
  transaction: Transaction<Tables>,
  { organization, email, references }: Forgotten,
): Promise<void> {
  if (references.length > 0)
    await transaction
      .updateTable('review_decisions')
      .set({ note: '' })
      .where('gift', 'in', references)
      .execute();
  if (email === undefined) return;
  const { ofDecisions } = await notesNaming(transaction, organization, email);
  for (const { id } of ofDecisions)
    await transaction
      .updateTable('review_decisions')
      .set({ note: '' })
      .where('id', '=', id)
      .execute();
}

/** Why an organisation was paused stays, but where it names the address. */
async function forgetInPauses(
  transaction: Transaction<Tables>,
  { organization, email }: Forgotten,
): Promise<void> {
  if (email === undefined) return;
  const { ofPauses } = await notesNaming(transaction, organization, email);
  for (const { id } of ofPauses)
    await transaction
      .updateTable('pauses')
      .set({ note: '', resume_note: null })
      .where('id', '=', id)
      .execute();
}

/** What was to be shown after a press may quote what a platform said. */
async function forgetInOperatorSessions(
  transaction: Transaction<Tables>,
  { email, references }: Forgotten,
): Promise<void> {
  const sessions = await transaction
    .selectFrom('admin_sessions')
    .select(['id', 'notice'])
    .where('notice', 'is not', null)
    .execute();
  const known = new Set(references);
  for (const { id, notice } of sessions)
    if (isAbout(notice!, email, known))
      await transaction
        .updateTable('admin_sessions')
        .set({ notice: null })
        .where('id', '=', id)
        .execute();
}

/** By table, each once. */
const FORGET_IN: Readonly<Record<keyof Tables, ForgetIn | 'nothing of donors'>> = {
  donations: forgetInGifts,
  outbox: forgetInEvents,
  inbound_webhooks: forgetInPlatformWebhooks,
  review_decisions: forgetInResolutions,
  pauses: forgetInPauses,
  admin_sessions: forgetInOperatorSessions,
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
export async function* webhooksAbout(
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
): AsyncGenerator<PlatformWebhookRow> {
  const known = new Set(references);
  for await (const row of webhooksOf(db, organization))
    if (isAbout(row.body, email, known) || isAbout(row.last_error ?? '', email, known)) yield row;
}

/** The ids of the webhooks of an organisation's platform, by what they name. */
export interface NamingWebhooks {
  readonly byEmail: readonly string[];
  /** A renewal's stand under its first gift. */
  readonly byReference: ReadonlyMap<string, readonly string[]>;
}

/**
 * Reads all that an organisation's platform told, for deletions, whose transaction would stop
 * everybody else for as long.
 */
export async function readWebhooks(
  db: Kysely<Tables>,
  organization: string,
  email?: string,
): Promise<NamingWebhooks> {
  const byEmail: string[] = [];
  const byReference = new Map<string, string[]>();
  for await (const { id, body, last_error: problem } of webhooksOf(db, organization)) {
    const texts = [body, problem ?? ''];
    if (email !== undefined && texts.some((text) => mentions(text, email))) byEmail.push(id);
    for (const reference of new Set(texts.flatMap(referencesIn))) {
      const ids = byReference.get(reference);
      if (ids) ids.push(id);
      else byReference.set(reference, [id]);
    }
  }
  return { byEmail, byReference };
}

async function* webhooksOf(
  db: Kysely<Tables>,
  organization: string,
): AsyncGenerator<PlatformWebhookRow> {
  for (let last: PlatformWebhookRow | undefined; ;) {
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

function isAbout(
  text: string,
  email: string | undefined,
  references: ReadonlySet<string>,
): boolean {
  return (
    (email !== undefined && mentions(text, email)) ||
    referencesIn(text).some((reference) => references.has(reference))
  );
}

/** Why a donor's data is still needed, and what to do. */
export interface Needed {
  readonly reference: string;
  readonly why: string;
}

/**
 * @param events of the gift and of its renewals.
 * @returns why what names its donor cannot be deleted yet; `undefined` where it can.
 */
export function neededFor(
  {
    reference,
    state,
    payment_id: paymentId,
    subscription_id: subscription,
    subscription_status: recurring,
  }: Pick<
    Donation,
    'reference' | 'state' | 'payment_id' | 'subscription_id' | 'subscription_status'
  >,
  events: readonly EventRow[],
): string | undefined {
  if (state === 'charging' || state === 'action')
    return 'its payment is under way. Ask again in two hours.';
  // Of a promise nobody knows when it ends; its payment has its own reference.
  if (state === 'pending' && paymentId !== reference)
    return 'its money is still on its way, such as a bank debit. Ask again when it has arrived or failed.';
  if (state === 'held')
    return 'a person has to find out whether it was paid: donation-form gifts by-hand. Decide that first.';
  const unrecorded = events.find(
    (event) => (event.kind === 'gift' || event.kind === 'renewal') && event.state !== 'recorded',
  );
  if (unrecorded?.state === 'waiting')
    return `${unrecorded.reference} is still to be recorded at the platform. Ask again when it is.`;
  if (unrecorded)
    return `${unrecorded.reference} has to be entered at the platform by a person: donation-form gifts by-hand. Do that first.`;
  if (subscription !== null && recurring !== 'cancelled' && state !== 'declined')
    return 'it is a recurring gift that goes on. End it at the processor first; its next renewal would need the donor.';
  if (disputeOf(events) === 'open')
    return 'a dispute of it is open, and the bank asks who gave. Ask again when it has ended.';
  return undefined;
}

/**
 * Deletes what names the donor of gifts, but for those of which it is still needed, in one
 * transaction.
 * @param isDue whether time has come for a gift that is not needed any more.
 * @returns the references that were deleted from, and why others were not.
 */
export async function forget(
  { writer, isShared }: Database,
  forgotten: Forgotten,
  isDue: (row: Donation, events: readonly EventRow[]) => boolean = () => true,
): Promise<{ readonly deleted: readonly string[]; readonly needed: readonly Needed[] }> {
  return writer.write(async (transaction) => {
    const deleted: string[] = [];
    const needed: Needed[] = [];
    const { references } = forgotten;
    // In the order in which the outbox locks: events before gifts.
    if (isShared && references.length > 0)
      await transaction
        .selectFrom('outbox')
        .select('id')
        .where((build) =>
          build.or([build('reference', 'in', references), build('parent', 'in', references)]),
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
          build.or([build('reference', '=', reference), build('parent', '=', reference)]),
        )
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      const why = neededFor(row, events);
      if (why !== undefined) needed.push({ reference, why });
      else if (isDue(row, events)) deleted.push(reference);
    }
    for (const forgetIn of Object.values(FORGET_IN))
      if (forgetIn !== 'nothing of donors')
        await forgetIn(transaction, { ...forgotten, references: deleted });
    return { deleted, needed };
  });
}
