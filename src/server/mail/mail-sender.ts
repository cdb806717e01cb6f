import type { ServerBase } from '../database/database.ts';
import { isDatabaseError } from '../database/database-error.ts';
import type { MailKind, MailMessageRow, OutboxEntry } from '../database/schema.ts';
import {
  DONOR_DELETED,
  type NotifiedDonation,
  type OutboundMail,
} from '../donations/outbox-entries.ts';
import { PauseRepository } from '../donations/pause-repository.ts';
import { OrganizationWorkers } from '../jobs/organization-workers.ts';
import { PollingWorker } from '../jobs/polling-worker.ts';
import { describeError } from '../lib/describe-error.ts';
import { calculateNextAttemptTime } from '../lib/retry-schedule.ts';
import {
  describeSmtpError,
  getFailureScope,
  isDeliverable,
  isUnknownRecipient,
  type SmtpError,
} from '../lib/smtp-client.ts';
import type { MailSettings } from '../organizations/mail-settings.ts';
import type { Organization } from '../organizations/organization.ts';
import { BlockedRecipients, describeBlock, findBlockedRecipient } from './blocked-recipients.ts';
import { deleteSentNotifyEmails } from './delete-sent-notify-emails.ts';
import type { MailComposer } from './mail-composer.ts';
import { findHourlyLimitEnd, HOURLY_LIMIT_REACHED } from './mail-limits.ts';
import { buildMailMessage } from './mail-message.ts';
import { MailQueue } from './mail-queue.ts';
import { loadMessageContext } from './message-context.ts';
import { composeReceipt, composeReceiptVoid } from './receipt-mail.ts';
import { ReceiptMessages } from './receipt-messages.ts';
import { composeThankYou, isPaid } from './thank-you.ts';
import { composeTribute, hasPaidTribute } from './tribute.ts';

export interface MailSenderOptions extends ServerBase {
  /** If false, only `donation-form jobs run` sends messages. */
  readonly hasBackgroundJobs: boolean;
}

const DAY = 86_400_000;
/**
 * In milliseconds. Donors get no message about older events, such as renewals that `reconcile` adds,
 * and no older message, such as one that waited while `mail` was not configured.
 */
const MAX_AGE = 3 * DAY;
/** Number of messages of an organization that are sent at once. */
const CONCURRENCY = 4;
/** Limits of the pause after a failure that concerns all messages, in milliseconds. */
const MIN_COOLDOWN = 60_000;
const MAX_COOLDOWN = 300_000;
/** Number of messages refused by policy in a row after which the server is to blame. */
const MIN_POLICY_REFUSALS = 5;

const COMPOSERS: Readonly<Record<MailKind, MailComposer>> = {
  thank_you: composeThankYou,
  receipt: composeReceipt,
  receipt_void: composeReceiptVoid,
  tribute: composeTribute,
};

