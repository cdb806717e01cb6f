import { z } from 'zod';
import { nonEmptyArray, requireUnique, secret, serviceUrl } from './configuration-values.ts';
import { hasCompleteSignIn, INCOMPLETE_SIGN_IN_ERROR, smtpFields } from './mail-configuration.ts';

const email = z
  .strictObject({
    ...smtpFields,
    to: requireUnique(nonEmptyArray(z.email()), 'email', (address) => address).describe(
      'recipients',
    ),
  })
  .refine(hasCompleteSignIn, INCOMPLETE_SIGN_IN_ERROR);

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
        'URL of the admin pages, to which messages link; default: admin.url',
      ),
  })
  .refine(
    (channels) => channels.email !== undefined || channels.webhook !== undefined,
    'expected email, webhook, or both',
  );
export type AlertConfiguration = z.infer<typeof alerts>;
