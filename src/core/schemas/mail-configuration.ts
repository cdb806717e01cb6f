import { z } from 'zod';
import { createLocalizedText, localizedText, secret } from './configuration-values.ts';
import { lineSchema } from './text.ts';

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

/** Characters. Many mail programs show fewer. */
const MAX_SUBJECT_LENGTH = 150;

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
    color: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, 'expected a color such as #0a6e5c')
      .optional()
      .describe(
        'color of the line above each message and of the amount, which becomes darker or lighter if it would be hard to read',
      ),
    logo: z
      .string()
      .min(1)
      .optional()
      .describe(
        'PNG file of at most 100 kB that each message shows instead of the name; relative to the configuration file',
      ),
    subject: createLocalizedText(lineSchema(MAX_SUBJECT_LENGTH).min(1))
      .optional()
      .describe(
        "subject of the thank-you message; default: “Thank you for your donation to” and the name, in the donor's language",
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
