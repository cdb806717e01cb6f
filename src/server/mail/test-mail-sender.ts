import type { Language } from '@donation-form/core/i18n';
import type { MailKind } from '../database/schema.ts';
import type { Organization } from '../organizations/organization.ts';
import { buildMailMessage } from './mail-message.ts';
import { createMessageId } from './mail-queue.ts';
import { createMailSample } from './mail-samples.ts';

const HOUR = 3_600_000;
/** Per organization. A stolen admin key must not turn the server into a relay. */
const MAX_PER_HOUR = 5;

interface TestMail {
  readonly kind: MailKind;
  readonly language: Language;
  readonly to: string;
}

/** Sends examples of messages to the staff. */
export class TestMailSender {
  readonly #now: () => number;
  readonly #attempts = new Map<string, readonly number[]>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts an attempt. Returns false if there were too many within the last hour. */
  startAttempt(organization: string): boolean {
    const now = this.#now();
    const attempts = (this.#attempts.get(organization) ?? []).filter((at) => at > now - HOUR);
    if (attempts.length >= MAX_PER_HOUR) return false;
    this.#attempts.set(organization, [...attempts, now]);
    return true;
  }

  /** @throws {SmtpError} if the SMTP server may not have accepted the message. */
  async sendTest(
    { to, ...sample }: TestMail,
    organization: Organization,
    mail: NonNullable<Organization['mail']>,
  ): Promise<void> {
    const content = await createMailSample(sample, organization, this.#now());
    const messageId = createMessageId(
      { id: crypto.randomUUID(), createdAt: this.#now() },
      mail.from.address,
    );
    const message = await buildMailMessage(
      { address: to, content: { ...content, subject: `[Test] ${content.subject}` } },
      mail,
      messageId,
    );
    await mail.client.send(message);
  }
}
