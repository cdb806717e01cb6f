import { type DonationFrequency, PaymentMethodType } from '@donation-form/core/donation';
import { toMajorUnits } from '@donation-form/core/money';
import type { VirtuousCrmConfiguration } from '@donation-form/core/schemas';
import type { PlatformGift } from './platform-adapter.ts';

export interface GiftTransactionOptions extends Pick<
  VirtuousCrmConfiguration,
  'transactionSource' | 'giftType' | 'designationsField' | 'emailLists' | 'customFields'
> {
  readonly timeZone: string;
}

/** Virtuous documents only `Monthly`, so the other names are assumptions. */
const FREQUENCIES: Readonly<Partial<Record<DonationFrequency, string>>> = {
  weekly: 'Weekly',
  everyOtherWeek: 'Biweekly',
  monthly: 'Monthly',
  quarterly: 'Quarterly',
  biannual: 'Semiannually',
  annually: 'Annually',
};

/** https://docs.virtuous.org/api-reference/gift/create-a-gift-transaction */
export function toGiftTransaction(
  platformGift: PlatformGift,
  options: GiftTransactionOptions,
): Readonly<Record<string, unknown>> {
  const { transactionSource, designationsField, timeZone } = options;
  const { reference, parent, gift, givenAt, total } = platformGift;
  const frequency = FREQUENCIES[gift.frequency];
  const designations = toDesignations(platformGift);
  const custom = platformGift.customFields.filter(({ id }) =>
    Object.hasOwn(options.customFields, id),
  );
  return {
    transactionSource,
    transactionId: reference,
    contact: toContact(platformGift, options),
    giftDate: new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(givenAt),
    giftType: getGiftType(platformGift, options),
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
      tributeDedication: toTributeDedication(gift.tribute),
    }),
    ...(custom.length > 0 && {
      customFields: Object.fromEntries(
        custom.map(({ id, value }) => [options.customFields[id]!, value]),
      ),
    }),
    notes: toNotes(platformGift, options),
  };
}

const GIFT_TYPE_NAMES = {
  [PaymentMethodType.CreditCard]: 'card',
  [PaymentMethodType.ACH]: 'bank',
  [PaymentMethodType.Wallet]: 'wallet',
} as const;

function getGiftType(
  { provider, paymentMethod }: PlatformGift,
  { giftType }: Pick<GiftTransactionOptions, 'giftType'>,
): string {
  if (typeof giftType === 'string') return giftType;
  if (provider === 'paypal') return giftType.paypal;
  return giftType[paymentMethod === undefined ? 'other' : GIFT_TYPE_NAMES[paymentMethod]];
}

/** The last word becomes the last name. No values for `tributeType` are documented. */
function toTributeDedication({
  name,
  notifyEmail,
}: NonNullable<PlatformGift['gift']['tribute']>): Readonly<Record<string, string>> {
  const words = name.trim().split(/\s+/);
  const tributeLastName = words.pop()!;
  return {
    ...(words.length > 0 && { tributeFirstName: words.join(' ') }),
    tributeLastName,
    ...(notifyEmail !== undefined && { acknowledgeeEmail: notifyEmail }),
  };
}

/** Virtuous matches a contact by email, phone, or name with address. */
function toContact(
  { donor, consents }: PlatformGift,
  { emailLists }: Pick<GiftTransactionOptions, 'emailLists'>,
): Readonly<Record<string, unknown>> {
  const { firstName, lastName, organization, email, phone } = donor;
  const { address1, address2, city, state, postal, country } = donor;
  const address = { address1, address2, city, state, postal, country };
  const lists = consents
    .filter(({ id, given }) => given && email !== undefined && Object.hasOwn(emailLists, id))
    .map(({ id }) => emailLists[id]!);
  return {
    type: organization === undefined ? 'Household' : 'Organization',
    name: organization ?? [firstName, lastName].filter(Boolean).join(' '),
    firstname: firstName,
    lastname: lastName,
    ...(email !== undefined && { emailType: 'Home Email', email }),
    ...(phone !== undefined && { phoneType: 'Mobile Phone', phone }),
    ...(Object.values(address).some(Boolean) && { address }),
    ...(lists.length > 0 && { emailLists: lists }),
  };
}

/** Covered fees that have no project are added to the first, because the amounts must add up. */
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

function toNotes(
  { gift, consents, customFields, tracking, paymentId }: PlatformGift,
  options: Pick<GiftTransactionOptions, 'customFields'>,
): string {
  const others = customFields.filter(({ id }) => !Object.hasOwn(options.customFields, id));
  const { comment, tribute } = gift;
  const join = (entries: readonly (readonly [string, unknown])[]): string =>
    entries.map(([name, value]) => `${name}: ${String(value)}`).join(', ');
  const lines = [
    ['Comment', comment],
    ['Tribute message', tribute?.message],
    ['Consents', join(consents.map(({ id, given }) => [id, given ? 'yes' : 'no']))],
    ['Custom fields', join(others.map(({ id, value }) => [id, value]))],
    ['Tracking', join(Object.entries(tracking))],
    ['Payment', paymentId],
  ] as const;
  return lines
    .filter(([, text]) => text !== undefined && text !== '')
    .map(([name, text]) => `${name}: ${text}`)
    .join('\n');
}
