/** Formats an amount with grouping and its currency, such as `1,250.00 USD`. */
export function formatAmount(minor: number, currency: string, decimals: number): string {
  const number = (minor / 10 ** decimals).toLocaleString('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return `${number} ${currency}`;
}
