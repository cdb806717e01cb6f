/**
 * Keeps a sign such as `US$` together where the text around it runs from right to left:
 * first-strong isolate, pop directional isolate.
 */
const together = (sign: string): string => `\u2068${sign}\u2069`;

/**
 * Amounts as the browser writes them in a language: `51,81 €`. Whole amounts drop their zeros.
 * Arabic keeps the digits that its keyboards and cards have.
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
        type === 'currency' && direction === 'rtl' ? together(value) : value,
      )
      .join('');
  };
}
