import type { z } from 'zod';
import { describeBlock, findBlockedRecipient } from '../../mail/blocked-recipients.ts';
import type { AdminContext } from '../admin-context.ts';
import { ActionError } from './action-error.ts';
import type { donorDeletionSchema, mailPauseSchema, organizationSchema } from './input-schemas.ts';
import { findOnlyOrganization } from './organizations.ts';

/** Stops tribute messages to an email, or all messages if the email bounced before. */
export async function blockRecipient(
  { organization: id, email, by }: z.output<typeof donorDeletionSchema>,
  { database, organizations, outboundMail }: AdminContext,
): Promise<string> {
  const organization = findOnlyOrganization(id, organizations).id;
  const key = database.donorKeys.createRecipientKey(organization, email);
  const existing = await findBlockedRecipient(database.db, organization, key);
  if (describeBlock('tribute', existing) !== undefined)
    return `${organization} already sends this email no tribute messages.`;
  await outboundMail.blockedRecipients.block({
    organization,
    key,
    reason: 'unwanted',
    blockedBy: by,
  });
  return `${organization} will send this email no more tribute messages.`;
}

/** @throws {ActionError} if the email is not blocked. */
export async function unblockRecipient(
  { organization: id, email }: z.output<typeof donorDeletionSchema>,
  { database, organizations, outboundMail }: AdminContext,
): Promise<string> {
  const organization = findOnlyOrganization(id, organizations).id;
  const key = database.donorKeys.createRecipientKey(organization, email);
  if (await outboundMail.blockedRecipients.unblock(organization, key))
    return `${organization} sends mail to this email again.`;
  throw new ActionError(404, `${organization} does not block this email. Check its spelling.`);
}

/** @throws {ActionError} if the organization sends no mail. */
function findMailOrganization(id: string | undefined, { organizations }: AdminContext): string {
  const organization = findOnlyOrganization(id, organizations);
  if (organization.mail) return organization.id;
  throw new ActionError(
    400,
    `${organization.id} sends no mail, because "mail" is missing in its configuration.`,
  );
}

export async function pauseMail(
  { organization: id, by }: z.output<typeof mailPauseSchema>,
  context: AdminContext,
): Promise<string> {
  const organization = findMailOrganization(id, context);
  return (await context.outboundMail.pauses.pauseOrganization(organization, by, ''))
    ? `The mail of ${organization} is paused. Within 5 seconds, no server sends any. Messages wait for up to three days.`
    : `The mail of ${organization} is already paused.`;
}

export async function resumeMail(
  { organization: id, by }: z.output<typeof mailPauseSchema>,
  context: AdminContext,
): Promise<string> {
  const organization = findMailOrganization(id, context);
  if (!(await context.outboundMail.pauses.resumeOrganization(organization, by, '')))
    return `The mail of ${organization} is not paused, so there is nothing to resume.`;
  context.outboundMail.wakeWorker(organization);
  return `The mail of ${organization} is no longer paused.`;
}

export async function resendFailedMail(
  { organization: id }: z.output<typeof organizationSchema>,
  context: AdminContext,
): Promise<{ readonly resent: number }> {
  const organization = findMailOrganization(id, context);
  const { outboundMail } = context;
  return {
    resent: await outboundMail.resendMessages(await outboundMail.queue.listFailed(organization)),
  };
}
