import { randomInt } from 'node:crypto';

const readable = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Ten characters that are not mistaken for one another, such as `7K4M9-QXD2P`: 49 random bits. */
export function newReference(): string {
  const characters = Array.from({ length: 10 }, () => readable[randomInt(readable.length)]);
  return `${characters.slice(0, 5).join('')}-${characters.slice(5).join('')}`;
}

const one = `[${readable}]{5}-[${readable}]{5}`;
const form = new RegExp(`^${one}(-[1-9]\\d{0,3})?$`);
const each = new RegExp(one, 'g');

/** Whether a text could be a reference of ours, of a gift or of a renewal. */
export function isReference(text: string): boolean {
  return form.test(text);
}

/**
 * The references of gifts in a text, each as often as it stands there; of a renewal its first
 * gift's.
 */
export function referencesIn(text: string): string[] {
  return text.match(each) ?? [];
}
