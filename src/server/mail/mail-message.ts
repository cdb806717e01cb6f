import type { SendMailOptions } from 'nodemailer';
import type { MailSettings } from '../organizations/mail-settings.ts';
import type { ComposedMail } from './mail-composer.ts';
import { renderMail } from './render-mail.ts';

/** @param messageId the same for each attempt to send the message. */
export async function buildMailMessage(
  {
    address,
    content,
    receipt,
    canUnsubscribe = false,
  }: ComposedMail & { readonly address: string },
  mail: MailSettings,
  messageId: string,
): Promise<SendMailOptions> {
  const { from, replyTo } = mail;
  const rendered = await renderMail(content, mail);
  return {
    from,
    replyTo,
    to: { name: '', address },
    subject: content.subject,
    ...rendered,
    attachments: [...rendered.attachments, ...(receipt ? [receipt] : [])],
    messageId,
    headers: {
      // Suppresses automatic replies (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      // RFC 2369. By mail, because the server has no public page of its own.
      ...(canUnsubscribe && {
        'List-Unsubscribe': `<mailto:${encodeURI(replyTo)}?subject=unsubscribe>`,
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
