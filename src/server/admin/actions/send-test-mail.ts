import type { z } from 'zod';
import { describeError } from '../../lib/describe-error.ts';
import { describeSmtpError, type SmtpError } from '../../lib/smtp-client.ts';
import type { AdminContext } from '../admin-context.ts';
import { ActionError } from './action-error.ts';
import type { mailTestSchema } from './input-schemas.ts';
import { findOnlyOrganization } from './organizations.ts';

/** @throws {ActionError} if the message was not sent. */
export async function sendTestMail(
  { organization: id, ...test }: z.output<typeof mailTestSchema>,
  { organizations, testMail, log }: AdminContext,
): Promise<{ readonly server: string }> {
  const organization = findOnlyOrganization(id, organizations);
  const { mail } = organization;
  if (!mail)
    throw new ActionError(
      400,
      `No test was sent, because "mail" is not configured for ${organization.id}. See docs/server/mail.md.`,
    );
  if (!testMail.startAttempt(organization.id))
    throw new ActionError(
      429,
      'No test was sent, because there were five within an hour. Try again later.',
    );
  try {
    await testMail.sendTest(test, organization, mail);
  } catch (error) {
    log.warn({ organization: organization.id, ...describeError(error) }, 'cannot send a test');
    const answer = describeSmtpError(error as SmtpError);
    throw new ActionError(
      409,
      `${mail.server} did not accept the test (${answer}). To check the settings, run: donation-form check`,
      { cause: error },
    );
  }
  return { server: mail.server };
}
