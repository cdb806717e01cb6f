import { z } from 'zod';
import { createExpectation, line, localizedText } from './configuration-values.ts';

/** Countries whose words a receipt can contain. `neutral` claims nothing about taxes. */
export const RECEIPT_TEMPLATES = ['neutral', 'us', 'uk'] as const;
export type ReceiptTemplateName = (typeof RECEIPT_TEMPLATES)[number];

/** Of England and Wales (with the number of a linked charity), Scotland, or Northern Ireland. */
const CHARITY_NUMBER = String.raw`(?:\d{6,7}(?:-\d{1,3})?|SC\d{6}|NIC\d{6})`;

/** Formats of tax IDs that receipts name. A charity can be registered in several countries of the UK. */
const TAX_IDS: Readonly<
  Record<
    Exclude<ReceiptTemplateName, 'neutral'>,
    { readonly format: RegExp; readonly expected: string }
  >
> = {
  us: { format: /^\d{2}-\d{7}$/, expected: 'an EIN such as 12-3456789' },
  uk: {
    format: new RegExp(`^${CHARITY_NUMBER}(?:(?:, | and )${CHARITY_NUMBER})*$`),
    expected: 'a charity number such as 1234567, SC012345, or NIC123456',
  },
};

const issuer = z.strictObject({
  name: line.describe('registered name of the organization'),
  address: z
    .array(line)
    .min(1)
    .max(6)
    .describe('lines of the registered address, without the name'),
  taxId: line
    .optional()
    .describe('EIN in the US, charity number in the UK; required by those templates'),
});

/** Numbered receipts for donations. */
export const receipts = z
  .strictObject({
    template: z.enum(RECEIPT_TEMPLATES).default('neutral').describe("country's words"),
    reviewedBy: line
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
  .superRefine(({ template, reviewedBy, issuer: { taxId = '' }, keepYears }, context) => {
    const expect = createExpectation(context);
    if (template === 'neutral') {
      expect(
        keepYears === undefined,
        ['keepYears'],
        "expected nothing, because neutral receipts lose the donor's name with the donor's data; choose a tax template, or remove keepYears",
      );
      return;
    }
    const { format, expected } = TAX_IDS[template];
    expect(format.test(taxId), ['issuer', 'taxId'], `expected ${expected}`);
    expect(
      reviewedBy !== undefined,
      ['reviewedBy'],
      'expected the name of the person who has checked the words of this template, such as "Maria Example"',
    );
    expect(
      keepYears !== undefined,
      ['keepYears'],
      'expected the number of years that your accountant asks you to keep tax receipts, such as 7',
    );
  });
export type ReceiptConfiguration = z.infer<typeof receipts>;
