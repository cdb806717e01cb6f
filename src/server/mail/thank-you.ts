import { fillPlaceholders, findLanguage, getTextDirection } from '@donation-form/core/i18n';
import { createMoneyFormatter } from '@donation-form/core/money';
import type { Donation } from '../database/schema.ts';
import type { EntryContext } from '../donations/outbox-entries.ts';
import { toOutcome } from '../donations/to-outcome.ts';
import { getDonationTotal } from '../donations/total.ts';
import { formatDayInWords } from '../lib/format-day.ts';
import { createLocalizer } from '../lib/localize.ts';
import { findForm, loadTexts } from '../organizations/load-texts.ts';
import type { Organization } from '../organizations/organization.ts';
import { findReceipt } from '../receipts/receipt-list.ts';
import { formatReceiptNumber } from '../receipts/receipt-number.ts';
import type { Receipt } from '../receipts/receipt-plan.ts';
import { RECEIPT_TEXTS } from '../receipts/receipt-texts.ts';
import { getGreetableName } from './donor-words.ts';
import type { MailComposer } from './mail-composer.ts';
import { countMessagesToRecipient } from './mail-limits.ts';
import { MAIL_TEXTS } from './mail-texts.ts';
import { loadReceiptFile } from './receipt-mail.ts';
import type { MailContent } from './render-mail.ts';

/** Only a real payment makes it likely that the email is the donor's. */
export function isPaid({ status, payload }: Pick<Donation, 'status' | 'payload'>): boolean {
  return status === 'succeeded' && !payload.isTest;
}

/** Per mailbox and organization. Anybody can make a pledge with another person's email. */
const MAX_UNPAID_PER_DAY = 5;
/** For the receipt, in milliseconds. */
const MIN_WAIT = 2_000;
const MAX_WAIT = 3_600_000;

export const composeThankYou: MailComposer = async ({
  message,
  context,
  organization,
  db,
  now,
}) => {
  const { donation, renewal } = context;
  if (donation.status === 'failed' && !renewal) return { reason: 'The payment failed.' };
  if (!isPaid(donation) && (await countMessagesToRecipient(db, message)) >= MAX_UNPAID_PER_DAY)
    return { reason: 'Too many unpaid donations with this email within a day.' };
  const receipt = organization.receipts && (await findReceipt(db, message.event));
  // Later, the receipt gets a message of its own.
  if (receipt?.status === 'due' && now < message.createdAt + MAX_WAIT)
    return { delay: Math.max(MIN_WAIT, Math.min(receipt.nextRunAt - now, MAX_WAIT)) };
  const issued = receipt?.status === 'issued' ? receipt : undefined;
  return {
    address: donation.payload.donor.email,
    content: await createThankYou(context, organization, issued),
    receipt: issued && (await loadReceiptFile(db, issued)),
  };
};

/** Thanks the donor for a donation or renewal, in the language of the form. */
export async function createThankYou(
  { event, donation, renewal }: EntryContext,
  { forms, mail, timeZone }: Pick<Organization, 'forms' | 'mail' | 'timeZone'>,
  receipt?: Receipt,
): Promise<MailContent> {
  const { gift, donor, form, decimals, projects, isTest, receiptSender } = donation.payload;
  const language = findLanguage(form.language) ?? 'en';
  const direction = getTextDirection(language);
  const { definition } = findForm({ forms }, form.id)[language];
  const { submission, form: formTexts } = await loadTexts(language, definition);
  const mailTexts = MAIL_TEXTS[language];
  const localize = createLocalizer(language);
  const writeMoney = createMoneyFormatter(language, direction);
  const formatMoney = (minor: number): string => writeMoney(minor, gift.currency, decimals);
  const { name: organization, contact } = definition.organization;
  const { status, instructions } = renewal
    ? { status: 'succeeded', instructions: undefined }
    : { instructions: undefined, ...toOutcome(donation) };
  const name =
    isPaid(donation) || (renewal && !isTest) ? getGreetableName(donor.firstName) : undefined;
  const fill = (text: string): string => fillPlaceholders(text, { organization, contact, name });
  const { total } = getDonationTotal(donation, renewal);
  const [before = '', after = ''] = formTexts.amountsByFrequency[gift.frequency].split('{amount}');
  const isProcessing = status === 'processing';
  const date = formatDayInWords(
    renewal ? event.happenedAt : donation.createdAt,
    language,
    timeZone,
  );
  return {
    language,
    direction,
    subject: mail?.subject === undefined ? fill(mailTexts.thankYou) : localize(mail.subject),
    organization,
    title: fill(name === undefined ? submission.thanksTitle : submission.thanksTitleWithName),
    amount: [before, formatMoney(total), after],
    paragraphs: [
      ...(gift.coveredFees > 0 && total === gift.total
        ? [
            fillPlaceholders(submission.feeBreakdown, {
              amount: formatMoney(gift.amount),
              fee: formatMoney(gift.coveredFees),
            }),
          ]
        : []),
      ...(mail?.thankYou === undefined ? [] : [localize(mail.thankYou)]),
      ...(isProcessing && instructions === undefined ? [submission.processingDescription] : []),
      ...(receipt ? [RECEIPT_TEXTS[language].attached] : []),
      ...(status === 'succeeded' && receiptSender !== 'none' && receiptSender !== 'us'
        ? [fill(submission.receipts[receiptSender])]
        : []),
    ],
    panel:
      instructions === undefined
        ? undefined
        : { title: submission.instructionsTitle, text: instructions },
    details: [
      ...(projects.length > 0
        ? [[formTexts.purpose, projects.map(({ name }) => name).join(', ')] as const]
        : []),
      [RECEIPT_TEXTS[language].date, date],
      [submission.reference, event.reference],
      ...(receipt ? [[RECEIPT_TEXTS[language].number, formatReceiptNumber(receipt)] as const] : []),
    ],
    closing: fill(submission.questions),
    signature: mail ? localize(mail.signature) : organization,
    notice: isTest ? mailTexts.test : undefined,
  };
}
