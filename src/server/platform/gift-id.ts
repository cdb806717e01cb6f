import { getValueAtPath } from './body-template.ts';

/** A platform's ID for a gift: visible ASCII characters, not only zeros as in an empty UUID. */
export const GIFT_ID = /^(?![0-]+$)[!-~]{1,255}$/;

export function toGiftId(value: unknown): string | undefined {
  const id = Number.isSafeInteger(value) && (value as number) > 0 ? String(value) : value;
  return typeof id === 'string' && GIFT_ID.test(id) ? id : undefined;
}

/** @throws {Error} if the value at the path cannot be an ID. */
export function parseGiftId(body: unknown, path: string): string {
  const id = toGiftId(getValueAtPath(body, path));
  if (id === undefined)
    throw new Error(
      `the platform's response has no gift ID at ${path}; expected a positive whole number, or ` +
        'text without spaces',
    );
  return id;
}
