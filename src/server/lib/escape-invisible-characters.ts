/**
 * JSON does not escape control characters, direction overrides, and Unicode line separators, but
 * terminals and log viewers interpret them.
 */
const INVISIBLE_CHARACTERS = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Keeps line feeds. */
export function escapeInvisibleCharacters(line: string): string {
  return line.replace(INVISIBLE_CHARACTERS, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
