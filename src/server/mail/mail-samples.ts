import type { Language } from '@donation-form/core/i18n';
import type { Donation, MailKind } from '../database/schema.ts';
import type { EntryContext } from '../donations/outbox-entries.ts';
import type { Organization } from '../organizations/organization.ts';
import { createReceiptDocument } from '../receipts/create-receipt-document.ts';
import type { ReceiptDocument } from '../receipts/receipt-document.ts';
import { createReceiptContent, createReceiptVoidContent } from './receipt-mail.ts';
import type { MailContent } from './render-mail.ts';
import { createSampleContext, createSampleReceipt } from './sample-donation.ts';
import { createThankYou } from './thank-you.ts';
import { createTribute } from './tribute.ts';

interface MailSample {
  /** Name for the staff. */
  readonly label: string;
  readonly createContent: (
    context: EntryContext,
    organization: Organization,
  ) => Promise<MailContent>;
}

/** An example of each kind of message, for previews and tests. */
export const MAIL_SAMPLES: Readonly<Record<MailKind, MailSample>> = {
  thank_you: {
    label: 'Thank you',
    createContent: (context, organization) => createThankYou(context, organization),
  },
  receipt: {
    label: 'Later receipt',
    createContent: (context, organization) =>
      createReceiptContent(createSampleReceiptSubject(context, organization), {
        ...context,
        organization,
      }),
  },
  receipt_void: {
    label: 'Receipt no longer valid',
    createContent: (context, organization) =>
      createReceiptVoidContent(createSampleReceiptSubject(context, organization), {
        ...context,
        organization,
      }),
  },
  tribute: {
    label: 'To the person named in a dedication',
    createContent: ({ donation }, organization) =>
      createTribute(addSampleTribute(donation), organization),
  },
};

function createSampleReceiptSubject(context: EntryContext, organization: Organization) {
  const { data, ...number } = createSampleReceipt(context, organization);
  return { ...number, id: context.event.id, reference: context.event.reference, payload: data };
}

function addSampleTribute(donation: Donation): Donation {
  const { payload } = donation;
  const { firstName = '' } = payload.donor;
  const tribute = { kind: 'honor', name: firstName } as const;
  return { ...donation, payload: { ...payload, gift: { ...payload.gift, tribute } } };
}

export async function createMailSample(
  { kind, language }: { readonly kind: MailKind; readonly language: Language },
  organization: Organization,
  now: number,
): Promise<MailContent> {
  const context = await createSampleContext(organization, language, now);
  return MAIL_SAMPLES[kind].createContent(context, organization);
}

/** An example of a receipt of an organization that issues receipts. */
export async function createSampleReceiptDocument(
  organization: Organization,
  language: Language,
  now: number,
): Promise<ReceiptDocument> {
  const context = await createSampleContext(organization, language, now);
  return createReceiptDocument(createSampleReceipt(context, organization), organization, now);
}
