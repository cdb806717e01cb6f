import { ConfigurationError } from '../lib/configuration-error.ts';
import type { GiftChange, PlatformGift } from './platform-adapter.ts';

/** First parts of placeholders in gift templates, such as `donor` in `{donor.email}`. */
export const GIFT_NAMES = [
  'reference',
  'parent',
  'paymentId',
  'paymentMethod',
  'paymentProviderType',
  'giftStatus',
  'recurringGiftStatus',
  'receiptSender',
  'givenAt',
  'gift',
  'donor',
  'consents',
  'customFields',
  'tracking',
  'projects',
  'total',
  'coveredFees',
] as const satisfies readonly (keyof PlatformGift)[];

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

/** `from` and `to` are ISO 8601 times, `fromDay` and `toDay` UTC dates. */
export const LIST_NAMES = ['from', 'to', 'fromDay', 'toDay', 'skip', 'take'] as const;

export type TemplateValues =
  | Pick<PlatformGift, 'reference'>
  | (Omit<GiftChange, 'platformId'> & { readonly platformId: string | number })
  | Readonly<Record<(typeof LIST_NAMES)[number], string | number>>;

const SINGLE_PLACEHOLDER = /^\{([\w.]+)\}$/;
const PLACEHOLDERS = /\{([\w.]+)\}/g;

export function findUnknownPlaceholders(template: unknown, known: readonly string[]): string[] {
  return [...JSON.stringify(template).matchAll(PLACEHOLDERS)]
    .map(([, name]) => name!)
    .filter((name) => !known.includes(name.split('.')[0]!));
}

/** @throws {ConfigurationError} if a placeholder is unknown. */
export function assertPlaceholdersAreKnown(
  template: unknown,
  known: readonly string[],
  at: string,
): void {
  const [unknown] = findUnknownPlaceholders(template, known);
  if (unknown !== undefined)
    throw new ConfigurationError(
      `${at}: found {${unknown}}; expected placeholders that start with one of these names: ` +
        known.join(', '),
    );
}

/** A string that is one placeholder becomes the value itself. Omits properties without a value. */
export function fillBodyTemplate(template: unknown, gift: TemplateValues): unknown {
  if (typeof template === 'string') {
    const [, name] = SINGLE_PLACEHOLDER.exec(template) ?? [];
    return name === undefined
      ? template.replace(PLACEHOLDERS, (_match, inner: string) =>
          formatValue(getValueAtPath(gift, inner)),
        )
      : getValueAtPath(gift, name);
  }
  if (Array.isArray(template)) return template.map((item) => fillBodyTemplate(item, gift));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(
    Object.entries(template)
      .map(([name, part]) => [name, fillBodyTemplate(part, gift)])
      .filter(([, value]) => value !== undefined),
  );
}

export function fillPathTemplate(template: string, gift: TemplateValues): string {
  return template.replace(PLACEHOLDERS, (_match, name: string) =>
    encodeURIComponent(formatValue(getValueAtPath(gift, name))),
  );
}

/** Returns the value at a dotted path, or `undefined` if there is none. */
export function getValueAtPath(holder: unknown, path: string): unknown {
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

function formatValue(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  return value instanceof Date ? value.toISOString() : JSON.stringify(value);
}
