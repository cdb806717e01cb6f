import { fillPlaceholders, getTextDirection, LANGUAGES } from '@donation-form/core/i18n';
import { isolateText } from '../pdf/prepare-text.ts';
import { RECEIPT_TEXTS } from '../receipt-texts.ts';
import type { ReceiptTemplate } from './receipt-template.ts';

/** Claims nothing about taxes. */
export const neutral: ReceiptTemplate = {
  version: 'neutral@1',
  languages: LANGUAGES,
  write: ({ language, issuer }) => {
    const { title, confirmation } = RECEIPT_TEXTS[language];
    const organization =
      getTextDirection(language) === 'rtl' ? isolateText(issuer.name) : issuer.name;
    return { title, paragraphs: [fillPlaceholders(confirmation, { organization })] };
  },
};
