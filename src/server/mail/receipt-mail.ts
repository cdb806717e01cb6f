import type { Kysely } from 'kysely';
import { fillPlaceholders, findLanguage, getTextDirection } from '@donation-form/core/i18n';
import { createMoneyFormatter } from '@donation-form/core/money';
import type { Donation, Tables } from '../database/schema.ts';
import { formatDayInWords } from '../lib/format-day.ts';
import { createLocalizer } from '../lib/localize.ts';
import { findForm, loadTexts } from '../organizations/load-texts.ts';
import type { Organization } from '../organizations/organization.ts';
import { FILE_EXTENSIONS, findReceiptFile } from '../receipts/receipt-file.ts';
import { formatReceiptNumber } from '../receipts/receipt-number.ts';
import { isCorrection, type Receipt } from '../receipts/receipt-plan.ts';
import { RECEIPT_TEXTS, type ReceiptTexts } from '../receipts/receipt-texts.ts';
import type { MailAttachment, MailComposer } from './mail-composer.ts';
import { MAIL_TEXTS } from './mail-texts.ts';
import type { MailContent } from './render-mail.ts';

/** Sends a receipt that was issued after the thank-you message. */
export const composeReceipt: MailComposer = async ({ message, context, organization, db }) => {
  const receipt = await loadReceipt(db, message.event);
  if (receipt.status !== 'issued') return { reason: 'The receipt is no longer valid.' };
  const replaced = receipt.replaces === null ? undefined : await loadReceipt(db, receipt.replaces);
  return {
    address: context.donation.payload.donor.email,
    content: await createReceiptContent(
      receipt,
      { organization, donation: context.donation },
      replaced,
    ),
    receipt: await loadReceiptFile(db, receipt),
  };
};

/** Says that a receipt is no longer valid if no other replaces it. */
export const composeReceiptVoid: MailComposer = async ({ message, context, organization, db }) => {
  const receipt = await loadReceipt(db, message.event);
  return {
    address: context.donation.payload.donor.email,
    content: await createReceiptVoidContent(receipt, {
      organization,
      donation: context.donation,
    }),
  };
};

/** What a message says about a receipt. */
export type ReceiptSubject = Pick<
  Receipt,
  'id' | 'reference' | 'series' | 'year' | 'number' | 'payload'
>;

interface ReceiptMailContext {
  readonly organization: Organization;
  readonly donation: Donation;
}

export function createReceiptContent(
  receipt: ReceiptSubject,
  context: ReceiptMailContext,
  replaced?: ReceiptSubject,
): Promise<MailContent> {
  const { attached, changed, corrected } = RECEIPT_TEXTS[getLanguage(receipt)];
  const replacement = isCorrection(receipt) ? corrected : changed;
  return createContent(receipt, context, (texts) => ({
    subject: texts.subject,
    paragraph: replaced
      ? fillPlaceholders(replacement, { number: formatReceiptNumber(replaced) })
      : attached,
  }));
}

export async function createReceiptVoidContent(
  receipt: ReceiptSubject,
  context: ReceiptMailContext,
): Promise<MailContent> {
  const content = await createContent(receipt, context, (texts) => ({
    subject: texts.voidSubject,
    paragraph: fillPlaceholders(texts.voided, { number: formatReceiptNumber(receipt) }),
  }));
  // Such an amount must not look like a promise.
  const { amount: label } = RECEIPT_TEXTS[getLanguage(receipt)];
  const [, amount] = content.amount!;
  return { ...content, amount: undefined, details: [...content.details, [label, amount]] };
}

function loadReceipt(db: Kysely<Tables>, id: string): Promise<Receipt> {
  return db.selectFrom('receipts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

const getLanguage = ({ payload }: ReceiptSubject) => findLanguage(payload?.language ?? '') ?? 'en';

async function createContent(
  receipt: ReceiptSubject,
  { organization: { forms, mail }, donation }: ReceiptMailContext,
  describe: (texts: ReceiptTexts) => { readonly subject: string; readonly paragraph: string },
): Promise<MailContent> {
  const { amount, currency, decimals, day, isTest } = receipt.payload!;
  const language = getLanguage(receipt);
  const direction = getTextDirection(language);
  const { definition } = findForm({ forms }, donation.payload.form.id)[language];
  const { submission } = await loadTexts(language, definition);
  const texts = RECEIPT_TEXTS[language];
  const { name: organization, contact } = definition.organization;
  const { subject, paragraph } = describe(texts);
  const title = fillPlaceholders(subject, { organization });
  return {
    language,
    direction,
    subject: title,
    organization,
    title,
    amount: ['', createMoneyFormatter(language, direction)(amount, currency, decimals), ''],
    paragraphs: [paragraph],
    details: [
      [texts.number, formatReceiptNumber(receipt)],
      [texts.date, formatDayInWords(Date.parse(day), language, 'UTC')],
      [submission.reference, receipt.reference],
    ],
    closing: fillPlaceholders(submission.questions, { organization, contact }),
    signature: mail ? createLocalizer(language)(mail.signature) : organization,
    notice: isTest ? MAIL_TEXTS[language].test : undefined,
  };
}

/** @throws {Error} if the file has been erased. */
export async function loadReceiptFile(
  db: Kysely<Tables>,
  receipt: Receipt,
): Promise<MailAttachment> {
  const number = formatReceiptNumber(receipt);
  const file = await findReceiptFile(db, receipt.id);
  if (!file) throw new Error(`The file of receipt ${number} was erased.`);
  const { mediaType, content } = file;
  return {
    filename: `receipt-${number}.${FILE_EXTENSIONS[mediaType]}`,
    contentType: mediaType,
    content: Buffer.from(content),
  };
}
