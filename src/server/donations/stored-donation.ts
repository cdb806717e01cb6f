import type {
  DonationRequest,
  FormDefinition,
  Action,
  DonateResponse,
  Outcome,
} from '@donation-form/core/schemas';
import { frequencyValue, type PaymentMethodType } from '@donation-form/core/donation';
import { languageOf, fill } from '@donation-form/core/i18n';
import { majorUnits } from '@donation-form/core/money';
import {
  GiftStatus,
  PaymentProviderType,
  RecurringGiftStatus,
} from '@donation-form/platform-clients/fundraising';
import { sha256 } from '../lib/hash.ts';
import type { GiftRow, GiftState } from '../database/schema.ts';
import type { PaymentOption } from '../organizations/organization.ts';
import type { GiftToPay, PaymentIds } from '../payments/payment-gateway.ts';
import type { ChosenProject, RecordableGift } from '../platform/platform-adapter.ts';

/**
 * What the journal keeps of a gift as it was accepted: never the payment token, and all of the
 * form's definition that is needed later.
 */
export interface KeptGift extends Pick<
  DonationRequest,
  'gift' | 'donor' | 'form' | 'customFields' | 'consents' | 'tracking'
> {
  readonly payment: Pick<DonationRequest['payment'], 'provider' | 'method'> & {
    readonly providerType?: PaymentProviderType | undefined;
  };
  readonly organization: string;
  readonly receipts: FormDefinition['receipts'];
  /** What a donor who promised the gift has to do. */
  readonly instructions?: string | undefined;
  readonly decimals: number;
  /** No money moves. */
  readonly isTest: boolean;
  /** In the order of the gift's parts. */
  readonly projects: readonly ChosenProject[];
}

/** @param request one that the definition allows. */
export function keep(
  {
    gift,
    donor,
    customFields,
    consents,
    tracking,
    form,
    payment: { provider, method },
  }: DonationRequest,
  definition: FormDefinition,
  { providerType, instructions }: PaymentOption,
): string {
  const kept: KeptGift = {
    gift,
    donor,
    customFields,
    consents,
    tracking,
    form,
    payment: { provider, method, providerType },
    organization: definition.organization.name,
    receipts: definition.receipts,
    isTest: definition.isTest,
    instructions: instructions?.[languageOf(form.language) ?? 'en'],
    decimals: definition.currencies.find(({ code }) => code === gift.currency)!.decimals,
    projects: gift.projects.map((part) => {
      const { id, code, name } = definition.projects.find((project) => project.id === part.id)!;
      return { id, code, name };
    }),
  };
  return JSON.stringify(kept);
}

/** What a gift is at the platform before its money came, or when it never did. */
const GIFT_STATUS: Readonly<Partial<Record<GiftState, GiftStatus>>> = {
  pending: GiftStatus.Pending,
  declined: GiftStatus.Declined,
};

/** What the donor's browser gives for the payment, and the journal does not keep. */
export type GivenForPayment = Pick<GiftToPay, 'token' | 'returnUrl'>;

export function toPay(row: GiftRow, { token, returnUrl }: GivenForPayment): GiftToPay {
  const {
    gift: { total, currency, frequency },
    donor,
    form,
    organization,
    receipts,
  } = read(row);
  return {
    reference: row.reference,
    total,
    currency,
    frequency,
    token,
    returnUrl,
    donor: {
      name: donor.organization ?? [donor.firstName, donor.lastName].filter(Boolean).join(' '),
      email: donor.email,
    },
    description: `${organization} ${row.reference}`,
    language: form.language,
    wantsReceipt: receipts === 'processor',
  };
}

/** Who gave a gift, and by which form. */
export function giverIn(row: GiftRow): {
  readonly email: string | undefined;
  readonly form: string;
} {
  const { donor, form } = read(row);
  return { email: donor.email, form: form.id };
}

/** The names of a gift's payment at the processor. @throws where none was opened. */
export function paymentOf({
  reference,
  payment_id: paymentId,
  subscription_id: subscriptionId,
}: GiftRow): PaymentIds {
  if (paymentId === null) throw new Error(`no payment of ${reference} was opened`);
  return { paymentId, ...(subscriptionId !== null && { subscriptionId }) };
}

export function providerOf(row: GiftRow): string {
  return read(row).payment.provider;
}

/** What is charged, minor units. */
export function totalOf(row: GiftRow): {
  readonly total: number;
  readonly currency: string;
  readonly decimals: number;
} {
  const {
    gift: { total, currency },
    decimals,
  } = read(row);
  return { total, currency, decimals };
}

/**
 * @throws where the donor's data was deleted: a gift without its donor is not sent to a platform.
 */
export function toRecordable(row: GiftRow): RecordableGift {
  if (row.redacted_at !== null)
    throw new Error(
      `the donor's data of gift ${row.reference} was deleted, so it cannot be recorded`,
    );
  return describe(row);
}

