import type { Kysely } from 'kysely';
import type { MailMessageRow, Tables } from '../database/schema.ts';
import type { EntryContext } from '../donations/outbox-entries.ts';
import type { Organization } from '../organizations/organization.ts';
import type { MailContent } from './render-mail.ts';

export interface MailRequest {
  readonly message: MailMessageRow;
  /** Of the donation or renewal. */
  readonly context: EntryContext;
  readonly organization: Organization;
  readonly db: Kysely<Tables>;
  /** In milliseconds since 1970. */
  readonly now: number;
}

export interface ComposedMail {
  /** `undefined` if the donor gave no email. */
  readonly address: string | undefined;
  readonly content: MailContent;
  /** Attached to the message. */
  readonly receipt?: MailAttachment | undefined;
  /** True for messages that the recipient did not cause, and can stop. */
  readonly canUnsubscribe?: boolean;
  /** What the message leaves out, for the staff. */
  readonly omission?: string | undefined;
}

export interface MailAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** Why a message is canceled instead of sent, for the staff. */
export interface MailCancellation {
  readonly reason: string;
}

/** The message cannot be composed yet. */
export interface MailPostponement {
  /** In milliseconds. */
  readonly delay: number;
}

/** Composes one kind of message when it is sent, from the donation as it is then. */
export type MailComposer = (
  request: MailRequest,
) => Promise<ComposedMail | MailCancellation | MailPostponement>;
