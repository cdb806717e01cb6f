import type { Buyer, Funding } from '../records.ts';

/** A request to pay that a buyer approves or cancels on a page. */
export interface Approval {
  /** Name of the seller. */
  readonly recipient: string;
  /** Price, such as `$50.00` or `$50.00 every month`. */
  readonly price: string;
  readonly description: string | undefined;
  readonly isOpen: boolean;
  readonly fundings: readonly Funding[];
  /** Label of the approval button. */
  readonly action: string;
  /** URL for a buyer who cancels, or who returns to an approval that is no longer open. */
  readonly cancelUrl: string | undefined;
  /** Approves, and returns the URL for the buyer. */
  readonly approvePayment: (buyer: Buyer, funding: Funding) => string | undefined;
}

/** Adds parameters to a URL that the seller provided. */
export function addUrlParameters(
  url: string | undefined,
  parameters: Readonly<Record<string, string>>,
): string | undefined {
  if (url === undefined) return undefined;
  const result = new URL(url);
  for (const [name, value] of Object.entries(parameters)) result.searchParams.set(name, value);
  return result.href;
}
