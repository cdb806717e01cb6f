import { randomInt } from 'node:crypto';

const CHARACTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

const TIME_CHARACTERS = 3;
/** Time for which the first characters stay the same, in milliseconds. */
const TIME_STEP = 10;
const TIME_VALUES = CHARACTERS.length ** TIME_CHARACTERS;
const RANDOM_VALUES = CHARACTERS.length ** 7;

/**
 * Creates a reference of ten unambiguous characters, such as `7K4M9-QXD2P`. The last seven are
 * random (34 bits). The first three change every {@link TIME_STEP} and repeat after 4.5 minutes, so
 * donations that are saved together are neighbors in each index that begins with the reference.
 * With random characters only, each donation would change a page of its own in four indexes, and a
 * commit would take twice as long.
 * @param now time in milliseconds.
 */
export function createReference(now: number): string {
  const time = Math.floor(now / TIME_STEP) % TIME_VALUES;
  const characters = encode(time, TIME_CHARACTERS) + encode(randomInt(RANDOM_VALUES), 7);
  return `${characters.slice(0, 5)}-${characters.slice(5)}`;
}

function encode(number: number, length: number): string {
  let text = '';
  for (let rest = number; text.length < length; rest = Math.floor(rest / CHARACTERS.length))
    text = CHARACTERS[rest % CHARACTERS.length]! + text;
  return text;
}

const PATTERN = `[${CHARACTERS}]{5}-[${CHARACTERS}]{5}`;
const REFERENCE = new RegExp(`^${PATTERN}(-[1-9]\\d{0,3})?$`);
const ALL_REFERENCES = new RegExp(PATTERN, 'g');

export function isReference(text: string): boolean {
  return REFERENCE.test(text);
}

/** Finds all references, including repeated ones. A renewal's becomes the first donation's. */
export function findReferences(text: string): string[] {
  return text.match(ALL_REFERENCES) ?? [];
}