/** Sends each message until the SMTP server accepts it, always with the same ID. */
export class MailSender
  extends OrganizationWorkers<MailMessageRow, Organization>
  implements OutboundMail
{
  readonly queue: MailQueue;
  readonly receiptMessages: ReceiptMessages;
  readonly blockedRecipients: BlockedRecipients;
  readonly pauses: PauseRepository;
  readonly #options: MailSenderOptions;
  readonly #cooldowns = new Map<string, { readonly delay: number; readonly until: number }>();
  /** Events whose messages were refused by policy since an organization's last sent message. */
  readonly #policyRefusals = new Map<string, Set<string>>();

  constructor(options: MailSenderOptions) {
    super(options);
    this.#options = options;
    this.queue = new MailQueue(options.database);
    this.receiptMessages = new ReceiptMessages(options.database, this.queue);
    this.blockedRecipients = new BlockedRecipients(options.database);
    this.pauses = new PauseRepository(options.database, options.now, 'mailPauses');
  }

  override replaceOrganizations(organizations: readonly Organization[]): void {
    this.#cooldowns.clear();
    this.#policyRefusals.clear();
    super.replaceOrganizations(organizations);
  }

  buildMessages(entry: OutboxEntry, donation?: NotifiedDonation): readonly MailMessageRow[] {
    const { kind, organization } = entry;
    const mail = this.findOrganization(organization)?.mail;
    // If `dispatchedAt` is set, the donation comes from a backup, and the donor may have a message.
    const isRecent =
      entry.dispatchedAt === null && entry.happenedAt > this.#options.now() - MAX_AGE;
    if (!mail || !isRecent) return [];
    const createKey = (email: string | undefined): string | null =>
      email === undefined
        ? null
        : this.#options.database.donorKeys.createRecipientKey(organization, email);
    const { donor, gift } = donation?.payload ?? {};
    // Only messages that strangers can cause are limited.
    const donorKey = donation && !isPaid(donation) ? createKey(donor?.email) : null;
    return [
      ...(kind === 'donation' || kind === 'renewal'
        ? [this.queue.buildMessage('thank_you', entry, donorKey)]
        : []),
      ...(donation && hasPaidTribute(donation)
        ? [this.queue.buildMessage('tribute', entry, createKey(gift?.tribute?.notifyEmail))]
        : []),
    ];
  }

  /** Starts no attempt after `stop`. @throws {Error} if the database does not respond. */
  sendDueMessages(stop: AbortSignal): Promise<void> {
    return this.handleDueRows(stop);
  }

  /** Sends finished messages again. Returns their number. */
  async resendMessages(messages: readonly MailMessageRow[]): Promise<number> {
    const count = await this.queue.makeMessagesDue(messages.map(({ id }) => id));
    for (const { organization } of messages) this.wakeWorker(organization);
    return count;
  }

  protected override needsWorker({ mail }: Organization): boolean {
    return mail !== undefined;
  }

  protected override createWorker(organization: string): PollingWorker<MailMessageRow> {
    const { log, now } = this.#options;
    return new PollingWorker<MailMessageRow>({
      organization,
      log,
      now,
      listDue: async (limit) =>
        (await this.pauses.isPaused(organization))
          ? []
          : this.queue.listDueMessages(organization, limit),
      findNextDueTime: async () =>
        (await this.pauses.isPaused(organization))
          ? undefined
          : this.queue.findNextDueTime(organization),
      claim: async (row) => {
        // The pause may be newer than the list of due messages.
        if (await this.pauses.isPaused(organization)) return undefined;
        const mail = this.findOrganization(organization)?.mail;
        return mail && this.queue.claimMessage(row, mail.from.address);
      },
      handle: (row) => this.#attemptMessage(row),
      getConcurrency: () => CONCURRENCY,
      getGroup: ({ id }) => id,
      getEarliestRunTime: () => this.#cooldowns.get(organization)?.until ?? 0,
    });
  }

  /** Throws only if the database does not respond. */
  async #attemptMessage(row: MailMessageRow): Promise<void> {
    const organization = this.findOrganization(row.organization);
    if (!organization?.mail) return;
    let recipientKey: string | undefined;
    try {
      if (row.createdAt < this.#options.now() - MAX_AGE)
        return await this.queue.recordAttempt(row, {
          status: 'failed',
          lastError: row.lastError ?? 'The message is older than three days.',
        });
      const { database, now } = this.#options;
      const waitUntil = await findHourlyLimitEnd(database.db, row, now());
      if (waitUntil !== undefined)
        return await this.queue.recordAttempt(row, {
          status: 'pending',
          lastError: HOURLY_LIMIT_REACHED,
          nextRunAt: waitUntil,
        });
      const prepared = await this.#prepareMessage(row, organization, organization.mail);
      if ('reason' in prepared)
        return await this.queue.recordAttempt(row, {
          status: 'canceled',
          lastError: prepared.reason,
        });
      if ('delay' in prepared)
        return await this.queue.recordAttempt(row, {
          status: 'pending',
          lastError: row.lastError,
          nextRunAt: this.#options.now() + prepared.delay,
        });
      ({ recipientKey } = prepared);
      await organization.mail.client.send(prepared.message);
      this.#cooldowns.delete(row.organization);
      this.#policyRefusals.delete(row.organization);
      const { omission = null, hasReceipt } = prepared;
      await this.queue.recordAttempt(row, { status: 'sent', lastError: omission }, (transaction) =>
        this.receiptMessages.notifyLate(transaction, row, hasReceipt),
      );
    } catch (error) {
      if (isDatabaseError(error)) throw error;
      if (recipientKey !== undefined && isUnknownRecipient(error as SmtpError))
        await this.blockedRecipients.block({
          organization: row.organization,
          key: recipientKey,
          reason: 'bounced',
          blockedBy: null,
        });
      return this.#recordFailure(row, error as SmtpError);
    }
    if (row.kind === 'tribute') await deleteSentNotifyEmails(this.#options.database, row.id);
  }

  async #prepareMessage(message: MailMessageRow, organization: Organization, mail: MailSettings) {
    const { database, now } = this.#options;
    const { db, donorKeys } = database;
    const context = await loadMessageContext(db, message);
    if (context.donation.donorDeletedAt !== null) return { reason: DONOR_DELETED };
    const composed = await COMPOSERS[message.kind]({
      message,
      context,
      organization,
      db,
      now: now(),
    });
    if (!('content' in composed)) return composed;
    const { address } = composed;
    if (address === undefined) return { reason: 'The donor gave no email.' };
    if (!isDeliverable(address)) return { reason: 'Mail servers do not accept this email.' };
    const key = donorKeys.createRecipientKey(organization.id, address);
    const blocked = await findBlockedRecipient(db, organization.id, key);
    const reason = describeBlock(message.kind, blocked);
    if (reason !== undefined) return { reason };
    return {
      recipientKey: key,
      omission: composed.omission,
      hasReceipt: composed.receipt !== undefined,
      message: await buildMailMessage({ ...composed, address }, mail, message.messageId!),
    };
  }

  async #recordFailure(row: MailMessageRow, error: SmtpError): Promise<void> {
    const { log, now } = this.#options;
    const { id, organization, event, status } = row;
    const details = { organization, mail: id, event, ...describeError(error) };
    const lastError = describeSmtpError(error);
    const scope = getFailureScope(error);
    if (scope === 'server' || this.#refusesEverything(row, error)) {
      const nextRunAt = this.#startCooldown(organization);
      log.warn(details, 'cannot send mail to donors; will retry later');
      return this.queue.recordAttempt(row, { status, lastError, nextRunAt });
    }
    const attempts = row.attempts + 1;
    const retryAt =
      scope === 'refused'
        ? undefined
        : calculateNextAttemptTime({ failures: attempts, now: now() });
    if (retryAt !== undefined) {
      log.warn(details, 'cannot send a message to a donor; will retry later');
      return this.queue.recordAttempt(row, { status, lastError, attempts, nextRunAt: retryAt });
    }
    log.error(details, 'cannot send a message to a donor');
    return this.queue.recordAttempt(row, { status: 'failed', lastError, attempts });
  }

  /** A server that refuses several messages by policy (RFC 3463, 5.7) most likely refuses all. */
  #refusesEverything(
    { organization, event }: MailMessageRow,
    { response = '' }: SmtpError,
  ): boolean {
    if (!/^5\d\d[ -]5\.7\./.test(response)) return false;
    const refused = this.#policyRefusals.get(organization) ?? new Set();
    this.#policyRefusals.set(organization, refused.add(event));
    return refused.size >= MIN_POLICY_REFUSALS;
  }

  /** Pauses the organization's mail, each time for longer. Returns the end of the pause. */
  #startCooldown(organization: string): number {
    const { delay, until: current } = this.#cooldowns.get(organization) ?? {
      delay: MIN_COOLDOWN / 2,
      until: 0,
    };
    // Another message that was sent at the same time failed, too.
    if (current > this.#options.now()) return current;
    const longer = Math.min(delay * 2, MAX_COOLDOWN);
    const until = this.#options.now() + longer;
    this.#cooldowns.set(organization, { delay: longer, until });
    return until;
  }
}
