import sharp from 'sharp';
import type { Language } from '../../src/core/i18n/languages.ts';
import { loadConfiguration } from '../../src/server/config/load-configuration.ts';
import { buildForms } from '../../src/server/config/validate-configuration.ts';
import type { Donation } from '../../src/server/database/schema.ts';
import type { EntryContext } from '../../src/server/donations/outbox-entries.ts';
import {
  createReceiptContent,
  createReceiptVoidContent,
} from '../../src/server/mail/receipt-mail.ts';
import { type MailContent, renderMail } from '../../src/server/mail/render-mail.ts';
import { createSampleContext, createSampleReceipt } from '../../src/server/mail/sample-donation.ts';
import { createThankYou } from '../../src/server/mail/thank-you.ts';
import { createTribute } from '../../src/server/mail/tribute.ts';
import type { Organization } from '../../src/server/organizations/organization.ts';
import { createReceiptDocument } from '../../src/server/receipts/create-receipt-document.ts';
import type { ReceiptDocument } from '../../src/server/receipts/receipt-document.ts';
import type { Receipt } from '../../src/server/receipts/receipt-plan.ts';
import { renderReceiptHtml } from '../../src/server/receipts/render-receipt.ts';
import { usReceipts } from '../server/receipts/support.ts';

const NOW = Date.UTC(2026, 10, 20, 9, 30);

/** A message or receipt in a picture. */
export interface Document {
  readonly title: string;
  readonly html: string;
}

const mark = await sharp('demo/site/images/mark.svg', { density: 300 })
  .resize(112, 112)
  .png()
  .toBuffer();

const [forms] = buildForms(await loadConfiguration('demo/donation-form.config.json'));
const organization = {
  id: 'lanternwell',
  timeZone: 'UTC',
  forms: forms!,
  receipts: usReceipts,
  mail: {
    color: '#0a6e5c',
    logo: { content: mark, width: 112, height: 112 },
    thankYou: {
      en: 'Your gift pays for clean water. We’ll write to you in spring about the wells.',
      ar: 'يساهم تبرعكم في توفير مياه نظيفة. سنكتب إليكم في الربيع عن الآبار.',
    },
    signature: { en: 'Mara and the Lanternwell team', ar: 'مارا وفريق Lanternwell' },
  },
} as unknown as Organization;

const INSTRUCTIONS: Readonly<Partial<Record<Language, string>>> = {
  en: 'Send {total} to:\nLanternwell\nIBAN DE89 3704 0044 0532 0130 00\nReason: {reference}',
  ar: 'حوّلوا {total} إلى:\nLanternwell\nIBAN DE89 3704 0044 0532 0130 00\nسبب التحويل: {reference}',
};

type Change = Partial<Omit<Donation, 'payload'>> & { readonly payload?: object };

const changeDonation = (context: EntryContext, { payload, ...change }: Change): EntryContext => ({
  ...context,
  donation: {
    ...context.donation,
    ...change,
    payload: { ...context.donation.payload, ...payload },
  },
});

/** Creates one message of each kind. */
async function createContents(
  language: Language,
): Promise<readonly (readonly [title: string, content: MailContent])[]> {
  const [firstName, lastName] = language === 'ar' ? ['ليلى', 'حداد'] : ['Ana', 'Souza'];
  const sample = await createSampleContext(organization, language, NOW);
  const gift = { ...sample.donation.payload.gift, frequency: 'once', amount: 5_000, total: 5_000 };
  const donor = { firstName, lastName, email: 'ana@example.org' };
  const once = changeDonation(sample, { payload: { donor, gift, receiptSender: 'us' } });
  const { data, ...numbered } = createSampleReceipt(once, organization);
  const receipt = {
    ...numbered,
    id: 'receipt',
    reference: once.event.reference,
    payload: data,
  } as unknown as Receipt;
  const replacement = { ...receipt, number: 2 };
  const correction = { ...replacement, id: 'correction 7K4M9-QXD2P 1' };
  const about = { ...once, organization };
  const covered = { ...gift, amount: 5_000, coveredFees: 181, total: 5_181, frequency: 'monthly' };
  const tribute = {
    kind: 'memory',
    name: language === 'ar' ? 'أمينة' : 'Rose',
    message: language === 'ar' ? 'نشتاق إليها كل يوم.' : 'We miss her every day.',
  };
  const thank = (change: Change, issued?: Receipt): Promise<MailContent> =>
    createThankYou(changeDonation(once, change), organization, issued);
  return [
    ['Once, with a receipt', await thank({}, receipt)],
    ['Monthly, with covered fees', await thank({ payload: { gift: covered } })],
    [
      'Bank transfer',
      await thank({
        status: 'processing',
        awaiting: 'donor',
        payload: {
          instructions: INSTRUCTIONS[language],
        },
      }),
    ],
    ['Bank debit', await thank({ status: 'processing', awaiting: 'bank' })],
    ['Test', await thank({ payload: { isTest: true } })],
    [
      'Dedication',
      await createTribute(
        changeDonation(once, { payload: { gift: { ...gift, tribute } } }).donation,
        organization,
      ),
    ],
    ['Later receipt', await createReceiptContent(receipt, about)],
    ['Receipt after a refund', await createReceiptContent(replacement, about, receipt)],
    ['Corrected receipt', await createReceiptContent(correction, about, receipt)],
    ['Void receipt', await createReceiptVoidContent(receipt, about)],
  ];
}

