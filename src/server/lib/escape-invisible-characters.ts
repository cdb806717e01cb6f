/**
 * Characters that JSON does not escape but terminals and log viewers interpret: control characters,
 * direction overrides and other invisible characters, and Unicode line separators.
 */
const INVISIBLE_CHARACTERS = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Replaces invisible characters, except line feeds, with JSON escape sequences. */
export function escapeInvisibleCharacters(line: string): string {
  return line.replace(INVISIBLE_CHARACTERS, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
