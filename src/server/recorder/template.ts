import type { RecordableGift } from './recorder.ts';

/** What a template may name of a gift: the first part of a name such as `{donor.email}`. */
export const GIFT_NAMES = ['reference', 'paymentId', 'paymentMethod', 'givenAt', 'gift', 'donor', 'consents', 'customFields', 'tracking', 'projects', 'total', 'costs'] as const satisfies readonly (keyof RecordableGift)[];

const one = /^\{([\w.]+)\}$/, each = /\{([\w.]+)\}/g;

/** The names in a template that no gift has. */
export function unknownNames(template: unknown): string[] {
  return [...JSON.stringify(template).matchAll(each)].map(([, name]) => name!).filter((name) => !GIFT_NAMES.some((known) => known === name.split('.')[0]));
}

/**
 * Fills a body with a gift. A text that is one name, `{donor.email}`, becomes its value; names inside a text become text.
 * Members whose value the gift has not are left out.
 */
export function fill(template: unknown, gift: RecordableGift): unknown {
  if (typeof template === 'string') {
    const [, name] = one.exec(template) ?? [];
    return name === undefined ? template.replace(each, (_all, inner: string) => textOf(valueAt(gift, inner))) : valueAt(gift, name);
  }
  if (Array.isArray(template)) return template.map((item) => fill(item, gift));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([name, part]) => [name, fill(part, gift)]).filter(([, value]) => value !== undefined));
}

/** Fills an address; what is put in is encoded. */
export function fillPath(template: string, gift: Pick<RecordableGift, 'reference'>): string {
  return template.replace(each, (_all, name: string) => encodeURIComponent(textOf(valueAt(gift, name))));
}

/** The value to which names lead, in a gift or in an answer. */
export function valueAt(holder: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined), holder);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : value instanceof Date ? value.toISOString() : JSON.stringify(value);
}
