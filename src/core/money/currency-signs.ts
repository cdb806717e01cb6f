import { LANGUAGES } from '../i18n/languages.ts';
import { listCurrencySymbols, normalizeDigits } from './money.ts';

const lists = new Map<string, readonly string[]>();

/** Removes up to two signs, and `,-` after a whole amount: `$25 USD` and `25,-` become `25`. */
export function removeCurrencySigns(typed: string, code: string): string {
  const removeSign = (text: string): string => {
    if (/^[\d\s.,'’]*$/.test(text)) return text;
    const signs = lists.get(code) ?? listSigns(code);
    lists.set(code, signs);
    const sign = signs.find((known) => text.startsWith(known) || text.endsWith(known)) ?? '';
    return (text.startsWith(sign) ? text.slice(sign.length) : text.slice(0, -sign.length)).trim();
  };
  return removeSign(removeSign(normalizeSign(typed))).replace(/[.,:][-–—]{1,2}$/, '');
}

function listSigns(code: string): readonly string[] {
  const formatted = LANGUAGES.flatMap((language) =>
    (['symbol', 'narrowSymbol', 'name'] as const).flatMap((currencyDisplay) =>
      new Intl.NumberFormat(language, { style: 'currency', currency: code, currencyDisplay })
        .formatToParts(25)
        .flatMap(({ type, value }) => (type === 'currency' ? value : [])),
    ),
  );
  return (
    [...new Set([code, ...listCurrencySymbols(code), ...formatted].map(normalizeSign))]
      // In `kr.50`, the dot is not a decimal separator.
      .flatMap((sign) => (/\p{L}$/u.test(sign) ? [sign, `${sign}.`] : sign))
      .sort((a, b) => b.length - a.length)
  );
}

const normalizeSign = (text: string): string => normalizeDigits(text).trim().toLowerCase();
