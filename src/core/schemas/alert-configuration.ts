import { z } from 'zod';
import { nonEmptyArray, requireUnique, secret, serviceUrl } from './configuration-values.ts';

const email = z
  .strictObject({
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
    to: requireUnique(nonEmptyArray(z.email()), 'email', (address) => address).describe(
      'recipients',
    ),
  })
  .refine(({ user, password }) => (user === undefined) === (password === undefined), {
    path: ['password'],
    error: 'expected both user and password, or neither',
  });

export const webhookTarget = z.strictObject({
  url: serviceUrl.describe('URL to which the server sends the messages'),
  secret: secret.describe('signing secret: whsec_ followed by 24 to 64 random bytes in base64'),
});

export const alerts = z
  .strictObject({
    email: email.optional(),
    webhook: webhookTarget.optional(),
    adminUrl: z
      .url({ protocol: /^https?$/, error: 'expected a URL such as http://127.0.0.1:4103' })
      .optional()
      .describe(
        "URL of the admin pages, to which messages link; default: the admin listener's URL",
      ),
  })
  .refine(
    (channels) => channels.email !== undefined || channels.webhook !== undefined,
    'expected email, webhook, or both',
  );
export type AlertConfiguration = z.infer<typeof alerts>;
