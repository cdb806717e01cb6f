/**
 * One to three words of letters. Anybody can enter another person's email, so a message must not
 * carry a link or a sentence to that person.
 */
const NAME = /^\p{L}[\p{L}\p{M}]{0,19}(?:[ '’-]\p{L}[\p{L}\p{M}]{0,19}){0,2}$/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

/** @returns `undefined` for a name that a message should not contain. */
export function getGreetableName(name = ''): string | undefined {
  const trimmed = name.trim();
  return NAME.test(trimmed) && !INVISIBLE.test(trimmed) ? trimmed : undefined;
}

/** Mail programs turn these into links or render them, so a stranger could lure the reader. */
const FORBIDDEN: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/:\/\/|\bwww\b|\b(?:https?|mailto|tel|sms|data|javascript):/iu, 'a link'],
  [/@/u, 'an email address'],
  [/[<>{}[\]`\\|]|&#?\w+;/u, 'markup'],
  [/\p{Nd}(?:\.\p{Nd}+){3}/u, 'a network address'],
  [/[\p{L}\p{M}\p{Nd}-]\.(?:xn--|[\p{L}\p{M}]{2})|[a-z\d-]。[a-z]/iu, 'what looks like a link'],
];
/** Days such as 24.12.2026 and years such as 1931–2026, which are no phone numbers. */
const DATE = /(?<!\p{Nd})(?:\p{Nd}{1,2}[./-]\p{Nd}{1,2}[./-])?(?:1[89]|20)\p{Nd}{2}(?!\p{Nd})/gu;
const PHONE_NUMBER = /\p{Nd}(?:[\s().+/–-]*\p{Nd}){6}/u;

/**
 * Returns what a donor wrote as one that a stranger may receive, or what it contains that they must
 * not.
 */
export function checkDonorWords(
  words: string,
): { readonly text: string } | { readonly problem: string } {
  const text = words
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/(?!\n)[\p{C}\p{Default_Ignorable_Code_Point}]/gu, '')
    .trim();
  const plain = text.normalize('NFKC');
  const problem =
    FORBIDDEN.find(([pattern]) => pattern.test(plain))?.[1] ??
    (PHONE_NUMBER.test(plain.replace(DATE, ' x ')) ? 'a phone number' : undefined);
  return problem === undefined ? { text } : { problem };
}
