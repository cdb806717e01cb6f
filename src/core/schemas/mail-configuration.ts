import { z } from 'zod';
import { localizedText, secret } from './configuration-values.ts';

/** Fields of an SMTP server. */
export const smtpFields = {
  host: z.string().min(1).describe('SMTP server'),
  port: z
    .int()
    .min(1)
    .max(65_535)
    .default(587)
    .describe(
      'SMTP port: 465 uses TLS from the start; other ports require STARTTLS, except on localhost, 127.0.0.1, and ::1',
    ),
  user: z.string().min(1).optional().describe('username for the SMTP server'),
  password: secret.optional(),
  from: z.email().describe('sender'),
} as const;

interface SignIn {
  readonly user?: unknown;
  readonly password?: unknown;
}

export const hasCompleteSignIn = ({ user, password }: SignIn): boolean =>
  (user === undefined) === (password === undefined);

export const INCOMPLETE_SIGN_IN_ERROR = {
  path: ['password'],
  error: 'expected both user and password, or neither',
};

const dkim = z.strictObject({
  selector: z
    .string()
    .regex(
      /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i,
      'expected a DKIM selector, such as donations',
    )
    .describe("name of the key's DNS record, <selector>._domainkey.<domain of the sender>"),
  privateKey: secret.describe('environment variable or file with the private key in PEM format'),
});

/** Mail to donors. */
export const mail = z
  .strictObject({
    ...smtpFields,
    replyTo: z
      .email()
      .optional()
      .describe("email that receives donors' replies; default: the organization's contact"),
    dkim: dkim
      .optional()
      .describe('signs each message; leave out if the SMTP server signs messages'),
    eventSecret: secret
      .optional()
      .describe(
        'environment variable or file with the secret with which your mail provider reports bounces',
      ),
    thankYou: localizedText
      .optional()
      .describe("a paragraph of the thank-you message, in the organization's own words"),
    signature: localizedText
      .optional()
      .describe("last lines of each message; default: the organization's name"),
  })
  .refine(hasCompleteSignIn, INCOMPLETE_SIGN_IN_ERROR);
export type MailConfiguration = z.infer<typeof mail>;
