import type { Logger } from '../lib/logger.ts';
import { omitNotifyEmail } from '../donations/omit-donor-data.ts';
import { createFingerprintWithoutNotifyEmail } from '../donations/request-fingerprint.ts';
import type { Database } from '../database/database.ts';
import type {
  OutboxEntry,
  Donation,
  InboundWebhookRow,
  AppliedDecision,
} from '../database/schema.ts';
import { iterateDonationPages } from '../reporting/ledger-entries.ts';
import { isSameEmail } from './match-email.ts';
import {
  removeDeletedDataFromWriteAheadLog,
  deleteDonorData,
  type RetainedDonation,
} from './delete-donor-data.ts';
import { indexWebhookMentions, iterateWebhooksMentioning } from './webhook-mentions.ts';
import { findNotesMentioning } from './find-notes.ts';

export interface DonorRequestsOptions {
  readonly database: Database;
  readonly log: Logger;
  readonly now: () => number;
}

/** All data stored about one person. */
export interface DonorRecord {
  readonly email: string;
  readonly organization: string;
  /**
   * The donor's donations, each with donor, tracking, consents, custom fields, page, events, and
   * decisions.
   */
  readonly donations: readonly object[];
  /** Donations by others whose tribute notification goes to this email. */
  readonly tributeNotifications: readonly object[];
  /** Inbound webhooks that mention the donor, as received. */
  readonly inboundWebhooks: readonly object[];
  /** Admin notes on other donations or on pauses that contain the email. */
  readonly notes: readonly object[];
}

/** Result of deleting a donor's data. */
export interface DonorDeletion {
  readonly deleted: readonly string[];
  /**
   * Donations by others from which this email was removed as the recipient of the tribute
   * notification.
   */
  readonly notifyEmailRemoved: readonly string[];
  readonly retained: readonly RetainedDonation[];
}

/** Exports and deletes a donor's data. */
export class DonorRequests {
  readonly #options: DonorRequestsOptions;

  constructor(options: DonorRequestsOptions) {
    this.#options = options;
  }

  async exportDonor(organization: string, email: string): Promise<DonorRecord> {
    const { db } = this.#options.database;
    const { own, tributes } = await this.#listDonationsMentioning(organization, email);
    const webhooks: InboundWebhookRow[] = [];
    const donations: object[] = [];
    const exportedDecisions = new Set<string>();
    for await (const webhook of iterateWebhooksMentioning(db, {
      organization,
      email,
      references: own.map(({ reference }) => reference),
    }))
      webhooks.push(webhook);
    for (const row of own) {
      const events = await db
        .selectFrom('outbox')
        .selectAll()
        .where((build) =>
          build.or([
            build('reference', '=', row.reference),
            build('parentReference', '=', row.reference),
          ]),
        )
        .orderBy('createdAt')
        .orderBy('id')
        .execute();
      const decisions = await db
        .selectFrom('reviewDecisions')
        .selectAll()
        .where('reference', '=', row.reference)
        .orderBy('decidedAt')
        .orderBy('id')
        .execute();
      donations.push(toDonationExport(row, events, decisions));
      for (const { id } of decisions) exportedDecisions.add(id);
    }
    const { decisionNotes, pauseNotes } = await findNotesMentioning(db, organization, email);
    return {
      email,
      organization,
      donations,
      tributeNotifications: tributes.map(({ reference, createdAt: at, payload }) => ({
        reference,
        createdAt: new Date(at).toISOString(),
        tribute: payload.gift.tribute,
      })),
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

  /** Deletes a donor's data. @param by person who deletes the data, stored with the donations. */
  async deleteDonor(organization: string, email: string, by: string): Promise<DonorDeletion> {
    const { database, log, now } = this.#options;
    const { own, tributes } = await this.#listDonationsMentioning(organization, email);
    const result = await deleteDonorData(database, {
      organization,
      email,
      references: own.map(({ reference }) => reference),
      webhooks: await indexWebhookMentions(database.db, organization, email),
      by,
      at: now(),
    });
    await database.writer.write(async (transaction) => {
      for (const { reference } of tributes) {
        const stored = transaction
          .selectFrom('donations')
          .select('payload')
          .where('reference', '=', reference);
        const { payload: before } = await (
          database.isShared ? stored.forUpdate() : stored
        ).executeTakeFirstOrThrow();
        const payload = { ...before, gift: omitNotifyEmail(before.gift) };
        await transaction
          .updateTable('donations')
          .set({
            payload: JSON.stringify(payload),
            fingerprint: createFingerprintWithoutNotifyEmail(payload),
          })
          .where('reference', '=', reference)
          .execute();
      }
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
    return { ...result, notifyEmailRemoved };
  }

  /**
   * Lists a donor's own donations, and donations by others whose tribute notification goes to the
   * email. Reads all donations, because the database must not have an index of emails.
   */
  async #listDonationsMentioning(
    organization: string,
    email: string,
  ): Promise<{ readonly own: readonly Donation[]; readonly tributes: readonly Donation[] }> {
    const own: Donation[] = [];
    const tributes: Donation[] = [];
    for await (const page of iterateDonationPages(
      this.#options.database.db,
      organization,
      { from: 0, to: Number.MAX_SAFE_INTEGER },
      { withDonorDataOnly: true },
    )) {
      for (const row of page) {
        const { donor, gift } = row.payload;
        if (isSameEmail(donor.email, email)) own.push(row);
        else if (isSameEmail(gift.tribute?.notifyEmail, email)) tributes.push(row);
      }
    }
    return { own, tributes };
  }
}

function toDonationExport(
  row: Donation,
  events: readonly OutboxEntry[],
  decisions: readonly AppliedDecision[],
): object {
  const {
    reference,
    status,
    paymentId,
    subscriptionId,
    subscriptionStatus,
    paymentMethod,
    failureReason,
    platformGiftId: platformId,
    lastError,
  } = row;
  return {
    reference,
    status,
    createdAt: new Date(row.createdAt).toISOString(),
    paymentId,
    subscriptionId,
    subscriptionStatus,
    paymentMethod,
    failureReason,
    platformId,
    lastError,
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
