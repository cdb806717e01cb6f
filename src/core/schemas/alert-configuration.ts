import { z } from 'zod';
import { requireUnique, secret, serviceUrl } from './configuration-values.ts';
import { nonEmptyArray } from './form-definition.ts';

const email = z
  .strictObject({
    host: z.string().min(1).describe('SMTP server'),
    port: z
      .int()
      .min(1)
      .max(65_535)
      .default(587)
      .describe(
        '465 for TLS from the start; other ports require STARTTLS, except at localhost, 127.0.0.1, and ::1',
      ),
    user: z.string().min(1).optional().describe('user name at the SMTP server'),
    password: secret.optional(),
    from: z.email().describe('sender'),
    to: requireUnique(nonEmptyArray(z.email()), 'email', (address) => address).describe(
      'recipients',
    ),
  })
  .refine(({ user, password }) => (user === undefined) === (password === undefined), {
    path: ['password'],
    error: 'expected user and password, or neither',
  });

const webhook = z.strictObject({
  url: serviceUrl.describe('URL that receives the messages'),
  secret: secret.describe('signing secret: whsec_ followed by 24 to 64 random bytes in base64'),
});

/** Where the server sends messages about problems that need a person. */
export const alerts = z
  .strictObject({
    email: email.optional(),
    webhook: webhook.optional(),
    adminUrl: z
      .url({ protocol: /^https?$/, error: 'expected a URL such as http://127.0.0.1:4103' })
      .optional()
      .describe(
        "URL of the admin pages, for the links in messages; if absent, the admin listener's",
      ),
  })
  .refine(
    (channels) => channels.email !== undefined || channels.webhook !== undefined,
    'expected email, webhook, or both',
  );
export type AlertConfiguration = z.infer<typeof alerts>;
