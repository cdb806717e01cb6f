import type { GiftAidScope } from '@donation-form/core/donation';
import type { ReceiptDocument } from '../receipt-document.ts';

/** What the words of a UK receipt depend on. Amounts are formatted. */
export interface UkReceiptFacts {
  /** Registered name of the charity. */
  readonly organization: string;
  readonly charityNumber: string;
  /** Amount paid, less refunds. */
  readonly amount: string;
  /** Tax that the charity can reclaim: a quarter of the amount. */
  readonly reclaimableTax: string;
  /** Scope of the declaration that covers the donation, if any. */
  readonly giftAid: GiftAidScope | undefined;
  readonly isTest: boolean;
}

/**
 * Returns the parts of a UK receipt that have legal meaning, in English. Nobody has reviewed these
 * words legally yet. Sources:
 *
 * - Charities Act 2011, section 194: the receipts of a registered charity state that it is one.
 *   https://www.legislation.gov.uk/ukpga/2011/25/section/194
 * - Tax relief of donors: https://www.gov.uk/donating-to-charity/gift-aid
 */
export function buildUkReceiptTexts(
  facts: UkReceiptFacts,
): Pick<ReceiptDocument, 'details' | 'paragraphs'> &
  Pick<ReceiptDocument['issuer'], 'identifiers'> {
  const { organization, charityNumber, giftAid, reclaimableTax } = facts;
  const identifiers = [['Registered charity number', charityNumber]] as const;
  if (facts.isTest) return { identifiers, details: [], paragraphs: [] };
  if (!giftAid)
    return {
      identifiers,
      details: [['Gift Aid', 'No declaration']],
      paragraphs: [
        `${organization} is a registered charity (${charityNumber}). You have made no Gift Aid ` +
          `declaration for this donation of ${facts.amount}, so ${organization} claims no tax on it.`,
      ],
    };
  return {
    identifiers,
    details: [
      ['Gift Aid', DECLARATIONS[giftAid]],
      [`Tax that ${organization} can reclaim`, reclaimableTax],
    ],
    paragraphs: [
      `${organization} is a registered charity (${charityNumber}). You have declared Gift Aid, so ` +
        `${organization} can reclaim ${reclaimableTax} of tax on this donation of ${facts.amount}.`,
      'If you pay less Income Tax and/or Capital Gains Tax in a tax year than the amount of Gift ' +
        'Aid claimed on all your donations, it is your responsibility to pay any difference. If ' +
        'you pay tax above the basic rate, you can claim the difference between your rate and ' +
        'the basic rate.',
      `Tell ${organization} if you want to cancel your declaration, if your name or home address ` +
        'changes, or if you no longer pay enough tax.',
    ],
  };
}

const DECLARATIONS: Readonly<Record<GiftAidScope, string>> = {
  single: 'Declared for this donation',
  all: 'Declared for all your donations',
};
