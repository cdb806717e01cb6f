/** Formats an amount with grouping and its currency, such as `1,250.00 USD`. */
export function formatAmount(minor: number, currency: string, decimals: number): string {
  const number = (minor / 10 ** decimals).toLocaleString('en-US', {
    minimumFractionDigits: decimals,
    // Refunds and disputes can have amounts that cannot be donated, such as 1,234.5 HUF.
    maximumFractionDigits: decimals + 3,
  });
  return `${number} ${currency}`;
}
