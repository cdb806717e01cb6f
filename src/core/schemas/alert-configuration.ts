import { z } from 'zod';
import { nonEmptyArray, requireUnique, secret, serviceUrl } from './configuration-values.ts';
import { requireCompleteSignIn, smtpFields } from './mail-configuration.ts';

const email = z
  .strictObject({
    ...smtpFields,
    to: requireUnique(nonEmptyArray(z.email()), 'email', (address) => address).describe(
      'recipients',
    ),
  })
  .superRefine(requireCompleteSignIn);

export const webhookTarget = z.strictObject({
  url: serviceUrl.describe('URL to which the server sends the messages'),
  secret: secret.describe('signing secret: whsec_ followed by 24 to 64 random bytes in base64'),
});

export const alerts = z
  .strictObject({
    email: email.optional(),
    webhook: webhookTarget.optional(),
  })
  .refine(
    (channels) => channels.email !== undefined || channels.webhook !== undefined,
    'expected email, webhook, or both, such as { "email": { "host": "smtp.example.org", "from": ' +
      '"alerts@example.org", "to": ["you@example.org"] } }',
  );
export type AlertConfiguration = z.infer<typeof alerts>;
