/** What JSON holds. */
export type Json =
  null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A place in a file as errors name it: `organizations.0.forms.1.id`. */
export type Place = string;

/** What stands at a place; `undefined` where nothing does. */
export function valueAt(file: Json | undefined, place: Place): Json | undefined {
  return place
    .split('.')
    .reduce<Json | undefined>(
      (holder, step) =>
        typeof holder === 'object' && holder !== null && Object.hasOwn(holder, step)
          ? (holder as Readonly<Record<string, Json>>)[step]
          : undefined,
      file,
    );
}

/** What stands at a place, to be read in a field: junk and absence are empty. */
export function textAt(file: Json, place: Place): string {
  const value = valueAt(file, place);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The list at a place; empty where there is none. */
export function listAt(file: Json, place: Place): readonly Json[] {
  const value = valueAt(file, place);
  return isList(value) ? value : [];
}

/**
 * A file with another value at a place; the rest is as it was, in its order. Objects on the way
 * there are made.
 * @param value `undefined` takes out what stands there.
 */
export function withValue(file: Json | undefined, place: Place, value: Json | undefined): Json {
  const [step = '', ...rest] = place.split('.');
  const inner = rest.length === 0 ? value : withValue(valueAt(file, step), rest.join('.'), value);
  if (isList(file)) return file.toSpliced(Number(step), 1, ...(inner === undefined ? [] : [inner]));
  const holder = isHolder(file) ? file : {};
  return inner === undefined
    ? Object.fromEntries(Object.entries(holder).filter(([name]) => name !== step))
    : { ...holder, [step]: inner };
}

/** A list with an entry one place nearer its start. */
export function movedUp(list: readonly Json[], index: number): readonly Json[] {
  return index < 1 ? list : list.toSpliced(index - 1, 2, list[index]!, list[index - 1]!);
}

/** The environment variables that a file names for its secrets. */
export function variablesIn(file: Json | undefined): string[] {
  if (typeof file !== 'object' || file === null) return [];
  const { env } = file as { readonly env?: Json };
  return typeof env === 'string'
    ? [env]
    : [...new Set(Object.values(file as Readonly<Record<string, Json>>).flatMap(variablesIn))];
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function isHolder(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !isList(value);
}

/** An object's own entries; none where it is no object. */
export function entriesAt(file: Json, place: Place): [name: string, value: Json][] {
  const value = valueAt(file, place);
  return isHolder(value) ? Object.entries(value) : [];
}
