import { normalizeEmail } from '../lib/normalize-email.ts';

/** The first alternative is JSON's escaped whitespace, which separates words. */
const ESCAPES = /\\[bfnrt]|\\u([0-9a-f]{4})|&#x([0-9a-f]{1,6});|&#(\d{1,7});|%([0-9a-f]{2})/gi;

/** Precedes a match that is only part of a longer email address. */
const EMAIL_BEFORE = /[\p{L}\p{N}._+-]/u;
/** Follows a match that is only part of a longer email address. */
const EMAIL_AFTER = /^(-|\.?[\p{L}\p{N}])/u;

/** Ignores case, and decodes escape sequences. */
export function mentionsEmail(text: string, email: string): boolean {
  const unescaped = text.replace(
    ESCAPES,
    (match, ...[json, hex, decimal, percent]: (string | undefined)[]) => {
      if (json === undefined && hex === undefined && decimal === undefined && percent === undefined)
        return ' ';
      const code =
        decimal === undefined ? parseInt(json ?? hex ?? percent ?? '', 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : match;
    },
  );
  return (
    containsEmail(normalizeEmail(text), normalizeEmail(email)) ||
    containsEmail(normalizeEmail(unescaped), normalizeEmail(email))
  );
}

function containsEmail(text: string, email: string): boolean {
  for (let start = text.indexOf(email); start !== -1; start = text.indexOf(email, start + 1)) {
    if (
      !EMAIL_BEFORE.test(text[start - 1] ?? '') &&
      !EMAIL_AFTER.test(text.slice(start + email.length, start + email.length + 2))
    )
      return true;
  }
  return false;
}
