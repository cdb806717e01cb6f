/**
 * One to three words of letters, common abbreviations, or initials. Anybody can enter another
 * person's email, so a message must not carry a link or a sentence to that person.
 */
const NAME =
  /^(?:(?:(?:Dra?|Hr|Jr|Mrs?|Ms|Mx|Prof|Rev|Sra?|St|\p{L})\.(?= |$)|\p{L}[\p{L}\p{M}]{0,19})(?:[ '’-](?!$)|$)){1,3}$/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

/** @returns `undefined` for a name that a message should not contain. */
export function getGreetableName(name = ''): string | undefined {
  const trimmed = name.trim();
  return NAME.test(trimmed) && !INVISIBLE.test(trimmed) ? trimmed : undefined;
}

const COMMON_DOMAINS = 'app|biz|club|cn|co|com|info|io|net|online|org|ru|shop|site|top|xyz';
const SPELLED_DOT = 'dot|nokta|point|ponto|punkt|punt|punto';
const DOT_LIKE = '[·‧∙⋅。・۔]';
/**
 * What readers understand as the dot of a domain: spelled or between spaces before a common top-level
 * domain, and characters that look like dots, except in the Catalan “l·l”.
 */
const DISGUISED_DOT = new RegExp(
  `(?:,| ?${DOT_LIKE} ?| \\. ?|[ (]{1,3}(?:${SPELLED_DOT})[ )]{1,3})(?=(?:${COMMON_DOMAINS})(?!\\p{L}))` +
    `|(?<=[a-z\\d])${DOT_LIKE}(?!l)(?=(?:[a-z]{2,3}|\\d)(?!\\p{L}))`,
  'giu',
);
const SCHEMES =
  'bitcoin|ethereum|facetime|ftp|javascript|lightning|litecoin|magnet|mailto|monero|skype|sms|tel|' +
  'tg|whatsapp';
const LINK = new RegExp(
  `://|\\bwww\\b|(?<!\\p{L})h(?:tt|xx)ps?(?!\\p{L})|(?<!\\p{L})(?:${SCHEMES}):(?=\\S)`,
  'iu',
);

/**
 * Mail programs turn these into links or render them, or readers can type them, so a stranger could
 * lure the reader.
 */
const FORBIDDEN: readonly (readonly [pattern: RegExp, what: string])[] = [
  [LINK, 'a link'],
  [/@|\( ?at ?\)/iu, 'an email address'],
  [/[<>{}[\]`\\|]|&#?\w+;/u, 'markup'],
  [/\p{Nd}(?:\.\p{Nd}+){3}|(?:[\da-f]{1,4}:){4}|[\da-f]::[\da-f]/iu, 'a network address'],
  [/[\p{L}\p{M}\p{Nd}-]\.(?:xn--|[\p{L}\p{M}]{2})/iu, 'what looks like a link'],
  [/(?<![a-z\d])(?=[a-z]*\d)[a-z\d]{25}/iu, 'an account number'],
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
  const plain = text.normalize('NFKC').replace(/\s+/g, ' ').replace(DISGUISED_DOT, '.');
  const problem =
    FORBIDDEN.find(([pattern]) => pattern.test(plain))?.[1] ??
    (PHONE_NUMBER.test(plain.replace(DATE, ' x ')) ? 'a phone number' : undefined);
  return problem === undefined ? { text } : { problem };
}
