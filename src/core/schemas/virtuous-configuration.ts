import { z } from 'zod';
import { lineSchema } from './text.ts';
import { secret, serviceUrl } from './configuration-values.ts';

/** Platform adapter that submits gifts to the import of Virtuous CRM+. */
export const virtuousCrmPlatform = z.strictObject({
  adapter: z.literal('virtuous-crm'),
  baseUrl: serviceUrl.default('https://api.virtuoussoftware.com'),
  apiKey: secret,
  transactionSource: lineSchema(100)
    .min(1)
    .default('donation-form')
    .describe(
      'name of this server in Virtuous; together with our reference, it prevents duplicates, so never change it',
    ),
  giftType: lineSchema(100)
    .min(1)
    .default('Cash')
    .describe('gift type of all gifts, as the organization names it in Virtuous'),
  designationsField: z
    .enum(['designations', 'giftDesignations'])
    .default('designations')
    .describe(
      'spelling of the designations: designations with code, as in the API reference of Virtuous, or giftDesignations with projectCode, as in its guides',
    ),
});
export type VirtuousCrmConfiguration = z.infer<typeof virtuousCrmPlatform>;
