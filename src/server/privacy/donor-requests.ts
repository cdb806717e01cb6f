import type { Database, ServerBase } from '../database/database.ts';
import type { AppliedDecision, Donation, OutboxEntry } from '../database/schema.ts';
import { deleteNotifyEmail } from '../donations/delete-notify-email.ts';
import { findDonorKey } from '../donations/donor-index.ts';
import { selectEvents } from '../donations/outbox-entries.ts';
import { isSameEmail } from '../lib/normalize-email.ts';
import { ALL_TIME } from '../lib/period.ts';
import { findBlockedRecipient } from '../mail/blocked-recipients.ts';
import { listMailIds } from '../mail/mail-queue.ts';
import { formatReceiptNumber } from '../receipts/receipt-number.ts';
import { iterateListPages } from '../reporting/iterate-pages.ts';
import { deleteDonorData, removeDeletedDataFromWriteAheadLog } from './delete-donor-data.ts';
import { findNotesMentioning } from './find-notes.ts';
import { indexWebhookMentions, listWebhooksMentioning } from './webhook-mentions.ts';

export type DonorRecord = Awaited<ReturnType<typeof exportDonor>>;
export type DonorDeletion = Awaited<ReturnType<typeof deleteDonor>>;

interface Donor {
  /** ID of the organization. */
  readonly organization: string;
  readonly email: string;
}

export async function exportDonor({ organization, email }: Donor, { database }: ServerBase) {
  const { db } = database;
  const { own, tributes } = await listDonationsMentioning(database, organization, email);
  const donations: object[] = [];
  const exportedDecisions = new Set<string>();
  const references = own.map(({ reference }) => reference);
  const webhooks = await listWebhooksMentioning(db, organization, email, references);
  for (const row of own) {
    const events = await selectEvents(db, [row.reference]).execute();
    const decisions = await db
      .selectFrom('reviewDecisions')
      .selectAll()
      .where('reference', '=', row.reference)
      .orderBy('decidedAt')
      .orderBy('id')
      .execute();
    const messages = await db
      .selectFrom('mailMessages')
      .select(['kind', 'status', 'lastError', 'createdAt'])
      .where('id', 'in', await listMailIds(db, events))
      .execute();
    const receipts = await exportReceipts(db, [
      row.reference,
      ...events.map(({ reference }) => reference),
    ]);
    donations.push({ ...toDonationExport(row, events, decisions), messages, receipts });
    for (const { id } of decisions) exportedDecisions.add(id);
  }
  const { decisionNotes, pauseNotes } = await findNotesMentioning(db, organization, email);
  const key = database.donorKeys.createRecipientKey(organization, email);
  const tributeMessages = await db
    .selectFrom('mailMessages')
    .select(['status', 'lastError', 'createdAt'])
    .where((build) => build.and({ organization, recipientKey: key, kind: 'tribute' }))
    .execute();
  const blocked = await findBlockedRecipient(db, organization, key);
  return {
    email,
    organization,
    /** With donor, tracking, consents, custom fields, page, events, and decisions. */
    donations,
    tributeNotifications: tributes.map(({ reference, createdAt: at, payload }) => ({
      reference,
      createdAt: new Date(at).toISOString(),
      tribute: payload.gift.tribute,
    })),
    /** Messages about donations by others, whose tribute email may be deleted. */
    tributeMessages,
    /** Why the server sends no mail to this email. */
    blocked: blocked ? { reason: blocked.reason, createdAt: blocked.createdAt } : null,
    inboundWebhooks: webhooks.map(({ source, receivedAt: at, body, lastError }) => ({
      source,
      receivedAt: new Date(at).toISOString(),
      body,
      lastError,
    })),
    notes: [...decisionNotes.filter(({ id }) => !exportedDecisions.has(id)), ...pauseNotes].map(
      ({ at, text }) => ({ writtenAt: new Date(at).toISOString(), text }),
    ),
  };
}

