import { randomUUID } from 'node:crypto';
import { buildMailMessage } from '../mail/mail-message.ts';
import { createMessageId } from '../mail/mail-queue.ts';
import type { Organization } from '../organizations/organization.ts';

export interface StaffMail {
  readonly subject: string;
  /** Paragraphs. */
  readonly lines: readonly string[];
  /** Shown below the paragraphs. */
  readonly link?: string | undefined;
}

/**
 * Sends a message to a person at once, by the first of the organizations that sends mail.
 * @returns false if none of them does.
 * @throws {SmtpError} if the SMTP server may not have accepted the message.
 */
export async function sendStaffMail(
  organizations: readonly Organization[],
  person: { readonly name: string; readonly email: string },
  { subject, lines, link }: StaffMail,
): Promise<boolean> {
  const mail = organizations.find((organization) => organization.mail)?.mail;
  if (!mail) return false;
  const { name: organization, address } = mail.from;
  const messageId = createMessageId({ id: randomUUID(), createdAt: Date.now() }, address);
  const message = await buildMailMessage(
    {
      address: person.email,
      content: {
        language: 'en',
        direction: 'ltr',
        subject,
        organization,
        title: `Hello ${person.name},`,
        paragraphs: lines,
        ...(link !== undefined && { instructions: { title: 'Your link', text: link } }),
        details: [],
        closing: 'This message was sent to you as a member of staff.',
        signature: organization,
      },
    },
    mail,
    messageId,
  );
  await mail.client.send(message);
  return true;
}
