/** One to three words of letters, common abbreviations, or initials. */
const NAME =
  /^(?:(?:(?:Dra?|Hr|Jr|Mrs?|Ms|Mx|Prof|Rev|Sra?|St|\p{L})\.(?= |$)|\p{L}[\p{L}\p{M}]{0,19})(?:[ '’-](?!$)|$)){1,3}$/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;

/**
 * Anybody can enter another person's email, so a message must not carry a link or a sentence to that
 * person.
 * @returns `undefined` for a name that a message should not contain.
 */
export function getGreetableName(name = ''): string | undefined {
  const trimmed = name.trim();
  const isName = NAME.test(trimmed) && !INVISIBLE.test(trimmed);
  return isName && 'text' in checkDonorWords(trimmed) ? trimmed : undefined;
}

const COMMON_DOMAINS =
  'app|biz|br|cc|ch|club|cn|co|com|eu|fr|info|io|jp|link|net|nl|online|org|pl|ru|shop|site|top|tr|' +
  'ua|uk|xyz|ком|сом|орг|ру|рф|укр|كوم|نت|קום|נט|कॉम|नेट|コム|ネット|公司|网络|컴|콤|넷';
/** In the languages of the form. */
const SPELLED_DOT =
  'dot|period|nokta|point|ponto|punkt|punt|punto|kropka|точка|крапка|نقطة|נקודה|डॉट|点|點|ドット|닷|점';
const DOT_LIKE = '[·‧∙⋅•。・۔ꓸ٠۰]';
/**
 * What readers understand as the dot of a domain: spelled or between spaces before a common top-level
 * domain, and characters that look like dots, except in the Catalan “l·l”. “Punto de” is Spanish.
 */
const DISGUISED_DOT = new RegExp(
  `(?:,| ?${DOT_LIKE} ?| \\. ?|[ ('"*-]{1,3}(?:${SPELLED_DOT})[ )'"*-]{1,3})(?=(?:${COMMON_DOMAINS})(?!\\p{L}))` +
    '|[ (]{1,3}(?:dot|kropka|nokta|punkt)[ )]{1,3}(?=de(?!\\p{L}))' +
    '| \\.(?=(?:at|be|de|es|in|it|me|se|tv|us)(?!\\p{L}))' +
    `| ?(?:${SPELLED_DOT})(?=(?:com|net|org|ком|كوم|קום|कॉम|コム|컴)(?!\\p{L}))` +
    '|(?<=[a-z]) ?(?:点|點|ドット|닷|점) ?(?=[a-z]{2,3}(?!\\p{L}))' +
    `|(?<=[a-z\\d])${DOT_LIKE}(?!l)(?=(?:[a-z]{2,3}|\\d)(?!\\p{L}))`,
  'giu',
);
/** Such as `e v i l`, and the space in `e v i l . com`. */
const SPACED_LETTERS =
  /(?<!\S)\S(?:[ _*~-]\S(?![^\s_*~-])){2,}(?:(?<= \.) (?=[a-z]{2,3}(?!\p{L})))?/giu;
const SCHEMES =
  'bitcoin|ethereum|facetime|ftp|javascript|lightning|litecoin|magnet|mailto|monero|skype|sms|tel|' +
  'tg|whatsapp';
const LINK = new RegExp(
  `://|(?<!\\p{L})w\\W?w\\W?w(?!\\p{L})|(?<!\\p{L})h(?:tt|xx)ps?(?!\\p{L})|(?<!\\p{L})(?:${SCHEMES}):(?=\\S)`,
  'iu',
);

/** The micro sign becomes a Greek letter. */
const MIXED_ALPHABETS =
  /\p{sc=Latn}(?!μ)[\p{sc=Cyrl}\p{sc=Grek}]|(?!μ)[\p{sc=Cyrl}\p{sc=Grek}]\p{sc=Latn}/u;
const PUNCTUATION = String.raw`.,:;!?¡¿'"‘’‚“”„«»‹›()\-‐–—…/⁄&+%*=~^_#§°†№·•、。・「」『』《》،؛؟۔।॥־׳״♪♫♡☆`;
/** Such as arrows and letters in boxes. */
const UNUSUAL_SIGN = new RegExp(
  String.raw`[\u{1f100}-\u{1f2ff}]|[^\p{L}\p{M}\p{N}\s\p{Sc}\p{Extended_Pictographic}\p{Emoji_Modifier}${PUNCTUATION}]`,
  'u',
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
  [MIXED_ALPHABETS, 'letters of two alphabets in a word'],
  [UNUSUAL_SIGN, 'an unusual sign'],
];
const TOO_MANY_MARKS = /[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}]\p{M}{3}|\p{M}{5}/u;

const HAN_DIGIT = '[〇零一二三四五六七八九]';
/** Days such as 24.12.2026 and years such as 1931–2026, which are no phone numbers. */
const DATE = new RegExp(
  String.raw`(?<!\d)(?:D[./-] ?D[./-] ?)?(?:1[89]|20)\d\d(?:[./年-] ?D[./月-] ?D)?(?!\d)`.replaceAll(
    'D',
    String.raw`(?:0?[1-9]|[12]\d|3[01])`,
  ) + `|(?<!${HAN_DIGIT})(?:一[八九]|二[〇零])${HAN_DIGIT}{2}(?!${HAN_DIGIT})`,
  'gu',
);
const ROUND_AMOUNT = /(?<!\d)[1-9]\d{0,2}(?:[.,]000){1,2}(?!\d)/g;
const TIME = /(?<!\d)(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?!\d)/;
const HAN_NUMBER = new RegExp(`${HAN_DIGIT}(?:[\\s().+/–-]{0,3}${HAN_DIGIT})+`, 'gu');
/** Fewer are no phone number. */
const MIN_PHONE_DIGITS = 7;

/** Converts Arabic, Persian, and Hindi digits. Takes runs of them, because calls are slow. */
function toAsciiDigits(digits: string): string {
  let ascii = '';
  for (let index = 0; index < digits.length; index += 1) {
    const code = digits.charCodeAt(index);
    ascii += String((code - (code < 0x966 ? 0 : 6)) % 16);
  }
  return ascii;
}

function hasPhoneNumber(words: string): boolean {
  const rest = words
    .replace(/[٠-٩۰-۹०-९]+/g, toAsciiDigits)
    .replace(DATE, ' ')
    .replace(ROUND_AMOUNT, ' ')
    .replace(TIME, ' ');
  const digits = rest.match(/[\p{Nd}\p{No}]/gu)?.length ?? 0;
  const hanDigits =
    rest
      .match(HAN_NUMBER)
      ?.join('')
      .replace(/[^〇\p{L}]/gu, '').length ?? 0;
  return digits + hanDigits >= MIN_PHONE_DIGITS;
}

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
  if (TOO_MANY_MARKS.test(text.normalize('NFKC'))) return { problem: 'too many accents' };
  const plain = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u20d0-\u20ff\ufe20-\ufe2f]/g, '')
    .normalize('NFKC')
    .replace(/\s+/g, ' ');
  const joined = plain
    .replace(DISGUISED_DOT, '.')
    .replace(SPACED_LETTERS, (letters) => letters.replace(/[ _*~-]/g, ''))
    .replace(DISGUISED_DOT, '.');
  const problem =
    FORBIDDEN.find(([pattern]) => pattern.test(joined))?.[1] ??
    (hasPhoneNumber(plain) ? 'a phone number' : undefined);
  return problem === undefined ? { text } : { problem };
}
