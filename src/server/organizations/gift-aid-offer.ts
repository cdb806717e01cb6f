import { fillPlaceholders, type Language } from '@donation-form/core/i18n';
import type { FormConfiguration, GiftAidOffer } from '@donation-form/core/schemas';
import { createLocalizer } from '../lib/localize.ts';

/**
 * Own words with the content that HMRC requires: the charity's name, the donations, and the donor's
 * responsibility. Source: https://www.gov.uk/government/publications/charities-detailed-guidance-notes/chapter-3-gift-aid
 * (3.6). These declarations are in English in every language, because they have legal effect.
 */
const DECLARATIONS = {
  single:
    'I want {organization} to claim Gift Aid on this donation. I am a UK taxpayer, and I ' +
    'understand that if I pay less Income Tax and/or Capital Gains Tax in the current tax year ' +
    'than the amount of Gift Aid claimed on all my donations, it is my responsibility to pay any ' +
    'difference.',
  all:
    'I want {organization} to claim Gift Aid on this donation, on all donations that I make in ' +
    'the future, and on all donations that I have made in the past 4 years. I am a UK taxpayer, ' +
    'and I understand that if I pay less Income Tax and/or Capital Gains Tax in a tax year than ' +
    'the amount of Gift Aid claimed on all my donations in that year, it is my responsibility to ' +
    'pay any difference. I will tell {organization} if I want to cancel this declaration, change ' +
    'my name or home address, or no longer pay enough tax.',
} as const;

export function buildGiftAidOffer(
  giftAid: FormConfiguration['giftAid'],
  organization: string,
  language: Language,
): GiftAidOffer | undefined {
  if (giftAid === false) return undefined;
  if (giftAid === true)
    return {
      single: fillPlaceholders(DECLARATIONS.single, { organization }),
      all: fillPlaceholders(DECLARATIONS.all, { organization }),
      language: 'en-GB',
    };
  const localize = createLocalizer(language);
  return { single: localize(giftAid.single), all: localize(giftAid.all), language };
}
