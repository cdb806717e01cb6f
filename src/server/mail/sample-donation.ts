import type { Language } from '@donation-form/core/i18n';
import type { Donation, DonationPayload } from '../database/schema.ts';
import { buildDonationRow } from '../donations/donation-repository.ts';
import { buildOutboxRow, type EntryContext } from '../donations/outbox-entries.ts';
import { loadTexts } from '../organizations/load-texts.ts';
import type { Organization } from '../organizations/organization.ts';
import { createReceiptData, type NewNumberedReceipt } from '../receipts/receipt-plan.ts';
import { getReceiptTemplate } from '../receipts/templates/index.ts';

const SAMPLE_REFERENCE = '7K4M9-QXD2P';

/**
 * Creates a paid donation for previews, as the organization's first form suggests it. The donor's
 * name is the label of the field.
 */
export async function createSampleContext(
  { id, forms }: Pick<Organization, 'id' | 'forms'>,
  language: Language,
  now: number,
): Promise<EntryContext> {
  const { definition } = forms[0]![language];
  const texts = await loadTexts(language, definition);
  const { firstName, lastName } = texts.form.fields;
  const payload: DonationPayload = {
    ...createSampleGift(definition),
    donor: { firstName, lastName, email: 'donor@example.org' },
    form: { id: definition.id, language },
    payment: { provider: 'stripe', method: 0 },
    organization: definition.organization.name,
    receiptSender: definition.receiptSender,
    isTest: false,
  };
  const reference = SAMPLE_REFERENCE;
  const keys = { reference, organization: id, idempotencyKeyHash: '', fingerprint: '' };
  const donation: Donation = {
    ...buildDonationRow({ ...keys, payload }, now),
    status: 'succeeded',
    paymentId: null,
    nextRunAt: 0,
    lockedUntil: 0,
    donorKey: '',
    notifyKey: null,
  };
  const entry = { id: `donation ${reference}`, reference, kind: 'donation' } as const;
  const event = buildOutboxRow(id, entry, now);
  return { event, donation, renewal: undefined };
}

function createSampleGift({
  currencies: [{ code, decimals, minimum, giftArray }],
  frequencies: [frequency],
  projects: [{ id, code: projectCode, name }],
}: Organization['forms'][0]['en']['definition']): Pick<
  DonationPayload,
  'gift' | 'decimals' | 'projects'
> {
  const suggestion = giftArray.find(({ isDefault }) => isDefault) ?? giftArray[0];
  const amount = suggestion?.value ?? minimum;
  return {
    gift: {
      amount,
      total: amount,
      coveredFees: 0,
      coverCosts: false,
      currency: code,
      frequency,
      projects: [{ id, amount }],
    },
    decimals,
    projects: [{ id, code: projectCode, name }],
  };
}

/** The first receipt of the year, for the sample donation. */
export function createSampleReceipt(
  { event: { reference, happenedAt }, donation }: EntryContext,
  { receipts, timeZone }: Pick<Organization, 'receipts' | 'timeZone'>,
): NewNumberedReceipt {
  const { total: amountPaid } = donation.payload.gift;
  const gift = { reference, donation, renewal: undefined, amountPaid, paidAt: happenedAt };
  const data = createReceiptData(gift, timeZone);
  return {
    series: receipts?.series ?? 'WEB',
    year: Number(data.day.slice(0, 4)),
    number: 1,
    template: getReceiptTemplate(receipts?.template ?? 'neutral').version,
    keepUntil: undefined,
    data,
    replaced: undefined,
    gift,
    giftAid: undefined,
  };
}
