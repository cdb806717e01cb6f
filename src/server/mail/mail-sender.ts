import type { ServerBase } from '../database/database.ts';
import type { MailMessageRow, OutboxEntry } from '../database/schema.ts';
import { loadEntryContext, type OutboundMail } from '../donations/outbox-entries.ts';
import { PollingWorker } from '../jobs/polling-worker.ts';
import { describeError } from '../lib/describe-error.ts';
import { hashSha256 } from '../lib/hash.ts';
import { calculateNextAttemptTime } from '../lib/retry-schedule.ts';
import type { SmtpError } from '../lib/smtp-client.ts';
import type { MailSettings } from '../organizations/mail-settings.ts';
import type { Organization } from '../organizations/organization.ts';
import { MailQueue } from './mail-queue.ts';
import { renderMail } from './render-mail.ts';
import { createThankYou } from './thank-you.ts';

export interface MailSenderOptions extends ServerBase {
  /** If false, only `donation-form jobs run` sends messages. */
  readonly hasBackgroundJobs: boolean;
}

/** Donors get no message about older events, such as renewals that `reconcile` adds. In ms. */
const MAX_EVENT_AGE = 3 * 86_400_000;
/** Maximum length of a stored error, in characters. */
const MAX_ERROR_LENGTH = 300;
/** Shorter than `LOCK_DURATION`, in milliseconds. */
const SEND_TIMEOUT = 45_000;

/** Sends each message to a donor until the SMTP server accepts it, always with the same ID. */
export class MailSender implements OutboundMail {
  readonly queue: MailQueue;
  readonly #options: MailSenderOptions;
  readonly #workers = new Map<string, PollingWorker<MailMessageRow>>();
  #organizations: ReadonlyMap<string, Organization> = new Map();
  #isStopping = false;

  constructor(options: MailSenderOptions) {
    this.#options = options;
    this.queue = new MailQueue(options.database);
  }

  /** Replaces the organizations. Messages of others stay in the queue without being sent. */
  replaceOrganizations(organizations: readonly Organization[]): void {
    this.#organizations = new Map(
      organizations
        .filter(({ mail }) => mail)
        .map((organization) => [organization.id, organization]),
    );
  }

  sendsMail(organization: string): boolean {
    return this.#organizations.has(organization);
  }

  buildMessages(entry: OutboxEntry): readonly MailMessageRow[] {
    const isThanked = entry.kind === 'donation' || entry.kind === 'renewal';
    const isRecent = entry.happenedAt > this.#options.now() - MAX_EVENT_AGE;
    return isThanked && isRecent && this.sendsMail(entry.organization)
      ? [this.queue.buildMessage('thank_you', entry)]
      : [];
  }

  wakeAllWorkers(): void {
    for (const organization of this.#organizations.keys()) this.wakeWorker(organization);
  }

  wakeWorker(organization: string): void {
    if (!this.#options.hasBackgroundJobs || this.#isStopping || !this.sendsMail(organization))
      return;
    void this.#getWorker(organization).wake();
  }

  /** Starts no attempt after `stop`. @throws {Error} if the database does not respond. */
  async sendDueMessages(stop: AbortSignal): Promise<void> {
    await Promise.all(
      [...this.#organizations.keys()].map((organization) =>
        this.#getWorker(organization).handleDueRows(stop),
      ),
    );
  }

  /** Sends messages again. Returns their number. */
  async resendMessages(messages: readonly MailMessageRow[]): Promise<number> {
    const count = await this.queue.makeMessagesDue(messages.map(({ id }) => id));
    for (const { organization } of messages) this.wakeWorker(organization);
    return count;
  }

  async stopWorkers(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([...this.#workers.values()].map((worker) => worker.stop()));
  }

  #getWorker(organization: string): PollingWorker<MailMessageRow> {
    const { database, log, now } = this.#options;
    const worker =
      this.#workers.get(organization) ??
      new PollingWorker<MailMessageRow>({
        organization,
        log,
        now,
        listDue: (limit) => this.queue.listDueMessages(organization, limit),
        findNextDueTime: () => this.queue.findNextDueTime(organization),
        ...(database.isShared && { claim: (row) => this.queue.claimMessage(row) }),
        handle: (row) => this.#attemptMessage(row),
      });
    this.#workers.set(organization, worker);
    return worker;
  }

  async #attemptMessage(row: MailMessageRow): Promise<void> {
    const organization = this.#organizations.get(row.organization);
    if (!organization?.mail) return;
    const prepared = await this.#prepareMessage(row, organization, organization.mail);
    if ('reason' in prepared)
      return this.queue.recordAttempt(row, { status: 'canceled', lastError: prepared.reason });
    try {
      await limitTime(organization.mail.client.send(prepared.message));
    } catch (error) {
      await this.#recordFailure(row, error as SmtpError);
      return;
    }
    await this.queue.recordAttempt(row, { status: 'sent', lastError: null });
  }

  async #prepareMessage(
    { id, event, createdAt }: MailMessageRow,
    organization: Organization,
    { from, replyTo }: MailSettings,
  ) {
    const context = await loadEntryContext(this.#options.database.db, event);
    const { payload, status, donorDeletedAt } = context.donation;
    const address = payload.donor.email;
    if (donorDeletedAt !== null) return { reason: 'The donor’s data was deleted.' };
    if (address === undefined) return { reason: 'The donor gave no email.' };
    if (status === 'failed' && !context.renewal) return { reason: 'The payment failed.' };
    const content = await createThankYou(context, organization);
    return {
      message: {
        from,
        replyTo,
        to: { name: '', address },
        subject: content.subject,
        ...(await renderMail(content)),
        // The same for each attempt, but new if the staff send a message again, because mailboxes
        // hide a second message with the same ID.
        messageId: `<${hashSha256(`${id} ${createdAt}`)}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
        // Suppresses automatic replies (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
      },
    };
  }

  async #recordFailure(row: MailMessageRow, error: SmtpError): Promise<void> {
    const { log, now } = this.#options;
    const { id, organization, event, createdAt } = row;
    const attempts = row.attempts + 1;
    const retryAt = isRefused(error)
      ? undefined
      : calculateNextAttemptTime({ failures: attempts, createdAt, now: now() });
    const details = { organization, mail: id, event, ...describeError(error) };
    if (retryAt === undefined) log.error(details, 'cannot send a message to a donor');
    else log.warn(details, 'cannot send a message to a donor; will retry later');
    await this.queue.recordAttempt(row, {
      status: retryAt === undefined ? 'failed' : 'pending',
      lastError: describeFailure(error),
      attempts,
      ...(retryAt !== undefined && { nextRunAt: retryAt }),
    });
  }
}

/** Returns true if the SMTP server permanently refused the recipient or the message. */
function isRefused({ code, responseCode = 0 }: SmtpError): boolean {
  return ['EENVELOPE', 'EMESSAGE'].includes(code ?? '') && responseCode >= 500;
}

function describeFailure({ response, code, message }: SmtpError): string {
  const text = response ?? (code === undefined ? message : `no answer (${code})`);
  return text.replace(/\s+/g, ' ').slice(0, MAX_ERROR_LENGTH);
}

async function limitTime(sent: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })),
      SEND_TIMEOUT,
    );
  });
  await Promise.race([sent, timeout]).finally(() => clearTimeout(timer));
}
