import { z } from 'zod';
import { currencyCode, giftUrl, secret, serviceUrl } from './configuration-values.ts';
import { lineSchema } from './text.ts';

const virtuousName = lineSchema(100).min(1);

/** Platform adapter that submits gifts to the gift import of Virtuous CRM+. */
export const virtuousCrmPlatform = z.strictObject({
  adapter: z.literal('virtuous-crm'),
  baseUrl: serviceUrl.default('https://api.virtuoussoftware.com'),
  apiKey: secret,
  giftUrl,
  transactionSource: virtuousName
    .default('donation-form')
    .describe(
      "name of this server in Virtuous; never change the name, because the name and the donation's " +
        'reference together prevent duplicates',
    ),
  giftType: z
    .union([
      virtuousName,
      z.strictObject({
        card: virtuousName.default('Credit'),
        bank: virtuousName.default('EFT'),
        paypal: virtuousName.default('PayPal'),
        wallet: virtuousName.default('Credit'),
        other: virtuousName.default('Cash'),
      }),
    ])
    .prefault({})
    .describe(
      "gift type for all gifts, or gift types by payment method, spelled as in the organization's " +
        'Virtuous account',
    ),
  emailLists: z
    .record(z.string(), virtuousName)
    .default({})
    .describe(
      'names of email lists in Virtuous, keyed by consent ID; donors who consent join the list',
    ),
  customFields: z
    .record(z.string(), virtuousName)
    .default({})
    .describe('names of custom fields in Virtuous, keyed by custom field ID'),
  designationsField: z
    .enum(['designations', 'giftDesignations'])
    .default('designations')
    .describe(
      "name of the field for a gift's projects: designations (with code), as in Virtuous's API " +
        'reference, or giftDesignations (with projectCode), as in the guides',
    ),
});
export type VirtuousCrmConfiguration = z.infer<typeof virtuousCrmPlatform>;

/** Virtuous Raise, a platform that charges and records a donation in one call. */
export const virtuousRaisePlatform = z.strictObject({
  adapter: z.literal('virtuous-raise'),
  baseUrl: serviceUrl.default('https://prod-api.raisedonors.com'),
  apiKey: secret,
  giftUrl,
  currency: currencyCode.describe(
    'currency in which the account charges donors; the API has no documented currency field',
  ),
  body: z
    .record(z.string(), z.json())
    .describe(
      'request fields in addition to amount, paymentMethodId, and paymentMethodType; values can ' +
        'contain placeholders, and one value must contain {reference}',
    ),
  referencePath: z
    .string()
    .regex(/^[\w-]+(\.[\w-]+)*$/, 'expected a dot-separated path such as comment')
    .describe("path to the gift field that contains the donation's reference"),
});
export type VirtuousRaiseConfiguration = z.infer<typeof virtuousRaisePlatform>;
