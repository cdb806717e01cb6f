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
