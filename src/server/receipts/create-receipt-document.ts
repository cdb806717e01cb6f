import { fillPlaceholders, getTextDirection, type Language } from '@donation-form/core/i18n';
import { createMoneyFormatter } from '@donation-form/core/money';
import type { ReceiptConfiguration } from '@donation-form/core/schemas';
import type { ReceiptData } from '../database/schema.ts';
import { getDonationTotal } from '../donations/total.ts';
import { formatDayInWords } from '../lib/format-day.ts';
import { createLocalizer } from '../lib/localize.ts';
import { findForm, loadTexts } from '../organizations/load-texts.ts';
import type { Organization } from '../organizations/organization.ts';
import type { ReceiptDocument } from './receipt-document.ts';
import { formatReceiptNumber } from './receipt-number.ts';
import type { NewNumberedReceipt } from './receipt-plan.ts';
import { RECEIPT_TEXTS } from './receipt-texts.ts';
import { getReceiptTemplate } from './templates/index.ts';

/** @param at time of issue, in milliseconds since 1970. */
export async function createReceiptDocument(
  receipt: NewNumberedReceipt,
  organization: Organization,
  at: number,
): Promise<ReceiptDocument> {
  const settings = organization.receipts!;
  const { data } = receipt;
  const template = getReceiptTemplate(settings.template);
  const language = template.languages.find((each) => each === data.language) ?? 'en';
  const direction = getTextDirection(language);
  const texts = RECEIPT_TEXTS[language];
  const localize = createLocalizer(language);
  const formatMoney = createMoneyFormatter(language, direction);
  const formatAmount = (minor: number): string => formatMoney(minor, data.currency, data.decimals);
  const amount = formatAmount(data.amount);
  const date = formatDayInWords(Date.parse(data.day), language, 'UTC');
  const {
    title,
    paragraphs,
    details = [],
  } = template.write({
    language,
    issuer: settings.issuer,
    amount,
    minorAmount: data.amount,
    currency: data.currency,
    formatMoney: formatAmount,
    isTest: data.isTest,
    giftAid: receipt.giftAid,
    date,
  });
  const issuedOn = formatDayInWords(at, language, organization.timeZone);
  const formLabels = await loadFormLabels(receipt, organization, language);
  return {
    language,
    direction,
    paper: template.paper,
    title,
    number: formatReceiptNumber(receipt),
    issuedOn: fillPlaceholders(texts.issuedOn, { date: issuedOn }),
    issuer: describeIssuer(settings),
    recipient: data.donor ?? { name: '', addressLines: [] },
    notices: listNotices(receipt, language),
    details: [[texts.date, date], [texts.amount, amount], ...details, ...formLabels.details],
    paragraphs: [
      ...paragraphs,
      ...listRemarks(receipt, language, formLabels.feeBreakdown, formatAmount),
      ...(settings.message === undefined ? [] : [localize(settings.message)]),
    ],
    signature: organization.mail ? localize(organization.mail.signature) : settings.issuer.name,
  };
}

export function describeIssuer({
  template,
  issuer: { name, address, taxId },
}: Pick<ReceiptConfiguration, 'template' | 'issuer'>): ReceiptDocument['issuer'] {
  const { taxIdLabel } = getReceiptTemplate(template);
  const hasTaxId = taxIdLabel !== undefined && taxId !== undefined;
  return { name, addressLines: address, identifiers: hasTaxId ? [[taxIdLabel, taxId]] : [] };
}

function listNotices(
  {
    data: { isTest },
    replaced,
  }: { readonly data: ReceiptData; readonly replaced: NewNumberedReceipt['replaced'] },
  language: Language,
): readonly string[] {
  const { test, replaces } = RECEIPT_TEXTS[language];
  return [
    ...(isTest ? [test] : []),
    ...(replaced ? [fillPlaceholders(replaces, { number: formatReceiptNumber(replaced) })] : []),
  ];
}

/** Describes how the amount came about. */
function listRemarks(
  { data: { amount }, gift: { donation, renewal } }: NewNumberedReceipt,
  language: Language,
  feeBreakdown: string,
  formatMoney: (minor: number) => string,
): readonly string[] {
  const { recurring, refunded } = RECEIPT_TEXTS[language];
  const { gift } = donation.payload;
  const { total } = getDonationTotal(donation, renewal);
  return [
    ...(amount === gift.total && gift.coveredFees > 0
      ? [
          fillPlaceholders(feeBreakdown, {
            amount: formatMoney(gift.amount),
            fee: formatMoney(gift.coveredFees),
          }),
        ]
      : []),
    ...(gift.frequency === 'once' ? [] : [recurring]),
    ...(amount < total ? [refunded] : []),
  ];
}

async function loadFormLabels(
  { gift: { donation, reference } }: NewNumberedReceipt,
  organization: Organization,
  language: Language,
) {
  const { form, projects } = donation.payload;
  const { definition } = findForm(organization, form.id)[language];
  const texts = await loadTexts(language, definition);
  const purpose = projects.map(({ name }) => name).join(', ');
  const details: ReceiptDocument['details'] = [
    ...(purpose === '' ? [] : [[texts.form.purpose, purpose] as const]),
    [texts.submission.reference, reference],
  ];
  return { details, feeBreakdown: texts.submission.feeBreakdown };
}
