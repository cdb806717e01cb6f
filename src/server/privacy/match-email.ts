/**
 * Addresses are the same in whatever case; dots count, since most mail servers tell `a.b@` from
 * `ab@`.
 */
export function isSameEmail(one: string | undefined, other: string): boolean {
  return one !== undefined && normalizeEmail(one) === normalizeEmail(other);
}

function normalizeEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

/**
 * The ways in which JSON, XML, forms and addresses may write a character; one of the first kind
 * ends a word.
 */
const escapes = /\\[bfnrt]|\\u([0-9a-f]{4})|&#x([0-9a-f]{1,6});|&#(\d{1,7});|%([0-9a-f]{2})/gi;

/** What makes it another address where it stands before or behind one. */
const before = /[\p{L}\p{N}._+-]/u;
const behind = /^(-|\.?[\p{L}\p{N}])/u;

/** Whether a text names an e-mail address, in whatever case and however it is escaped. */
export function mentionsEmail(text: string, email: string): boolean {
  const unescaped = text.replace(
    escapes,
    (all, ...[json, hex, decimal, percent]: (string | undefined)[]) => {
      if (json === undefined && hex === undefined && decimal === undefined && percent === undefined)
        return ' ';
      const code =
        decimal === undefined ? parseInt(json ?? hex ?? percent ?? '', 16) : Number(decimal);
      return code <= 0x10ffff ? String.fromCodePoint(code) : all;
    },
  );
  return (
    containsEmail(normalizeEmail(text), normalizeEmail(email)) ||
    containsEmail(normalizeEmail(unescaped), normalizeEmail(email))
  );
}

function containsEmail(text: string, email: string): boolean {
  for (let at = text.indexOf(email); at !== -1; at = text.indexOf(email, at + 1)) {
    if (
      !before.test(text[at - 1] ?? '') &&
      !behind.test(text.slice(at + email.length, at + email.length + 2))
    )
      return true;
  }
  return false;
}
