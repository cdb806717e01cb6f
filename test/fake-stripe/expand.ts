import { refused } from './refusal.ts';
import type { Store } from './store.ts';

type Fields = Record<string, unknown>;

/** Fields that Stripe leaves out unless they are asked for. */
const ONLY_ASKED = new Map([
  ['invoice', ['payments', 'confirmation_secret']],
  ['charge', ['refunds']],
  ['checkout.session', ['line_items']],
]);
const DEEPEST = 4;

/**
 * A thing as Stripe answers it: without what must be asked for, and with what was asked for in
 * place of its id.
 * @throws a refusal of a path that leads nowhere.
 */
export function answerOf(store: Store, thing: object, paths: readonly string[]): Fields {
  for (const path of paths)
    if (path.split('.').length > DEEPEST)
      throw refused(
        `You cannot expand more than ${DEEPEST} levels of a property. Property: ${path}`,
        { param: 'expand[0]' },
      );
  const levels = paths.map((path) => path.split('.'));
  return shown(store, thing, levels);
}

function shown(store: Store, thing: object, paths: readonly (readonly string[])[]): Fields {
  const asked = new Set(paths.map(([first]) => first));
  const kind = 'object' in thing ? String(thing.object) : '';
  const hidden = ONLY_ASKED.get(kind)?.filter((name) => !asked.has(name)) ?? [];
  const fields: Fields = Object.fromEntries(
    Object.entries(thing).filter(([name]) => !hidden.includes(name)),
  );
  for (const [name, value] of Object.entries(fields)) {
    const further = paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
    fields[name] = shownValue(store, value, further, name);
  }
  for (const name of asked)
    if (name !== undefined && !(name in fields))
      throw refused(`This property cannot be expanded (${name}).`, { param: 'expand[0]' });
  return fields;
}

function shownValue(
  store: Store,
  value: unknown,
  paths: readonly (readonly string[])[],
  name: string,
): unknown {
  const deeper = paths.filter(({ length }) => length > 0);
  if (Array.isArray(value))
    return value.map((item: unknown) =>
      shownValue(store, item, deeper.length > 0 ? deeper : paths, name),
    );
  if (typeof value === 'object' && value !== null) return shown(store, value, deeper);
  if (paths.length === 0 || value === null || value === undefined) return value;
  const found = typeof value === 'string' ? store.any(value) : undefined;
  if (!found) throw refused(`This property cannot be expanded (${name}).`, { param: 'expand[0]' });
  return shown(store, found, deeper);
}
