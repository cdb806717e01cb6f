import type { VirtuousCrmConfiguration } from '@donation-form/core/schemas';
import type { DonationFrequency } from '@donation-form/core/donation';
import { toMajorUnits } from '@donation-form/core/money';
import type { PlatformGift } from './platform-adapter.ts';

export interface GiftTransactionOptions extends Pick<
  VirtuousCrmConfiguration,
  'transactionSource' | 'giftType' | 'designationsField'
> {
  /** IANA time zone of the gift dates. */
  readonly timeZone: string;
}

/**
 * Names of recurring frequencies in Virtuous. Its public documentation shows only `Monthly`, so the
 * other names are assumptions.
 */
const FREQUENCIES: Readonly<Partial<Record<DonationFrequency, string>>> = {
  weekly: 'Weekly',
  everyOtherWeek: 'Biweekly',
  monthly: 'Monthly',
  quarterly: 'Quarterly',
  biannual: 'Semiannually',
  annually: 'Annually',
};

/**
 * Converts a gift to the body of `POST /api/v2/Gift/Transaction`:
 * https://docs.virtuous.org/api-reference/gift/create-a-gift-transaction
 */
export function toGiftTransaction(
  platformGift: PlatformGift,
  { transactionSource, giftType, designationsField, timeZone }: GiftTransactionOptions,
): Readonly<Record<string, unknown>> {
  const { reference, parent, gift, givenAt, total } = platformGift;
  const frequency = FREQUENCIES[gift.frequency];
  const designations = toDesignations(platformGift);
  return {
    transactionSource,
    transactionId: reference,
    contact: toContact(platformGift),
    giftDate: new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(givenAt),
    giftType,
    amount: total,
    currencyCode: gift.currency,
    ...(frequency !== undefined && {
      frequency,
      recurringGiftTransactionId: parent ?? reference,
    }),
    [designationsField]: designations.map(({ code, amount }) => ({
      [designationsField === 'designations' ? 'code' : 'projectCode']: code,
      amountDesignated: amount,
    })),
    ...(gift.segment !== undefined && { segment: gift.segment }),
    ...(gift.anonymous === true && { isPrivate: true }),
    ...(gift.tribute && {
      tribute: `In ${gift.tribute.kind === 'memory' ? 'memory' : 'honor'} of ${gift.tribute.name}`,
    }),
    notes: toNotes(platformGift),
  };
}

/** Converts a donor to a contact, which Virtuous matches by email, phone, or name with address. */
function toContact({ donor }: PlatformGift): Readonly<Record<string, unknown>> {
  const { firstName, lastName, organization, email, phone } = donor;
  const { address1, address2, city, state, postal, country } = donor;
  const address = { address1, address2, city, state, postal, country };
  return {
    type: organization === undefined ? 'Household' : 'Organization',
    name: organization ?? [firstName, lastName].filter(Boolean).join(' '),
    firstname: firstName,
    lastname: lastName,
    ...(email !== undefined && { emailType: 'Home Email', email }),
    ...(phone !== undefined && { phoneType: 'Mobile Phone', phone }),
    ...(Object.values(address).some(Boolean) && { address }),
  };
}

/**
 * Lists the amounts by project code. Virtuous rejects a gift whose designations do not add up to
 * its amount. Covered fees that have no project are therefore added to the first project.
 */
function toDesignations({
  projects,
  total,
}: PlatformGift): readonly { readonly code: string | undefined; readonly amount: string }[] {
  const decimals = total.split('.')[1]?.length ?? 0;
  const toMinorUnits = (amount: string): number => Number(amount.replace('.', ''));
  const amounts = projects.map(({ amount }) => toMinorUnits(amount));
  const rest = toMinorUnits(total) - amounts.reduce((sum, amount) => sum + amount, 0);
  return projects.map(({ code }, index) => ({
    code,
    amount: toMajorUnits(amounts[index]! + (index === 0 ? rest : 0), decimals),
  }));
}

/** Formats data without a documented transaction field as the transaction's notes. */
function toNotes({ gift, consents, customFields, tracking, paymentId }: PlatformGift): string {
  const { comment, tribute } = gift;
  const join = (entries: readonly (readonly [string, unknown])[]): string =>
    entries.map(([name, value]) => `${name}: ${String(value)}`).join(', ');
  const lines = [
    ['Comment', comment],
    ['Tribute message', tribute?.message],
    ['Tribute notification email', tribute?.notifyEmail],
    ['Consents', join(consents.map(({ id, given }) => [id, given ? 'yes' : 'no']))],
    ['Custom fields', join(customFields.map(({ id, value }) => [id, value]))],
    ['Tracking', join(Object.entries(tracking))],
    ['Payment', paymentId],
  ] as const;
  return lines
    .filter(([, text]) => text !== undefined && text !== '')
    .map(([name, text]) => `${name}: ${text}`)
    .join('\n');
}
