import { randomInt } from 'node:crypto';

const CHARACTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Creates a reference of ten unambiguous characters (49 random bits), such as `7K4M9-QXD2P`. */
export function createReference(): string {
  const characters = Array.from({ length: 10 }, () => CHARACTERS[randomInt(CHARACTERS.length)]);
  return `${characters.slice(0, 5).join('')}-${characters.slice(5).join('')}`;
}

const PATTERN = `[${CHARACTERS}]{5}-[${CHARACTERS}]{5}`;
const REFERENCE = new RegExp(`^${PATTERN}(-[1-9]\\d{0,3})?$`);
const ALL_REFERENCES = new RegExp(PATTERN, 'g');

/** Returns true if the text has the format of a donation or renewal reference. */
export function isReference(text: string): boolean {
  return REFERENCE.test(text);
}

/**
 * Finds all donation references in a text, including repeated ones. For a renewal's reference,
 * returns the first donation's reference.
 */
export function findReferences(text: string): string[] {
  return text.match(ALL_REFERENCES) ?? [];
}
