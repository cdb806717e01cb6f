import { containsPersonalData } from '@donation-form/core/donor';
import type { DonationFormSuccessEvent, SubmittedGift } from '../events/accepted-events.ts';
import type { DisplayedGift } from '../events/submission-events.ts';

/** Donation value to report: the amount alone (`gift`), or with the fee cover (`total`). */
export type ValueBasis = 'gift' | 'total';

interface Item {
  readonly item_id: string | undefined;
  readonly item_name?: string;
  readonly item_category: 'donation';
  readonly item_variant: string;
  /** Major units. */
  readonly price: number | undefined;
  readonly quantity: 1;
}

/** All data sent to analytics tools. Built field by field, to exclude any other data. */
export interface EventParams {
  readonly ecommerce: {
    readonly transaction_id?: string | undefined;
    readonly currency?: string;
    /** Major units. */
    readonly value?: number | undefined;
    readonly items?: readonly Item[];
  };
  readonly donation: {
    readonly frequency?: string;
    /** Comma-separated project codes. */
    readonly project?: string;
    readonly segment?: string | undefined;
    readonly error_code?: string;
  };
}

export function toEventParams(
  gift: DisplayedGift | SubmittedGift,
  valueBasis: ValueBasis,
  reference?: string,
): EventParams {
  const { currency, decimals, frequency, amount, total } = gift;
  const toMajorUnits = (minor: number | undefined) => minor && minor / 10 ** decimals;
  const item = {
    item_id: (gift as DisplayedGift).projectId,
    item_category: 'donation',
    item_variant: frequency,
    price: toMajorUnits(amount),
    quantity: 1,
  } as const;
  return {
    ecommerce: {
      transaction_id: reference,
      currency,
      value: toMajorUnits(valueBasis === 'total' ? total : amount),
      items: [item],
    },
    donation: { frequency },
  };
}

export function toPurchaseParams(
  { reference, gift, response: { projectSplit, segment } }: DonationFormSuccessEvent,
  valueBasis: ValueBasis,
): EventParams {
  const { ecommerce, donation } = toEventParams(gift, valueBasis, reference);
  const [item] = ecommerce.items!;
  return {
    ecommerce: {
      ...ecommerce,
      items: projectSplit.map((part) => ({
        ...item!,
        item_id: part.projectId,
        item_name: part.projectName,
        price: Number(part.amount),
      })),
    },
    donation: {
      ...donation,
      project: projectSplit.map((part) => part.projectCode ?? part.projectId).join(),
      segment: containsPersonalData(segment) ? undefined : segment,
    },
  };
}