function describe(row: GiftRow): RecordableGift {
  const {
    gift,
    donor,
    customFields = [],
    consents = [],
    tracking = {},
    payment,
    decimals,
    receipts,
  } = read(row);
  const method = row.payment_method ?? payment.method;
  return {
    reference: row.reference,
    parent: undefined,
    paymentId: row.payment_id ?? '',
    ...(method !== undefined && { paymentMethod: method as PaymentMethodType }),
    ...(payment.providerType !== undefined && { paymentProviderType: payment.providerType }),
    giftStatus: GIFT_STATUS[row.state] ?? GiftStatus.Approved,
    ...(row.subscription_id !== null && { recurringGiftStatus: RecurringGiftStatus.Active }),
    receipt: receipts,
    givenAt: new Date(row.created_at),
    gift,
    donor,
    customFields,
    consents,
    tracking,
    projects: partsOf(row),
    total: majorUnits(gift.total, decimals),
    costs: majorUnits(gift.costs, decimals),
  };
}

/** What a gift is for, each part with its amount in major units. */
export function partsOf(row: GiftRow): RecordableGift['projects'] {
  const { gift, decimals, projects } = read(row);
  return projects.map((project, index) => ({
    ...project,
    amount: majorUnits(gift.projects[index]!.amount, decimals),
  }));
}

/** @param action what the donor has to do, where that is known. */
export function toOutcome(row: GiftRow, action?: Action): Outcome {
  const {
    gift: { amount, costs, total, currency, frequency },
    payment: { provider },
    instructions,
    decimals,
  } = read(row);
  const known = {
    reference: row.reference,
    provider,
    gift: { amount, costs, total, currency, frequency },
  };
  switch (row.state) {
    case 'charging':
    case 'held':
      return { ...known, state: 'checking' };
    case 'action':
      return { ...known, state: 'action', ...(action && { action }) };
    case 'pending':
      return {
        ...known,
        state: 'pending',
        ...(instructions !== undefined && {
          instructions: fill(instructions, {
            reference: row.reference,
            total: `${majorUnits(total, decimals)} ${currency}`,
          }),
        }),
      };
    case 'declined':
      return {
        ...known,
        state: 'declined',
        ...(row.decline_reason && { reason: row.decline_reason }),
      };
    case 'charged':
      return { ...known, state: 'succeeded', response: toResponse(row) };
  }
}

/** The amounts of the split sum to the gift; covered costs are not in it. */
function toResponse(row: GiftRow): DonateResponse {
  const { gift } = read(row);
  const { total, paymentId, projects } = describe(row);
  const frequency = frequencyValue(gift.frequency);
  return {
    success: true,
    message: null,
    transactionId: paymentId,
    amount: Number(total),
    ...(frequency !== undefined && { frequency }),
    ...(gift.segment !== undefined && { segment: gift.segment }),
    giftId: row.platform_id,
    projectSplit: projects.map(({ id, name, code, amount }) => ({
      projectId: id,
      projectName: name,
      ...(code !== undefined && { projectCode: code }),
      amount,
    })),
  };
}

/** A gift as the journal keeps it. */
export function read(row: Pick<GiftRow, 'gift'>): KeptGift {
  return JSON.parse(row.gift) as KeptGift;
}

/**
 * A gift without anything that says of whom it is: its sums, its parts, its frequency and its
 * segment, for the books.
 */
export function withoutDonor(row: Pick<GiftRow, 'gift'>): string {
  const {
    gift: { amount, currency, frequency, coverCosts, costs, total, segment, projects: parts },
    form: { id, language },
    payment,
    organization,
    receipts,
    instructions,
    decimals,
    isTest,
    projects,
  } = read(row);
  const kept: KeptGift = {
    gift: { amount, currency, frequency, coverCosts, costs, total, segment, projects: parts },
    donor: {},
    form: { id, language },
    payment,
    organization,
    receipts,
    instructions,
    decimals,
    isTest,
    projects,
  };
  return JSON.stringify(kept);
}

/**
 * A gift without the address of who is told of it, which its donor may still repeat with the
 * address.
 */
export function withoutNotification(
  row: Pick<GiftRow, 'gift'>,
): Pick<GiftRow, 'gift' | 'fingerprint'> {
  const { gift, ...rest } = read(row);
  const kept: KeptGift = { ...rest, gift: unnotified(gift) };
  return { gift: JSON.stringify(kept), fingerprint: unnotifiedFingerprintOf(kept) };
}

function unnotified({ tribute, ...gift }: KeptGift['gift']): KeptGift['gift'] {
  return { ...gift, ...(tribute && { tribute: { ...tribute, notifyEmail: undefined } }) };
}

type Requested = Pick<DonationRequest, 'gift' | 'donor' | 'customFields' | 'consents' | 'form'> & {
  readonly payment: Pick<DonationRequest['payment'], 'provider'>;
};

/** What a key stands for: the same key with another of these is refused. */
export function fingerprintOf({
  gift,
  donor,
  customFields,
  consents,
  form,
  payment: { provider },
}: Requested): string {
  return sha256(JSON.stringify([gift, donor, customFields, consents, form, provider]));
}

/**
 * The same without the address of who is told; in words that no other fingerprint has, since only
 * there an address more is no other gift.
 */
function unnotifiedFingerprintOf(requested: Requested): string {
  return `unnotified ${fingerprintOf({ ...requested, gift: unnotified(requested.gift) })}`;
}

/** Whether a request repeats the gift that its key stands for. */
export function isSameRequest({ fingerprint }: GiftRow, request: DonationRequest): boolean {
  return fingerprint === fingerprintOf(request) || fingerprint === unnotifiedFingerprintOf(request);
}
