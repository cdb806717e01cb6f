import type { GiftChange, PlatformGift } from './platform-adapter.ts';

/** What a template may name of a gift: the first part of a name such as `{donor.email}`. */
export const GIFT_NAMES = [
  'reference',
  'parent',
  'paymentId',
  'paymentMethod',
  'paymentProviderType',
  'giftStatus',
  'recurringGiftStatus',
  'receipt',
  'givenAt',
  'gift',
  'donor',
  'consents',
  'customFields',
  'tracking',
  'projects',
  'total',
  'costs',
] as const satisfies readonly (keyof PlatformGift)[];

/** What a template may name of a change. */
export const CHANGE_NAMES = [
  'kind',
  'reference',
  'parent',
  'platformId',
  'at',
  'giftStatus',
  'recurringGiftStatus',
  'amount',
  'refunded',
  'currency',
] as const satisfies readonly (keyof GiftChange)[];

/** What the path of a list may name: ISO 8601, and how many gifts are passed over and taken. */
export const LIST_NAMES = ['from', 'to', 'skip', 'take'] as const;

const one = /^\{([\w.]+)\}$/;
const each = /\{([\w.]+)\}/g;

/** The names in a template that are none of those that are known. */
export function unknownNames(template: unknown, known: readonly string[]): string[] {
  return [...JSON.stringify(template).matchAll(each)]
    .map(([, name]) => name!)
    .filter((name) => !known.includes(name.split('.')[0]!));
}

/**
 * Fills a body with a gift or a change. A text that is one name, `{donor.email}`, becomes its
 * value; names inside a text become text.
 * Members whose value it has not are left out.
 */
export function fill(template: unknown, gift: PlatformGift | GiftChange): unknown {
  if (typeof template === 'string') {
    const [, name] = one.exec(template) ?? [];
    return name === undefined
      ? template.replace(each, (_all, inner: string) => textOf(valueAt(gift, inner)))
      : valueAt(gift, name);
  }
  if (Array.isArray(template)) return template.map((item) => fill(item, gift));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(
    Object.entries(template)
      .map(([name, part]) => [name, fill(part, gift)])
      .filter(([, value]) => value !== undefined),
  );
}

/** Fills an address; what is put in is encoded. */
export function fillPath(
  template: string,
  gift:
    | Pick<PlatformGift, 'reference'>
    | GiftChange
    | Readonly<Record<(typeof LIST_NAMES)[number], string>>,
): string {
  return template.replace(each, (_all, name: string) =>
    encodeURIComponent(textOf(valueAt(gift, name))),
  );
}

/** The value to which names lead, in a gift or in an answer. */
export function valueAt(holder: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? (value as Readonly<Record<string, unknown>>)[name]
          : undefined,
      holder,
    );
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  return value instanceof Date ? value.toISOString() : JSON.stringify(value);
}
