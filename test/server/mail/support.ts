import type { MailMessageRow } from '../../../src/server/database/schema.ts';
import { createSmtpClient } from '../../../src/server/lib/smtp-client.ts';
import type { MailLogo } from '../../../src/server/organizations/mail-logo.ts';
import type { MailSettings } from '../../../src/server/organizations/mail-settings.ts';
import type { TestServer } from '../support.ts';
import { waitForDatabaseClock } from '../test-database.ts';

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
export async function sendNow({ database, outboundMail }: TestServer): Promise<void> {
  await waitForDatabaseClock(database);
  await outboundMail.sendDueMessages(AbortSignal.timeout(60_000));
}

/** Returns a header with its continuation lines. */
export const getHeader = (message: string, name: string): string | undefined =>
  new RegExp(`^${name}: ?(.*(?:\\n[ \\t].*)*)`, 'mi').exec(message)?.[1]?.trim();
/** A picture of 120 by 48 pixels, of which only the first bytes are valid. */
export function createTestLogo(): MailLogo {
  const [width, height] = [120, 48];
  const content = Buffer.from('89504e470d0a1a0a0000000d494844520000000000000000', 'hex');
  content.writeUInt32BE(width, 16);
  content.writeUInt32BE(height, 20);
  return { content, width, height };
}
