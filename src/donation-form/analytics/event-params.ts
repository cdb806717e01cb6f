import type {
  DonationFormSuccessEvent,
  GivenGift,
  ShownGift,
} from '../events/submission-events.ts';
import { namesSomebody } from '@donation-form/core/donor';

/** What a gift counts with: the gift alone, or with the costs that the donor covers. */
export type Counted = 'gift' | 'total';

interface Item {
  readonly item_id: string | undefined;
  readonly item_name?: string;
  readonly item_category: 'donation';
  readonly item_variant: string;
  /** Major units. */
  readonly price: number | undefined;
  readonly quantity: 1;
}

/**
 * All that is ever sent. It is made field by field, so that nothing else of an event can come
 * along.
 */
export interface Parameters {
  /** The parameters of Google Analytics 4's recommended events for shops. */
  readonly ecommerce: {
    readonly transaction_id?: string | undefined;
    readonly currency?: string;
    /** Major units. */
    readonly value?: number | undefined;
    readonly items?: readonly Item[];
  };
  /** What those events have no parameter for. */
  readonly donation: {
    readonly frequency?: string;
    /** Codes of projects, by commas. */
    readonly project?: string;
    readonly segment?: string | undefined;
    readonly error_code?: string;
  };
}

/** A gift while it is chosen, and one that is promised. */
export function ofShown(
  gift: ShownGift | GivenGift,
  counted: Counted,
  reference?: string,
): Parameters {
  const { currency, decimals, frequency, amount, total } = gift;
  const inMajor = (minor: number | undefined) => minor && minor / 10 ** decimals;
  const item = {
    item_id: (gift as ShownGift).projectId,
    item_category: 'donation',
    item_variant: frequency,
    price: inMajor(amount),
    quantity: 1,
  } as const;
  return {
    ecommerce: {
      transaction_id: reference,
      currency,
      value: inMajor(counted === 'total' ? total : amount),
      items: [item],
    },
    donation: { frequency },
  };
}

/** A gift that succeeded. */
export function ofGiven(
  { reference, gift, response: { projectSplit, segment } }: DonationFormSuccessEvent,
  counted: Counted,
): Parameters {
  const {
    ecommerce: { items: [item] = [], ...ecommerce },
    donation,
  } = ofShown(gift, counted, reference);
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
      segment: namesSomebody(segment) ? undefined : segment,
    },
  };
}
