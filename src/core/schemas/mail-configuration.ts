import { z } from 'zod';
import {
  createExpectation,
  createLine,
  createLocalizedText,
  host,
  line,
  localizedText,
  secret,
} from './configuration-values.ts';

/** Fields of an SMTP server. */
export const smtpFields = {
  host: host.describe('SMTP server'),
  port: z
    .int()
    .min(1)
    .max(65_535)
    .default(587)
    .describe(
      'SMTP port: 465 uses TLS from the start; other ports require STARTTLS, except on localhost, 127.0.0.1, and ::1',
    ),
  user: line.optional().describe('username for the SMTP server'),
  password: secret.optional(),
  from: z.email().describe('sender'),
} as const;

interface SignIn {
  readonly user?: unknown;
  readonly password?: unknown;
}

/** Reports the field that is missing if there is only a username or a password. */
export function requireCompleteSignIn({ user, password }: SignIn, context: z.RefinementCtx): void {
  const expect = createExpectation(context);
  expect(
    user !== undefined || password === undefined,
    ['user'],
    'expected the username for the SMTP server, such as "give@example.org", because password is set',
  );
  expect(
    password !== undefined || user === undefined,
    ['password'],
    'expected the password for the SMTP server, such as { "env": "SMTP_PASSWORD" }, because user is set',
  );
}

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
    logo: line
      .optional()
      .describe(
        'PNG file of at most 100 kB that each message shows instead of the name; relative to the configuration file',
      ),
    subject: createLocalizedText(createLine(MAX_SUBJECT_LENGTH))
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
  .superRefine(requireCompleteSignIn);
export type MailConfiguration = z.infer<typeof mail>;
