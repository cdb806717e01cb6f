import type { Transaction } from 'kysely';
import { describeError } from '../lib/describe-error.ts';
import type { Logger } from '../lib/logger.ts';
import { omitDonorData } from '../donations/omit-donor-data.ts';
import type { Database } from '../database/database.ts';
import type { OutboxEntry, Donation, Tables } from '../database/schema.ts';
import { getDisputeStatus } from '../donations/refunds-and-disputes.ts';
import { mentionsDonor, type WebhookMentions } from './webhook-mentions.ts';
import { isGiftCreation } from '../donations/review-options.ts';
import { findNotesMentioning } from './find-notes.ts';

/** Selection of the donor data to delete. */
export interface DonorDataToDelete {
  readonly organization: string;
  /** The donor's email. Undefined if the data is deleted because the retention period expired. */
  readonly email?: string | undefined;
  /** References of the donations from which to delete donor data. */
  readonly references: readonly string[];
  readonly webhooks: WebhookMentions;
  /** The person who deletes the data, or `retention` if the retention period expired. */
  readonly by: string;
  readonly at: number;
}

/** A function that deletes donor data from one table. */
type DeleteDonorFromTable = (
  transaction: Transaction<Tables>,
  dataToDelete: DonorDataToDelete,
) => Promise<void>;

/**
 * Deletes donor data from donations. Keeps amounts, references, statuses, dates, and projects for
 * accounting. Also keeps the hash of the idempotency key, which reveals nothing. Without the hash,
 * the server would charge a late retry of the request as a new donation.
 */
async function deleteDonorFromDonations(
  transaction: Transaction<Tables>,
  { references, by, at }: DonorDataToDelete,
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
        payload: JSON.stringify(omitDonorData(payload)),
        fingerprint: '',
        lastError: null,
        donorDeletedAt: at,
        donorDeletedBy: by,
      })
      .where('reference', '=', reference)
      .execute();
  }
}

/**
 * Deletes errors that may quote donor data sent to the platform. Keeps the errors of updates that
 * are not pending, because they contain only our own texts.
 */
async function deleteDonorFromOutbox(
  transaction: Transaction<Tables>,
  { references }: DonorDataToDelete,
): Promise<void> {
  if (references.length === 0) return;
  await transaction
    .updateTable('outbox')
    .set({ lastError: null })
    .where((build) =>
      build.or([build('reference', 'in', references), build('parentReference', 'in', references)]),
    )
    .where((build) =>
      build.or([build('status', '=', 'pending'), build('kind', 'in', ['donation', 'renewal'])]),
    )
    .execute();
}

/** Deletes inbound webhooks that contain the donor's email or one of the references. */
async function deleteDonorFromInboundWebhooks(
  transaction: Transaction<Tables>,
  { webhooks: { byEmail, byReference }, references }: DonorDataToDelete,
): Promise<void> {
  const ids = new Set([
    ...byEmail,
    ...references.flatMap((reference) => byReference.get(reference) ?? []),
  ]);
  for (const id of ids)
    await transaction.deleteFrom('inboundWebhooks').where('id', '=', id).execute();
}

/**
 * Deletes the notes on decisions about these donations, and other notes that contain the email.
 * Keeps the decisions themselves.
 */
async function deleteDonorFromReviewDecisions(
  transaction: Transaction<Tables>,
  { organization, email, references }: DonorDataToDelete,
): Promise<void> {
  if (references.length > 0)
    await transaction
      .updateTable('reviewDecisions')
      .set({ note: '' })
      .where('reference', 'in', references)
      .execute();
  if (email === undefined) return;
  const { decisionNotes } = await findNotesMentioning(transaction, organization, email);
  for (const { id } of decisionNotes)
    await transaction
      .updateTable('reviewDecisions')
      .set({ note: '' })
      .where('id', '=', id)
      .execute();
}

/** Deletes pause notes that contain the email. */
async function deleteDonorFromPauses(
  transaction: Transaction<Tables>,
  { organization, email }: DonorDataToDelete,
): Promise<void> {
  if (email === undefined) return;
  const { pauseNotes } = await findNotesMentioning(transaction, organization, email);
  for (const { id } of pauseNotes)
    await transaction
      .updateTable('pauses')
      .set({ note: '', resumeNote: null })
      .where('id', '=', id)
      .execute();
}

/** Deletes admin notices that mention the donor, because they may quote a platform's response. */
async function deleteDonorFromAdminSessions(
  transaction: Transaction<Tables>,
  { email, references }: DonorDataToDelete,
): Promise<void> {
  const sessions = await transaction
    .selectFrom('adminSessions')
    .select(['id', 'notice'])
    .where('notice', 'is not', null)
    .execute();
  const deleted = new Set(references);
  for (const { id, notice } of sessions)
    if (mentionsDonor(notice!, email, deleted))
      await transaction
        .updateTable('adminSessions')
        .set({ notice: null })
        .where('id', '=', id)
        .execute();
}

/** Functions that delete donor data, keyed by table, in the order in which they run. */
const DELETE_DONOR_BY_TABLE: Readonly<
  Record<keyof Tables, DeleteDonorFromTable | 'no donor data'>
