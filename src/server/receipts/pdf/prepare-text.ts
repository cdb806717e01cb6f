/** Removes control characters, which no font can show, except line breaks, and half characters. */
export function removeControls(text: string): string {
  return text.toWellFormed().replace(/[^\P{Cc}\n]/gu, '');
}

const ZERO_WIDTH_SPACE = '\u200B';
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Allows line breaks in words that may not fit in a line, of scripts that have spaces. */
export function breakLongWords(text: string): string {
  return text.replace(/[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]{40,}/gu, (word) =>
    Array.from(graphemes.segment(word), ({ segment, index }) =>
      index > 0 && index % 10 === 0 ? ZERO_WIDTH_SPACE + segment : segment,
    ).join(''),
  );
}

const LEFT_TO_RIGHT_ISOLATE = '\u2066';
const FIRST_STRONG_ISOLATE = '\u2068';
const POP_ISOLATE = '\u2069';

/** Keeps the order of digits in numbers, dates, and IDs within right-to-left text. */
export function isolateNumbers(text: string): string {
  return text.replace(/[\p{sc=Latin}\p{Nd}+]+(?:[.,:/-][\p{sc=Latin}\p{Nd}]+)*/gu, (word) =>
    /\p{Nd}/u.test(word) ? `${LEFT_TO_RIGHT_ISOLATE}${word}${POP_ISOLATE}` : word,
  );
}

/** Gives a text its own direction, such as a Latin name or address in a right-to-left document. */
export function isolateText(text: string): string {
  return `${FIRST_STRONG_ISOLATE}${text}${POP_ISOLATE}`;
}
