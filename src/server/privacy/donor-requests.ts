import type { Logger } from '../lib/logger.ts';
import { removeNotifyEmail } from '../donations/anonymize.ts';
import { createFingerprintWithoutNotifyEmail } from '../donations/fingerprint.ts';
import type { Database } from '../database/database.ts';
import type {
  OutboxEvent,
  Donation,
  InboundWebhookRow,
  ReviewDecisionRow,
} from '../database/schema.ts';
import { listDonations } from '../reporting/ledger-entries.ts';
import { isSameEmail } from './match-email.ts';
import {
  clearDeletedData,
  eraseDonors,
  indexWebhookMentions,
  listWebhooksMentioning,
  type RetainedDonation,
} from './erase-donor.ts';
import { findNotesMentioning } from './redact-notes.ts';

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
   * Each gift with all that it came with: donor, tracking, consents, custom fields, page; what
   * happened to it, and what people decided of it.
   */
  readonly gifts: readonly object[];
  /** Gifts of others that name this address as the one who is told of them. */
  readonly namedIn: readonly object[];
  /** Inbound webhooks that mention the donor, as received. */
  readonly inboundWebhooks: readonly object[];
  /** What operators wrote elsewhere that names the address. */
  readonly notes: readonly object[];
}

/** Result of a donor's deletion request. */
export interface DonorDeletion {
  readonly deleted: readonly string[];
  /** Gifts of others in which the address does not stand any more. */
  readonly unnamed: readonly string[];
  readonly needed: readonly RetainedDonation[];
}

/** Exports and deletes the data of one donor. */
export class Donors {
  readonly #options: DonorRequestsOptions;

  constructor(options: DonorRequestsOptions) {
    this.#options = options;
  }

  async export(organization: string, email: string): Promise<DonorRecord> {
    const { db } = this.#options.database;
    const { own, named } = await this.#listDonations(organization, email);
    const webhooks: InboundWebhookRow[] = [];
    const gifts: object[] = [];
    const told = new Set<string>();
    for await (const webhook of listWebhooksMentioning(db, {
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
            build('parent_reference', '=', row.reference),
          ]),
        )
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      const decisions = await db
        .selectFrom('review_decisions')
        .selectAll()
        .where('reference', '=', row.reference)
        .orderBy('decided_at')
        .orderBy('id')
        .execute();
      gifts.push(toDonationExport(row, events, decisions));
      for (const { id } of decisions) told.add(id);
    }
    const { ofDecisions, ofPauses } = await findNotesMentioning(db, organization, email);
    return {
      email,
      organization,
      gifts,
      namedIn: named.map(({ reference, created_at: at, payload }) => ({
        reference,
        acceptedAt: new Date(at).toISOString(),
        tribute: payload.gift.tribute,
      })),
      inboundWebhooks: webhooks.map(({ source, received_at: at, body, last_error: lastError }) => ({
        source,
        receivedAt: new Date(at).toISOString(),
        body,
        lastError,
      })),
      notes: [...ofDecisions.filter(({ id }) => !told.has(id)), ...ofPauses].map(
        ({ at, text }) => ({ writtenAt: new Date(at).toISOString(), text }),
      ),
    };
  }

  /** @param by the person deleting the data, recorded with the donations. */
  async delete(organization: string, email: string, by: string): Promise<DonorDeletion> {
    const { database, log, now } = this.#options;
    const { own, named } = await this.#listDonations(organization, email);
    const result = await eraseDonors(database, {
      organization,
      email,
      references: own.map(({ reference }) => reference),
      webhooks: await indexWebhookMentions(database.db, organization, email),
      by,
      at: now(),
    });
    await database.writer.write(async (transaction) => {
      for (const { reference } of named) {
        const stored = transaction
          .selectFrom('donations')
          .select('payload')
          .where('reference', '=', reference);
        const { payload: before } = await (
          database.isShared ? stored.forUpdate() : stored
        ).executeTakeFirstOrThrow();
        const payload = { ...before, gift: removeNotifyEmail(before.gift) };
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
    await clearDeletedData(database, log);
    const unnamed = named.map(({ reference }) => reference);
    log.info(
      {
        organization,
        deleted: result.deleted,
        unnamed,
        needed: result.needed.map(({ reference }) => reference),
      },
      'donor data deleted on request',
    );
    return { ...result, unnamed };
  }

  /**
   * A donor's own gifts, and those of others that name the address. Each gift is read, since no
   * index may hold addresses.
   */
  async #listDonations(
    organization: string,
    email: string,
  ): Promise<{ readonly own: readonly Donation[]; readonly named: readonly Donation[] }> {
    const own: Donation[] = [];
    const named: Donation[] = [];
    for await (const page of listDonations(
      this.#options.database.db,
      organization,
      { from: 0, to: Number.MAX_SAFE_INTEGER },
      { unredactedOnly: true },
    )) {
      for (const row of page) {
        const { donor, gift } = row.payload;
        if (isSameEmail(donor.email, email)) own.push(row);
        else if (isSameEmail(gift.tribute?.notifyEmail, email)) named.push(row);
      }
    }
    return { own, named };
  }
}

function toDonationExport(
  row: Donation,
  events: readonly OutboxEvent[],
  decisions: readonly ReviewDecisionRow[],
): object {
  const {
    reference,
    status,
    payment_id: paymentId,
    subscription_id: subscriptionId,
    subscription_status: recurringState,
    payment_method: paymentMethod,
    failure_reason: declineReason,
    platform_gift_id: platformId,
    last_error: lastError,
  } = row;
  return {
    reference,
    status,
    acceptedAt: new Date(row.created_at).toISOString(),
    paymentId,
    subscriptionId,
    recurringState,
    paymentMethod,
    declineReason,
    platformId,
    lastError,
    ...row.payload,
    events: events.map(
      ({
        kind,
        reference: of,
        status: told,
        payment_id: renewal,
        platform_gift_id: at,
        last_error: problem,
        created_at: heard,
        payload,
      }) => ({
        kind,
        reference: of,
        status: told,
        paymentId: renewal,
        platformId: at,
        lastError: problem,
        heardAt: new Date(heard).toISOString(),
        ...payload,
      }),
    ),
    decisions: decisions.map(({ decided_at: at, decision, event, note }) => ({
      decidedAt: new Date(at).toISOString(),
      decision,
      event,
      note,
    })),
  };
}
