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
  /** URL for the buyer after canceling, or if the approval is no longer open. */
  readonly cancelUrl: string | undefined;
  /** Approves the payment, and returns the URL for the buyer's next page. */
  readonly approvePayment: (buyer: Buyer, funding: Funding) => string | undefined;
}

/** Adds parameters to a URL provided by the seller. */
export function addUrlParameters(
  url: string | undefined,
  parameters: Readonly<Record<string, string>>,
): string | undefined {
  if (url === undefined) return undefined;
  const result = new URL(url);
  for (const [name, value] of Object.entries(parameters)) result.searchParams.set(name, value);
  return result.href;
}
