/**
 * Encloses a currency symbol such as `US$` in directional isolates. Otherwise, right-to-left text
 * would reorder the symbol's characters.
 */
const isolate = (symbol: string): string => `\u2068${symbol}\u2069`;

/**
 * Creates a formatter for localized amounts of money, such as `51,81 €`. The formatter omits the
 * decimals of whole amounts and always uses Latin digits, which Arabic keyboards and payment cards
 * also use.
 */
export function createMoneyFormatter(
  language: string,
  direction: string,
): (minor: number, currency: string, decimals: number) => string {
  const formats = new Map<string, Intl.NumberFormat>();
  return (minor, currency, decimals) => {
    const digits = minor % 10 ** decimals === 0 ? 0 : decimals;
    const key = `${currency} ${digits}`;
    const format =
      formats.get(key) ??
      new Intl.NumberFormat(language, {
        style: 'currency',
        currency,
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
        numberingSystem: 'latn',
      });
    formats.set(key, format);
    return format
      .formatToParts(minor / 10 ** decimals)
      .map(({ type, value }) =>
        type === 'currency' && direction === 'rtl' ? isolate(value) : value,
      )
      .join('');
  };
}
