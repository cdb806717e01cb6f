import { cleanLine } from '../model/donor.ts';

const MOST_CHARACTERS = 200;

/** A path as a log may have it. Behind `/platform-webhooks` stands a secret: nothing of that is logged, also where somebody wrote the address a little wrong. */
export function loggedPath(path: string): string {
  return cleanLine(path).replace(/(platform-webhooks).*/i, '$1/:organization/:secret').slice(0, MOST_CHARACTERS);
}