async function exportReceipts(
  db: Database['db'],
  references: readonly string[],
): Promise<readonly object[]> {
  const receipts = await db
    .selectFrom('receipts')
    .selectAll()
    .where('reference', 'in', references)
    .where('number', 'is not', null)
    .orderBy('issuedAt')
    .orderBy('number')
    .execute();
  return receipts.map((receipt) => ({
    number: formatReceiptNumber(receipt),
    reference: receipt.reference,
    status: receipt.status,
    issuedAt: new Date(receipt.issuedAt!).toISOString(),
    template: receipt.template,
    ...receipt.payload,
  }));
}

interface DeletionRequest extends Donor {
  /** Person who deletes the data, stored with the donations. */
  readonly by: string;
}

export async function deleteDonor(
  { organization, email, by }: DeletionRequest,
  { database, log, now }: ServerBase,
) {
  const { own, tributes } = await listDonationsMentioning(database, organization, email);
  const result = await deleteDonorData(database, {
    organization,
    email,
    references: own.map(({ reference }) => reference),
    webhooks: await indexWebhookMentions(database.db, organization, email),
    by,
    at: now(),
  });
  await database.writer.write(async (transaction) => {
    for (const { reference } of tributes) await deleteNotifyEmail(transaction, reference);
    await transaction
      .updateTable('mailMessages')
      .set({ recipientKey: null })
      .where((build) =>
        build.and({
          organization,
          recipientKey: database.donorKeys.createRecipientKey(organization, email),
        }),
      )
      .execute();
  });
  await removeDeletedDataFromWriteAheadLog(database, log);
  const notifyEmailRemoved = tributes.map(({ reference }) => reference);
  log.info(
    {
      organization,
      deleted: result.deleted,
      notifyEmailRemoved,
      retained: result.retained.map(({ reference }) => reference),
    },
    'donor data deleted on request',
  );
  return {
    ...result,
    /** Donations by others whose tribute notification went to this email. */
    notifyEmailRemoved,
  };
}

async function listDonationsMentioning(database: Database, organization: string, email: string) {
  const own = new Map<string, Donation>();
  const tributes = new Map<string, Donation>();
  const key = await findDonorKey(database, organization, email);
  const parts = key === undefined ? [{}] : [{ donorKey: key }, { notifyKey: key }];
  for (const part of parts) {
    const options = { organization, period: ALL_TIME, ...part };
    for await (const page of iterateListPages(database.db, 'donationsWithDonorData', options))
      for (const row of page) {
        const { donor, gift } = row.payload;
        if (isSameEmail(donor.email, email)) own.set(row.reference, row);
        else if (isSameEmail(gift.tribute?.notifyEmail, email)) tributes.set(row.reference, row);
      }
  }
  return { own: [...own.values()], tributes: [...tributes.values()] };
}

function toDonationExport(
  row: Donation,
  events: readonly OutboxEntry[],
  decisions: readonly AppliedDecision[],
): object {
  return {
    reference: row.reference,
    status: row.status,
    createdAt: new Date(row.createdAt).toISOString(),
    paymentId: row.paymentId,
    subscriptionId: row.subscriptionId,
    subscriptionStatus: row.subscriptionStatus,
    paymentMethod: row.paymentMethod,
    failureReason: row.failureReason,
    platformId: row.platformGiftId,
    lastError: row.lastError,
    ...row.payload,
    events: events.map((event) => ({
      kind: event.kind,
      reference: event.reference,
      status: event.status,
      paymentId: event.paymentId,
      platformId: event.platformGiftId,
      lastError: event.lastError,
      createdAt: new Date(event.createdAt).toISOString(),
      ...event.payload,
    })),
    decisions: decisions.map(({ decidedAt: at, decision, event, note }) => ({
      decidedAt: new Date(at).toISOString(),
      decision,
      event,
      note,
    })),
  };
}