> = {
  donations: deleteDonorFromDonations,
  outbox: deleteDonorFromOutbox,
  inboundWebhooks: deleteDonorFromInboundWebhooks,
  reviewDecisions: deleteDonorFromReviewDecisions,
  pauses: deleteDonorFromPauses,
  adminSessions: deleteDonorFromAdminSessions,
  // Each key is a hash made with a secret that the server deletes after two days. The counts expire
  // within minutes.
  rateLimits: 'no donor data',
  dailySecrets: 'no donor data',
  // This table has no message contents. The dispatcher builds each message from the stored donation
  // when it sends the message.
  webhookMessages: 'no donor data',
  apiQuotas: 'no donor data',
  ignoredSettingStats: 'no donor data',
  jobs: 'no donor data',
  healthProbes: 'no donor data',
  archivedAssets: 'no donor data',
  alerts: 'no donor data',
  serverInfo: 'no donor data',
};

/** A donation whose donor data is still needed. */
export interface RetainedDonation {
  readonly reference: string;
  /** Reason why the data is still needed, and what to do next. */
  readonly reason: string;
}

/**
 * Explains why a donation's donor data cannot be deleted yet, and what to do next. Returns
 * `undefined` if the data can be deleted.
 * @param events events of the donation and its renewals.
 */
export function getRetentionReason(
  {
    reference,
    status,
    paymentId,
    subscriptionId,
    subscriptionStatus,
  }: Pick<Donation, 'reference' | 'status' | 'paymentId' | 'subscriptionId' | 'subscriptionStatus'>,
  events: readonly OutboxEntry[],
): string | undefined {
  if (status === 'unconfirmed' || status === 'requires_action')
    return 'The payment is in progress. Try again in two hours.';
  // A pledge might never be paid, so its donor data can be deleted before the money arrives. Its
  // payment ID is our own reference.
  if (status === 'processing' && paymentId !== reference)
    return (
      'The money (for example, from a bank debit) has not arrived yet. Try again after the ' +
      'payment has settled or failed.'
    );
  if (status === 'needs_review')
    return (
      'The payment needs review. Resolve it first. To see the possible decisions, run ' +
      `donation-form donations show ${reference}.`
    );
  const unrecorded = events.find((event) => isGiftCreation(event) && event.status !== 'delivered');
  if (unrecorded?.status === 'pending') {
    const wait = `The platform has not recorded ${unrecorded.reference} yet. Try again after the server has sent it.`;
    return unrecorded.lastError === null
      ? wait
      : `${wait} If the platform keeps rejecting it, enter the gift there, then run: ` +
          `donation-form donations resolve ${unrecorded.reference} --decision entered ` +
          '--platform-gift-id <id>.';
  }
  if (unrecorded)
    return (
      `${unrecorded.reference} needs review. Resolve it first. To see the possible decisions, run ` +
      `donation-form donations show ${reference}.`
    );
  if (subscriptionId !== null && subscriptionStatus !== 'canceled' && status !== 'failed')
    return (
      'The recurring donation has not been canceled, and its next renewal requires the donor ' +
      'data. Cancel the recurring donation at the payment provider first.'
    );
  if (getDisputeStatus(events) === 'open')
    return 'A dispute is open, and the bank may ask for donor data. Try again after the dispute is closed.';
  return undefined;
}

/**
 * Deletes the donor data of these donations in one transaction. Skips donations whose data is still
 * needed.
 * @param isDue function that returns false for donations to skip.
 */
export async function deleteDonorData(
  { writer, isShared }: Database,
  dataToDelete: DonorDataToDelete,
  isDue: (row: Donation, events: readonly OutboxEntry[]) => boolean = () => true,
): Promise<{
  readonly deleted: readonly string[];
  readonly retained: readonly RetainedDonation[];
}> {
  return writer.write(async (transaction) => {
    const deleted: string[] = [];
    const retained: RetainedDonation[] = [];
    const { references } = dataToDelete;
    // Locks events before donations, in the same order as the outbox relay, to prevent deadlocks.
    if (isShared && references.length > 0)
      await transaction
        .selectFrom('outbox')
        .select('id')
        .where((build) =>
          build.or([
            build('reference', 'in', references),
            build('parentReference', 'in', references),
          ]),
        )
        .orderBy('createdAt')
        .orderBy('id')
        .forUpdate()
        .execute();
    for (const reference of references) {
      const query = transaction
        .selectFrom('donations')
        .selectAll()
        .where('reference', '=', reference)
        .where('donorDeletedAt', 'is', null);
      const row = await (isShared ? query.forUpdate() : query).executeTakeFirst();
      if (!row) continue;
      const events = await transaction
        .selectFrom('outbox')
        .selectAll()
        .where((build) =>
          build.or([build('reference', '=', reference), build('parentReference', '=', reference)]),
        )
        .orderBy('createdAt')
        .orderBy('id')
        .execute();
      const reason = getRetentionReason(row, events);
      if (reason !== undefined) retained.push({ reference, reason });
      else if (isDue(row, events)) deleted.push(reference);
    }
    for (const deleteDonorFromTable of Object.values(DELETE_DONOR_BY_TABLE))
      if (deleteDonorFromTable !== 'no donor data')
        await deleteDonorFromTable(transaction, { ...dataToDelete, references: deleted });
    return { deleted, retained };
  });
}

/**
 * Removes deleted data from SQLite's write-ahead log, which would otherwise contain the data until
 * newer writes replace it. Only logs a failure, because the data is already deleted from the
 * tables.
 */
export async function removeDeletedDataFromWriteAheadLog(
  { clearWriteAheadLog }: Database,
  log: Logger,
): Promise<void> {
  try {
    if (!clearWriteAheadLog || (await clearWriteAheadLog())) return;
    log.warn(
      'deleted data is still in the write-ahead log because another program is reading the ' +
        'database; close that program and restart the server',
    );
  } catch (error) {
    log.warn(describeError(error), 'cannot remove deleted data from the write-ahead log');
  }
}
