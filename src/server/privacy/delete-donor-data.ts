import type { Transaction } from 'kysely';
import type { Database } from '../database/database.ts';
import { NEVER } from '../database/database-clock.ts';
import type { Donation, OutboxEntry, Tables } from '../database/schema.ts';
import { omitDonorData } from '../donations/omit-donor-data.ts';
import { DONOR_DELETED, selectEvents } from '../donations/outbox-entries.ts';
import { getDisputeStatus } from '../donations/refunds-and-disputes.ts';
import { isGiftCreation } from '../donations/review-options.ts';
import { describeError } from '../lib/describe-error.ts';
import type { Logger } from '../lib/logger.ts';
import { listMailIds } from '../mail/mail-queue.ts';
import { eraseReceipts } from '../receipts/erase-receipts.ts';
import { findNotesMentioning } from './find-notes.ts';
import { mustKeepGiftAidRecord } from './gift-aid-records.ts';
import { mentionsDonor, type WebhookMentions } from './webhook-mentions.ts';

export interface DonorDataToDelete {
  readonly organization: string;
  /** Undefined if the retention period expired. */
  readonly email?: string | undefined;
  readonly references: readonly string[];
  readonly webhooks: WebhookMentions;
  /** The person who deletes the data, or `retention`. */
  readonly by: string;
  readonly at: number;
}

type DeleteDonorFromTable = (
  transaction: Transaction<Tables>,
  dataToDelete: DonorDataToDelete,
) => Promise<void>;

const DELETE_DONOR_BY_TABLE: Readonly<
  Record<keyof Tables, DeleteDonorFromTable | 'no donor data'>
> = {
  /**
   * Keeps amounts, references, statuses, dates, projects, and Gift Aid records for accounting. Also keeps the hash of
   * the idempotency key, without which a late retry of the request would be charged as a new
   * donation.
   */
  async donations(transaction, { references, by, at }) {
    for (const reference of references) {
      const donation = await transaction
        .selectFrom('donations')
        .selectAll()
        .where('reference', '=', reference)
        .executeTakeFirstOrThrow();
      const { giftAid, ...payload } = donation.payload;
      const keepsGiftAid = await mustKeepGiftAidRecord(transaction, donation, at);
      await transaction
        .updateTable('donations')
        .set({
          payload: JSON.stringify(omitDonorData(keepsGiftAid ? { ...payload, giftAid } : payload)),
          fingerprint: '',
          lastError: null,
          donorKey: null,
          notifyKey: null,
          donorDeletedAt: at,
          donorDeletedBy: by,
        })
        .where('reference', '=', reference)
        .execute();
    }
  },
  /** Errors of updates that are not pending contain only our own texts. */
  async outbox(transaction, { references }) {
    if (references.length === 0) return;
    await transaction
      .updateTable('outbox')
      .set({ lastError: null })
      .where((build) =>
        build.or([
          build('reference', 'in', references),
          build('parentReference', 'in', references),
        ]),
      )
      .where((build) =>
        build.or([build('status', '=', 'pending'), build('kind', 'in', ['donation', 'renewal'])]),
      )
      .execute();
  },
  /** Deletes inbound webhooks that contain the email or one of the references. */
  async inboundWebhooks(transaction, { webhooks: { byEmail, byReference }, references }) {
    const ids = new Set([
      ...byEmail,
      ...references.flatMap((reference) => byReference.get(reference) ?? []),
    ]);
    for (const id of ids)
      await transaction.deleteFrom('inboundWebhooks').where('id', '=', id).execute();
  },
  /** Deletes the notes on decisions about these donations, and other notes that contain the email. */
  async reviewDecisions(transaction, { organization, email, references }) {
    if (references.length > 0)
      await transaction
        .updateTable('reviewDecisions')
        .set({ note: '' })
        .where('reference', 'in', references)
        .execute();
    if (email === undefined) return;
    const { decisionNotes } = await findNotesMentioning(transaction, organization, email);
    const decisions = transaction.updateTable('reviewDecisions').set({ note: '' });
    for (const { id } of decisionNotes) await decisions.where('id', '=', id).execute();
  },
  async pauses(transaction, { organization, email }) {
    if (email === undefined) return;
    const { pauseNotes } = await findNotesMentioning(transaction, organization, email);
    const pauses = transaction.updateTable('pauses').set({ note: '', resumeNote: null });
    for (const { id } of pauseNotes) await pauses.where('id', '=', id).execute();
  },
  /** Admin notices may quote a platform's response. */
  async adminSessions(transaction, { email, references }) {
    const sessions = await transaction
      .selectFrom('adminSessions')
      .select(['id', 'notice'])
      .where('notice', 'is not', null)
      .execute();
    const deleted = new Set(references);
    const withoutNotice = transaction.updateTable('adminSessions').set({ notice: null });
    for (const { id, notice } of sessions)
      if (mentionsDonor(notice!, email, deleted))
        await withoutNotice.where('id', '=', id).execute();
  },
  // Keys are hashes made with a secret that the server deletes after two days.
  rateLimits: 'no donor data',
  dailySecrets: 'no donor data',
  /** Cancels messages that are not sent yet. The SMTP server's answer may name the donor. */
  async mailMessages(transaction, { references }) {
    if (references.length === 0) return;
    const events = await selectEvents(transaction, references).execute();
    if (events.length === 0) return;
    const ids = await listMailIds(transaction, events);
    const messages = transaction.updateTable('mailMessages').where('id', 'in', ids);
    await messages.set({ recipientKey: null }).execute();
    await messages.set({ lastError: null }).where('status', 'in', ['sent', 'failed']).execute();
    await messages
      .set({ status: 'canceled', lastError: DONOR_DELETED, nextRunAt: NEVER })
      .where('status', '=', 'pending')
      .execute();
  },
  // Keys are hashes, and must stay, so that the server sends these people no mail again.
  blockedRecipients: 'no donor data',
  /** Tax receipts keep the donor for the organization's `keepYears`. */
  async receipts(transaction, { references }) {
    if (references.length === 0) return;
    const events = await selectEvents(transaction, references).execute();
    const receipts = await transaction
      .selectFrom('receipts')
      .selectAll()
      .where('reference', 'in', [...references, ...events.map(({ reference }) => reference)])
      .execute();
    await eraseReceipts(
      transaction,
      receipts.filter(({ keepUntil }) => keepUntil === null),
    );
  },
  // Deleted with the donor data of their receipts.
  receiptFiles: 'no donor data',
  receiptSeries: 'no donor data',
  giftAidCancellations: 'no donor data',
  // The dispatcher builds each message from the stored donation when it sends it.
  webhookMessages: 'no donor data',
  apiQuotas: 'no donor data',
  ignoredSettingStats: 'no donor data',
  jobs: 'no donor data',
  healthProbes: 'no donor data',
  archivedAssets: 'no donor data',
  alerts: 'no donor data',
  mailPauses: 'no donor data',
  serverInfo: 'no donor data',
  staffPeople: 'no donor data',
  staffRoles: 'no donor data',
  staffPasskeys: 'no donor data',
  staffIdentities: 'no donor data',
  oneTimeTokens: 'no donor data',
  apiTokens: 'no donor data',
  auditEntries: 'no donor data',
};

