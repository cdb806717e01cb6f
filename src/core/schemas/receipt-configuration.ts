import { z } from 'zod';
import { localizedText } from './configuration-values.ts';

/** Countries whose words a receipt can contain. `neutral` claims nothing about taxes. */
export const RECEIPT_TEMPLATES = ['neutral', 'us', 'uk'] as const;
export type ReceiptTemplateName = (typeof RECEIPT_TEMPLATES)[number];

const issuer = z.strictObject({
  name: z.string().min(1).describe('registered name of the organization'),
  address: z
    .array(z.string().min(1))
    .min(1)
    .max(6)
    .describe('lines of the registered address, without the name'),
  taxId: z
    .string()
    .min(1)
    .optional()
    .describe('EIN in the US, charity number in the UK; required by those templates'),
});

/** Numbered receipts for donations. */
export const receipts = z
  .strictObject({
    template: z.enum(RECEIPT_TEMPLATES).default('neutral').describe("country's words"),
    reviewedBy: z
      .string()
      .min(1)
      .optional()
      .describe(
        "person who has checked the template's words for the organization; required by every template except neutral",
      ),
    issuer,
    series: z
      .string()
      .regex(/^[A-Z0-9]{1,10}$/, 'expected up to 10 capital letters and digits, such as WEB')
      .default('WEB')
      .refine((series) => series !== 'TEST', 'expected another series: TEST is for test donations')
      .describe('first part of the number, to tell these receipts from those of other software'),
    keepYears: z
      .int()
      .min(0)
      .max(100)
      .optional()
      .describe(
        "full calendar years after the year of issue during which issued receipts keep the donor's name and address, even after the donor's data is deleted; ask your accountant; required by every template except neutral, which keeps none",
      ),
    pdf: z
      .boolean()
      .default(false)
      .describe('attaches receipts as PDF, which needs an optional package'),
    message: localizedText.optional().describe("a paragraph in the organization's own words"),
  })
  .refine(({ template, reviewedBy }) => template === 'neutral' || reviewedBy !== undefined, {
    path: ['reviewedBy'],
    error: 'expected the name of the person who has checked the words of this template',
  })
  .refine(({ template, issuer: { taxId } }) => template === 'neutral' || taxId !== undefined, {
    path: ['issuer', 'taxId'],
    error: 'expected the EIN (template us) or the charity number (template uk)',
  })
  .refine(({ template, keepYears }) => template === 'neutral' || keepYears !== undefined, {
    path: ['keepYears'],
    error: 'expected the number of years that your accountant asks you to keep tax receipts',
  });
export type ReceiptConfiguration = z.infer<typeof receipts>;
