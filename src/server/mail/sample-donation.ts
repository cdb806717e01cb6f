import type { Language } from '@donation-form/core/i18n';
import type { Donation, DonationPayload } from '../database/schema.ts';
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
  const donation: Donation = {
    reference: SAMPLE_REFERENCE,
    organization: id,
    payload: {
      ...createSampleGift(definition),
      donor: { firstName, lastName, email: 'donor@example.org' },
      form: { id: definition.id, language },
      payment: { provider: 'stripe', method: 0 },
      organization: definition.organization.name,
      receiptSender: definition.receiptSender,
      isTest: false,
    },
    idempotencyKeyHash: '',
    fingerprint: '',
    status: 'succeeded',
    awaiting: null,
    subscriptionId: null,
    subscriptionStatus: null,
    paymentMethod: 0,
    failureReason: null,
    chargeStartedAt: now,
    donorDeletedAt: null,
    donorDeletedBy: null,
    restoredAt: null,
    donorKey: '',
    notifyKey: null,
    attempts: 0,
    nextRunAt: 0,
    lastError: null,
    paymentId: null,
    platformGiftId: null,
    lockedUntil: 0,
    createdAt: now,
    updatedAt: now,
  };
  const entry = { id: `donation ${SAMPLE_REFERENCE}`, reference: SAMPLE_REFERENCE };
  const event = buildOutboxRow(id, { ...entry, kind: 'donation' }, now);
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