/** Explains why donor data cannot be deleted yet. @param events events including the renewals'. */
export function getRetentionReason(
  donation: Pick<
    Donation,
    'reference' | 'status' | 'paymentId' | 'subscriptionId' | 'subscriptionStatus'
  >,
  events: readonly OutboxEntry[],
): string | undefined {
  const { reference, status, paymentId, subscriptionId, subscriptionStatus } = donation;
  if (status === 'unconfirmed' || status === 'requires_action')
    return 'The payment is in progress. Try again in two hours.';
  // A pledge might never be paid. Its payment ID is our own reference.
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

/** @param isDue returns false for donations to skip. */
export async function deleteDonorData(
  { writer, isShared }: Database,
  dataToDelete: DonorDataToDelete,
  isDue: (row: Donation, events: readonly OutboxEntry[]) => boolean = () => true,
) {
  return writer.write(async (transaction) => {
    const deleted: string[] = [];
    const retained: { readonly reference: string; readonly reason: string }[] = [];
    const { references } = dataToDelete;
    // Locks events before donations, in the same order as the outbox relay, to prevent deadlocks.
    if (isShared && references.length > 0)
      await selectEvents(transaction, references).forUpdate().execute();
    for (const reference of references) {
      const row = await transaction
        .selectFrom('donations')
        .selectAll()
        .where('reference', '=', reference)
        .where('donorDeletedAt', 'is', null)
        .$if(isShared, (query) => query.forUpdate())
        .executeTakeFirst();
      if (!row) continue;
      const events = await selectEvents(transaction, [reference]).execute();
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

/** Otherwise, SQLite's log would contain the data until newer writes replace it. */
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
