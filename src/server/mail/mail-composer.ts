import type { Kysely } from 'kysely';
import type { Tables } from '../database/schema.ts';
import type { EntryContext } from '../donations/outbox-entries.ts';
import type { Organization } from '../organizations/organization.ts';
import type { MailContent } from './render-mail.ts';

export interface MailRequest {
  /** ID of the outbox entry or receipt that the message is about. */
  readonly event: string;
  /** Of the donation or renewal. */
  readonly context: EntryContext;
  readonly organization: Organization;
  readonly db: Kysely<Tables>;
}

export interface ComposedMail {
  /** `undefined` if the donor gave no email. */
  readonly address: string | undefined;
  readonly content: MailContent;
  readonly attachments?: readonly MailAttachment[] | undefined;
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
