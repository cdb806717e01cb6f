import { createPrivateKey, createPublicKey } from 'node:crypto';
import { resolveTxt } from 'node:dns/promises';
import type { MailConfiguration } from '@donation-form/core/schemas';
import { type CheckResult, createCheck } from '../lib/check-result.ts';
import { getEmailDomain } from '../lib/normalize-email.ts';
import { describeSmtpError, type SmtpError } from '../lib/smtp-client.ts';
import type { Organization } from '../organizations/organization.ts';

/** Returns the texts of a name's TXT records. @throws an error with a code if it has none. */
export type TxtResolver = (name: string) => Promise<readonly (readonly string[])[]>;

export interface MailCheckSubject extends Pick<Organization, 'id' | 'mail'> {
  readonly configuration: MailConfiguration | undefined;
  /** PEM. */
  readonly dkimKey: string | undefined;
}

/** Checks that mail to donors can be sent and will be trusted, without sending any. */
export async function checkMail(
  { id, mail, configuration, dkimKey }: MailCheckSubject,
  resolve: TxtResolver = resolveTxt,
): Promise<CheckResult[]> {
  if (!mail || !configuration)
    return [
      createCheck(`mail for ${id}`).skip(
        'No mail is configured, so the server sends donors no thank-you messages. ' +
          'To configure mail, see docs/server/mail.md.',
      ),
    ];
  const { from, dkim } = configuration;
  const domain = getEmailDomain(from);
  return Promise.all([
    checkSmtpServer(id, mail, configuration.user !== undefined),
    checkRecord(`SPF for ${domain}`, domain, resolve, {
      isMatch: (text) => /^v=spf1( |$)/i.test(text),
      advice: `Add a TXT record to ${domain} with the text that your mail provider names, such as "v=spf1 include:… ~all".`,
    }),
    checkRecord(`DMARC for ${domain}`, `_dmarc.${domain}`, resolve, {
      isMatch: (text) => /^v=DMARC1\s*;/i.test(text),
      advice: `Add a TXT record to _dmarc.${domain}, such as "v=DMARC1; p=none; rua=mailto:…". An organization's main domain can have it for its subdomains.`,
    }),
    ...(dkim && dkimKey !== undefined
      ? [checkDkim(`${dkim.selector}._domainkey.${domain}`, dkimKey, resolve)]
      : []),
  ]);
}

async function checkSmtpServer(
  id: string,
  { client, server, from }: NonNullable<Organization['mail']>,
  hasSignIn: boolean,
): Promise<CheckResult> {
  const check = createCheck(`mail for ${id}`);
  try {
    await client.verify();
    return check.pass(
      hasSignIn
        ? `${server} accepts the sign-in for messages from ${from.address}.`
        : `${server} responds. "mail" has no "user", so the server sends messages without signing in.`,
    );
  } catch (error) {
    return check.fail(
      `Cannot send mail through ${server} (${describeSmtpError(error as SmtpError)}). Check "mail".`,
    );
  }
}

function checkDkim(name: string, key: string, resolve: TxtResolver): Promise<CheckResult> {
  const publicKey = createPublicKey(createPrivateKey(key))
    .export({ type: 'spki', format: 'der' })
    .toString('base64');
  return checkRecord(`DKIM key at ${name}`, name, resolve, {
    isMatch: (text) => /(?:^|;)\s*p=([^;]*)/.exec(text)?.[1]?.replace(/\s/g, '') === publicKey,
    advice: `Add this TXT record to ${name}: v=DKIM1; k=rsa; p=${publicKey}`,
  });
}

async function checkRecord(
  title: string,
  name: string,
  resolve: TxtResolver,
  { isMatch, advice }: { readonly isMatch: (text: string) => boolean; readonly advice: string },
): Promise<CheckResult> {
  const check = createCheck(title);
  try {
    const texts = (await resolve(name)).map((parts) => parts.join(''));
    if (texts.some(isMatch)) return check.pass('The DNS record exists.');
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    if (code !== 'ENODATA' && code !== 'ENOTFOUND')
      return check.warn(`This machine cannot look up the DNS record (${code}).`);
  }
  return check.warn(
    `Without this DNS record, mailbox providers may treat messages as spam. ${advice}`,
  );
}
