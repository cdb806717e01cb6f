import { z } from 'zod';
import { lineSchema } from './text.ts';
import { giftUrl, secret, serviceUrl } from './configuration-values.ts';

/** Platform adapter that submits gifts to the import of Virtuous CRM+. */
export const virtuousCrmPlatform = z.strictObject({
  adapter: z.literal('virtuous-crm'),
  baseUrl: serviceUrl.default('https://api.virtuoussoftware.com'),
  apiKey: secret,
  giftUrl,
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
      'spelling of the designations: designations with code, as in the API reference of ' +
        'Virtuous, or giftDesignations with projectCode, as in its guides',
    ),
});
export type VirtuousCrmConfiguration = z.infer<typeof virtuousCrmPlatform>;

/** Platform that charges donations and records them in one call: Virtuous Raise. */
export const virtuousRaisePlatform = z.strictObject({
  adapter: z.literal('virtuous-raise'),
  baseUrl: serviceUrl.default('https://prod-api.raisedonors.com'),
  apiKey: secret,
  giftUrl,
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'expected an uppercase ISO 4217 code, such as USD')
    .describe('currency in which the account charges; the call has no documented currency'),
  body: z
    .record(z.string(), z.json())
    .describe(
      'fields of the call in addition to amount, paymentMethodId, and paymentMethodType, ' +
        'with placeholders; one of them contains {reference}',
    ),
  referencePath: z
    .string()
    .regex(/^[\w-]+(\.[\w-]+)*$/, 'expected a dot-separated path such as comment')
    .describe('path to the field of a gift that contains our reference'),
});
export type VirtuousRaiseConfiguration = z.infer<typeof virtuousRaisePlatform>;