async function renderMails(language: Language): Promise<readonly Document[]> {
  const contents = await createContents(language);
  return Promise.all(
    contents.map(async ([title, content]) => {
      const { html, attachments } = await renderMail(content, organization.mail);
      const [logo] = attachments;
      const url = `data:image/png;base64,${logo!.content.toString('base64')}`;
      return { title, html: html.replace(`cid:${logo!.cid}`, url) };
    }),
  );
}

/** Renders each message as text. */
async function renderMailTexts(language: Language): Promise<readonly Document[]> {
  const contents = await createContents(language);
  return Promise.all(
    contents.map(async ([title, content]) => {
      const { text } = await renderMail(content);
      const html = `<pre style="margin: 0; padding: 16px; font: 15px/1.5 monospace; white-space: pre-wrap" dir="auto">${text}</pre>`;
      return { title, html };
    }),
  );
}

/** Creates receipts of each template. */
async function createReceipts(): Promise<
  readonly { readonly title: string; readonly document: ReceiptDocument }[]
> {
  const create = async (
    title: string,
    language: Language,
    receipts: object = usReceipts,
    change: object = {},
    data: object = {},
  ) => {
    const context = await createSampleContext(organization, language, NOW);
    const issuer = { ...organization, receipts } as Organization;
    const sample = createSampleReceipt(context, issuer);
    const document = await createReceiptDocument(
      {
        ...sample,
        ...change,
        data: {
          ...sample.data,
          donor: { name: 'Ana Souza', addressLines: ['12 Mill Lane', 'Portland, OR 97202'] },
          ...data,
        },
      },
      issuer,
      NOW,
    );
    return { title, document };
  };
  const ukIssuer = {
    name: 'Lanternwell',
    address: ['1 Harbor Road', 'Bristol', 'BS1 4ST'],
    taxId: '1234567',
  };
  return [
    await create('US', 'en'),
    await create(
      'UK, with Gift Aid, replaces another',
      'en-GB',
      { ...usReceipts, template: 'uk', issuer: ukIssuer },
      { giftAid: 'all', number: 2, replaced: { series: 'WEB', year: 2026, number: 1 } },
      { currency: 'GBP' },
    ),
    await create(
      'Neutral, in Arabic, test',
      'ar',
      { ...usReceipts, template: 'neutral' },
      { series: 'TEST' },
      { isTest: true, donor: undefined },
    ),
  ];
}

async function renderReceipts(): Promise<readonly Document[]> {
  const receipts = await createReceipts();
  return Promise.all(
    receipts.map(async ({ title, document }) => {
      const { content } = await renderReceiptHtml(document);
      return { title, html: new TextDecoder().decode(content) };
    }),
  );
}

/** Documents side by side. */
export interface MailPicture {
  /** File name, without `.png`. */
  readonly name: string;
  readonly render: () => Promise<readonly Document[]>;
  /** Of each document, in CSS pixels. */
  readonly width: number;
  readonly columns: number;
  readonly scheme?: 'dark';
}

export const MAIL_PICTURES: readonly MailPicture[] = [
  { name: 'light', render: () => renderMails('en'), width: 600, columns: 4 },
  { name: 'dark', render: () => renderMails('en'), width: 600, columns: 4, scheme: 'dark' },
  { name: 'arabic', render: () => renderMails('ar'), width: 390, columns: 5 },
  { name: 'narrow', render: () => renderMails('en'), width: 320, columns: 5 },
  { name: 'text', render: () => renderMailTexts('en'), width: 390, columns: 5 },
  { name: 'receipts', render: renderReceipts, width: 760, columns: 3 },
];
