import type { MailMessageRow } from '../../../src/server/database/schema.ts';
import { createSmtpClient } from '../../../src/server/lib/smtp-client.ts';
import type { MailSettings } from '../../../src/server/organizations/mail-settings.ts';
import type { TestServer } from '../support.ts';

export function createTestMail(port: number, changes: Partial<MailSettings> = {}): MailSettings {
  return {
    client: createSmtpClient({
      host: '127.0.0.1',
      port,
      user: 'alerts',
      password: 'canary-password',
    }),
    server: `127.0.0.1:${port}`,
    from: { name: 'Lanternwell', address: 'giving@lanternwell.example' },
    replyTo: 'hello@lanternwell.example',
    signature: 'Lanternwell',
    ...changes,
  };
}

/** Oldest first. */
export function listMailMessages({ database }: TestServer): Promise<MailMessageRow[]> {
  return database.db
    .selectFrom('mailMessages')
    .selectAll()
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

/** Sends due messages. */
export const sendNow = ({ outboundMail }: TestServer): Promise<void> =>
  outboundMail.sendDueMessages(AbortSignal.timeout(60_000));

/** Returns a header with its continuation lines. */
export const getHeader = (message: string, name: string): string | undefined =>
  new RegExp(`^${name}: ?(.*(?:\\n[ \\t].*)*)`, 'mi').exec(message)?.[1]?.trim();
