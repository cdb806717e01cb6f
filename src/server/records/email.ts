/** Addresses are the same in whatever case; dots count, since most mail servers tell `a.b@` from `ab@`. */
export function isSameEmail(one: string | undefined, other: string): boolean {
  return one !== undefined && plain(one) === plain(other);
}

function plain(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

/** The ways in which JSON, XML, forms and addresses may write a character. */
const escapes = /\\u([0-9a-f]{4})|&#x([0-9a-f]{1,6});|&#(\d{1,7});|%([0-9a-f]{2})/gi;

/** Whether a text names an e-mail address, in whatever case and however it is escaped. */
export function mentions(text: string, email: string): boolean {
  const unescaped = text.replace(escapes, (all, ...[json, hex, decimal, percent]: (string | undefined)[]) => {
    const code = decimal === undefined ? parseInt(json ?? hex ?? percent ?? '', 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
  return plain(text).includes(plain(email)) || plain(unescaped).includes(plain(email));
}
