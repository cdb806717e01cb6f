import { randomUUID } from 'node:crypto';
import type { ServerBase } from '../database/database.ts';
import { describeSmtpError, type SmtpError } from '../lib/smtp-client.ts';
import type { Organization } from '../organizations/organization.ts';
import type { Organizations } from '../organizations/organizations.ts';
import { ALL_ORGANIZATIONS } from '../staff/roles.ts';
import type { StaffPerson } from '../staff/staff-repository.ts';
import { buildMailMessage } from './mail-message.ts';
import { createMessageId } from './mail-queue.ts';
import type { MailContent } from './render-mail.ts';

/** What a message to the staff says. */
export type StaffMail = Pick<MailContent, 'subject' | 'title' | 'paragraphs' | 'link' | 'closing'>;

type Recipient = Pick<StaffPerson, 'email' | 'memberships'>;

/**
 * Sends messages to the staff at once, with the SMTP server of an organization in which the person
 * has a role. They are in no queue, because a late link would no longer work.
 */
export class StaffMailer {
  readonly #organizations: Pick<Organizations, 'all'>;
  readonly #base: Pick<ServerBase, 'log' | 'now'>;

  constructor(organizations: Pick<Organizations, 'all'>, base: Pick<ServerBase, 'log' | 'now'>) {
    this.#organizations = organizations;
    this.#base = base;
  }

  /** True if an organization sends mail. */
  get isAvailable(): boolean {
    return this.#organizations.all.some(({ mail }) => mail);
  }

  /** Logs a failure. @returns true if the SMTP server accepted the message. */
  async send(recipient: Recipient, mail: StaffMail): Promise<boolean> {
    const { log, now } = this.#base;
    const settings = this.#findSender(recipient)?.mail;
    if (!settings) {
      log.warn(
        'cannot send mail to a person: no organization in which they have a role sends mail',
      );
      return false;
    }
    const { address, name } = settings.from;
    const content: MailContent = {
      language: 'en',
      direction: 'ltr',
      organization: name,
      details: [],
      signature: name,
      ...mail,
    };
    const messageId = createMessageId({ id: randomUUID(), createdAt: now() }, address);
    try {
      await settings.client.send(
        await buildMailMessage({ address: recipient.email, content }, settings, messageId),
      );
      return true;
    } catch (error) {
      log.warn({ reason: describeSmtpError(error as SmtpError) }, 'cannot send mail to a person');
      return false;
    }
  }

  #findSender({ memberships }: Recipient): Organization | undefined {
    const ids = new Set(memberships.map(({ organization }) => organization));
    return this.#organizations.all.find(
      ({ id, mail }) => mail && (ids.has(id) || ids.has(ALL_ORGANIZATIONS)),
    );
  }
}
