import type { Logger } from '../lib/logger.ts';
import { withoutNotification } from '../donations/anonymize.ts';
import { unnotifiedFingerprintOf } from '../donations/fingerprint.ts';
import type { Database } from '../database/database.ts';
import type { EventRow, Donation, PlatformWebhookRow, ResolutionRow } from '../database/schema.ts';
import { giftsOf } from '../reporting/ledger-entries.ts';
import { isSameEmail } from './match-email.ts';
import { forget, readWebhooks, webhooksAbout, type Needed } from './erase-donor.ts';
import { notesNaming } from './redact-notes.ts';

export interface DonorsOptions {
  readonly store: Database;
  readonly log: Logger;
  readonly now: () => number;
}

/** Everything that is kept of one person. */
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
  /** What the platform's webhooks said, as it came. */
  readonly platformWebhooks: readonly object[];
  /** What operators wrote elsewhere that names the address. */
  readonly notes: readonly object[];
}

/** What came of a donor's wish to be forgotten. */
export interface DonorDeletion {
  readonly deleted: readonly string[];
  /** Gifts of others in which the address does not stand any more. */
  readonly unnamed: readonly string[];
  readonly needed: readonly Needed[];
}

/** One donor at a time: what is kept, and its deletion. */
export class Donors {
  readonly #options: DonorsOptions;

  constructor(options: DonorsOptions) {
    this.#options = options;
  }

  async export(organization: string, email: string): Promise<DonorRecord> {
    const { db } = this.#options.store;
    const { own, named } = await this.#giftsOf(organization, email);
    const webhooks: PlatformWebhookRow[] = [];
    const gifts: object[] = [];
    const told = new Set<string>();
    for await (const webhook of webhooksAbout(db, {
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
          build.or([build('reference', '=', row.reference), build('parent', '=', row.reference)]),
        )
        .orderBy('created_at')
        .orderBy('id')
        .execute();
      const decisions = await db
        .selectFrom('review_decisions')
        .selectAll()
        .where('gift', '=', row.reference)
        .orderBy('decided_at')
        .orderBy('id')
        .execute();
      gifts.push(shown(row, events, decisions));
      for (const { id } of decisions) told.add(id);
    }
    const { ofDecisions, ofPauses } = await notesNaming(db, organization, email);
    return {
      email,
      organization,
      gifts,
      namedIn: named.map(({ reference, created_at: at, payload }) => ({
        reference,
        acceptedAt: new Date(at).toISOString(),
        tribute: payload.gift.tribute,
      })),
      platformWebhooks: webhooks.map(
        ({ source, received_at: at, body, last_error: lastError }) => ({
          source,
          receivedAt: new Date(at).toISOString(),
          body,
          lastError,
        }),
      ),
      notes: [...ofDecisions.filter(({ id }) => !told.has(id)), ...ofPauses].map(
        ({ at, text }) => ({ writtenAt: new Date(at).toISOString(), text }),
      ),
    };
  }

  /** @param by who does it, which is kept with the gifts. */
  async delete(organization: string, email: string, by: string): Promise<DonorDeletion> {
    const { store, log, now } = this.#options;
    const { own, named } = await this.#giftsOf(organization, email);
    const result = await forget(store, {
      organization,
      email,
      references: own.map(({ reference }) => reference),
      webhooks: await readWebhooks(store.db, organization, email),
      by,
      at: now(),
    });
    await store.writer.write(async (transaction) => {
      for (const { reference } of named) {
        const stored = transaction
          .selectFrom('donations')
          .select('payload')
          .where('reference', '=', reference);
        const { payload: before } = await (
          store.isShared ? stored.forUpdate() : stored
        ).executeTakeFirstOrThrow();
        const payload = { ...before, gift: withoutNotification(before.gift) };
        await transaction
          .updateTable('donations')
          .set({
            payload: JSON.stringify(payload),
            fingerprint: unnotifiedFingerprintOf(payload),
          })
          .where('reference', '=', reference)
          .execute();
      }
    });
    const unnamed = named.map(({ reference }) => reference);
    log.info(
      {
        organization,
        deleted: result.deleted,
        unnamed,
        needed: result.needed.map(({ reference }) => reference),
      },
      "a donor's data was deleted on request",
    );
    return { ...result, unnamed };
  }

  /**
   * A donor's own gifts, and those of others that name the address. Each gift is read, since no
   * index may hold addresses.
   */
  async #giftsOf(
    organization: string,
    email: string,
  ): Promise<{ readonly own: readonly Donation[]; readonly named: readonly Donation[] }> {
    const own: Donation[] = [];
    const named: Donation[] = [];
    for await (const page of giftsOf(
      this.#options.store.db,
      organization,
      { from: 0, to: Number.MAX_SAFE_INTEGER },
      { isKept: true },
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

function shown(
  row: Donation,
  events: readonly EventRow[],
  decisions: readonly ResolutionRow[],
): object {
  const {
    reference,
    state,
    payment_id: paymentId,
    subscription_id: subscriptionId,
    subscription_status: recurringState,
    payment_method: paymentMethod,
    decline_reason: declineReason,
    platform_gift_id: platformId,
    last_error: lastError,
  } = row;
  return {
    reference,
    state,
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
        state: told,
        payment_id: renewal,
        platform_gift_id: at,
        last_error: problem,
        created_at: heard,
        detail,
      }) => ({
        kind,
        reference: of,
        state: told,
        paymentId: renewal,
        platformId: at,
        lastError: problem,
        heardAt: new Date(heard).toISOString(),
        ...(JSON.parse(detail) as object),
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
