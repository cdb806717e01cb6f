/** Keeps right-to-left text from reordering the characters of a symbol such as `US$`. */
const isolate = (symbol: string): string => `\u2068${symbol}\u2069`;

const MAX_TEXTS = 200;

/**
 * Omits the decimals of whole amounts and uses Latin digits, as Arabic keyboards and payment cards
 * do. Remembers texts, because `Intl` needs more time than everything else that a form renders.
 */
export function createMoneyFormatter(
  language: string,
  direction: string,
): (minor: number, currency: string, decimals: number) => string {
  const formats = new Map<string, Intl.NumberFormat>();
  const texts = new Map<string, string>();

  const formatAmount = (minor: number, currency: string, decimals: number): string => {
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

  return (minor, currency, decimals) => {
    const key = `${minor} ${currency} ${decimals}`;
    const text = texts.get(key) ?? formatAmount(minor, currency, decimals);
    if (texts.size >= MAX_TEXTS) texts.clear();
    texts.set(key, text);
    return text;
  };
}
