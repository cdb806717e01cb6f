import type { Store } from './store.ts';
import { createInvalidRequestError } from './stripe-error.ts';

type Fields = Record<string, unknown>;

/** Fields that Stripe omits unless the caller expands them. */
const HIDDEN_UNLESS_EXPANDED = new Map([
  ['invoice', ['payments', 'confirmation_secret']],
  ['charge', ['refunds']],
  ['checkout.session', ['line_items']],
]);
const MAX_DEPTH = 4;

/**
 * Converts a stored object to a response object. Omits the expandable fields that the caller did
 * not request, and replaces the requested IDs with objects.
 * @throws StripeApiError for a path that cannot be expanded.
 */
export function toResponseObject(store: Store, object: object, paths: readonly string[]): Fields {
  for (const path of paths)
    if (path.split('.').length > MAX_DEPTH)
      throw createInvalidRequestError(
        `You cannot expand more than ${MAX_DEPTH} levels of a property. Property: ${path}`,
        { param: 'expand[0]' },
      );
  const levels = paths.map((path) => path.split('.'));
  return expandObject(store, object, levels);
}

function expandObject(store: Store, object: object, paths: readonly (readonly string[])[]): Fields {
  const requested = new Set(paths.map(([first]) => first));
  const type = 'object' in object ? String(object.object) : '';
  const hidden = HIDDEN_UNLESS_EXPANDED.get(type)?.filter((name) => !requested.has(name)) ?? [];
  const fields: Fields = {};
  for (const [name, value] of Object.entries(object)) {
    if (hidden.includes(name)) continue;
    const isPlain = paths.length === 0 && (typeof value !== 'object' || value === null);
    fields[name] = isPlain
      ? value
      : expandValue(
          store,
          value,
          paths.filter(([first]) => first === name).map(([, ...rest]) => rest),
          name,
        );
  }
  for (const name of requested)
    if (name !== undefined && !(name in fields))
      throw createInvalidRequestError(`This property cannot be expanded (${name}).`, {
        param: 'expand[0]',
      });
  return fields;
}

function expandValue(
  store: Store,
  value: unknown,
  paths: readonly (readonly string[])[],
  name: string,
): unknown {
  const deeper = paths.filter(({ length }) => length > 0);
  // A stored list contains the IDs of its items. A response contains the items themselves.
  if (name === 'data' && Array.isArray(value) && typeof value[0] === 'string')
    return value.map((id: string) => expandObject(store, store.findObject(id)!, deeper));
  if (Array.isArray(value))
    return value.map((item: unknown) =>
      expandValue(store, item, deeper.length > 0 ? deeper : paths, name),
    );
  if (typeof value === 'object' && value !== null) return expandObject(store, value, deeper);
  if (paths.length === 0 || value === null || value === undefined) return value;
  const referenced = typeof value === 'string' ? store.findObject(value) : undefined;
  if (!referenced)
    throw createInvalidRequestError(`This property cannot be expanded (${name}).`, {
      param: 'expand[0]',
    });
  return expandObject(store, referenced, deeper);
}
