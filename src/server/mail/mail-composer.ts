import type { Kysely } from 'kysely';
import type { Tables } from '../database/schema.ts';
import type { EntryContext } from '../donations/outbox-entries.ts';
import type { Organization } from '../organizations/organization.ts';
import type { MailContent } from './render-mail.ts';

export interface MailRequest {
  readonly context: EntryContext;
  readonly organization: Organization;
  readonly db: Kysely<Tables>;
}

export interface ComposedMail {
  /** `undefined` if the donor gave no email. */
  readonly address: string | undefined;
  readonly content: MailContent;
}

/** Why a message is canceled instead of sent, for the staff. */
export interface MailCancellation {
  readonly reason: string;
}

/** Composes one kind of message when it is sent, from the donation as it is then. */
export type MailComposer = (request: MailRequest) => Promise<ComposedMail | MailCancellation>;
