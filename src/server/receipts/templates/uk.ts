import type { GiftAidScope } from '@donation-form/core/donation';
import type { ReceiptTemplate } from './receipt-template.ts';

const DECLARATIONS: Readonly<Record<GiftAidScope, string>> = {
  single: 'Declared for this donation',
  all: 'Declared for all your donations',
};

/**
 * Receipt of a registered charity, in English. Sources:
 * - Charities Act 2011, section 194: the receipts of a registered charity state that it is one:
 *   https://www.legislation.gov.uk/ukpga/2011/25/section/194
 * - Tax relief of donors: https://www.gov.uk/donating-to-charity/gift-aid
 */
export const uk: ReceiptTemplate = {
  version: 'uk@1',
  taxIdLabel: 'Registered charity number',
  languages: ['en-GB', 'en'],
  write: ({ issuer, amount, minorAmount, currency, formatMoney, isTest, giftAid }) => {
    const { name, taxId = '' } = issuer;
    const wording = {
      title: 'Donation receipt',
      paragraphs: [`${name} is a registered charity (${taxId}).`],
    } as const;
    if (isTest || currency !== 'GBP') return wording;
    if (!giftAid)
      return {
        ...wording,
        details: [['Gift Aid', 'No declaration']],
        paragraphs: [
          ...wording.paragraphs,
          `No Gift Aid declaration covers this donation of ${amount}, so ${name} claims no tax on it.`,
        ],
      };
    // Basic rate of 20%: a quarter of the donation.
    const reclaimableTax = formatMoney(Math.floor(minorAmount / 4));
    return {
      ...wording,
      details: [
        ['Gift Aid', DECLARATIONS[giftAid]],
        [`Tax that ${name} can reclaim`, reclaimableTax],
      ],
      paragraphs: [
        ...wording.paragraphs,
        `You have declared Gift Aid, so ${name} can reclaim ${reclaimableTax} of tax on this ` +
          `donation of ${amount}.`,
        'If you pay less Income Tax and/or Capital Gains Tax in a tax year than the amount of ' +
          'Gift Aid claimed on all your donations, it is your responsibility to pay any ' +
          'difference. If you pay tax above the basic rate, you can claim the difference between ' +
          'your rate and the basic rate.',
        `Tell ${name} if you want to cancel your declaration, if your name or home address ` +
          'changes, or if you no longer pay enough tax.',
      ],
    };
  },
};
