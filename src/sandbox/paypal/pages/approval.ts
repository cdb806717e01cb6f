import type { Buyer, Funding } from '../records.ts';

/** A payment request that a buyer approves or cancels on a page. */
export interface Approval {
  /** The seller's name. */
  readonly recipient: string;
  /** Price, such as `$50.00` or `$50.00 every month`. */
  readonly price: string;
  readonly description: string | undefined;
  readonly isOpen: boolean;
  readonly fundings: readonly Funding[];
  /** Label of the approval button. */
  readonly action: string;
  /**
   * URL to which the buyer returns after canceling, or if the payment request is no longer open.
   */
  readonly cancelUrl: string | undefined;
  /** Approves the payment, and returns the URL of the buyer's next page. */
  readonly approvePayment: (buyer: Buyer, funding: Funding) => string | undefined;
}

/** Adds query parameters to a URL that the seller provided. */
export function addUrlParameters(
  url: string | undefined,
  parameters: Readonly<Record<string, string>>,
): string | undefined {
  if (url === undefined) return undefined;
  const result = new URL(url);
  for (const [name, value] of Object.entries(parameters)) result.searchParams.set(name, value);
  return result.href;
}
