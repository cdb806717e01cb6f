import { pino, type Logger } from 'pino';

/** What JSON leaves as it is, and a terminal or a viewer of logs obeys: control characters, direction overrides and other invisible marks, line ends of Unicode's own. */
const odd = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A line of JSON that says the same, with such characters escaped. */
export function plainLine(line: string): string {
  return line.replace(odd, (character) => character.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''));
}

/** Writes a line of JSON for each event, without any character that does more than be seen. */
export function plainLog(): Logger {
  return pino({ hooks: { streamWrite: plainLine } });
}
