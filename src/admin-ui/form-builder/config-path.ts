export type Json =
  null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A path in the format of configuration errors, such as `organizations.0.forms.1.id`. */
export type ConfigPath = string;

export function getValue(json: Json | undefined, path: ConfigPath): Json | undefined {
  return path
    .split('.')
    .reduce<Json | undefined>(
      (holder, step) =>
        typeof holder === 'object' && holder !== null && Object.hasOwn(holder, step)
          ? (holder as Readonly<Record<string, Json>>)[step]
          : undefined,
      json,
    );
}

/** Returns the string or number at a path; an empty string for anything else. */
export function getText(json: Json, path: ConfigPath): string {
  const value = getValue(json, path);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Returns the list at a path; an empty list for anything else. */
export function getList(json: Json, path: ConfigPath): readonly Json[] {
  const value = getValue(json, path);
  return isList(value) ? value : [];
}

/** Returns the entries of the object at a path; an empty list for anything else. */
export function getEntries(json: Json, path: ConfigPath): [name: string, value: Json][] {
  const value = getValue(json, path);
  return isObject(value) ? Object.entries(value) : [];
}

/**
 * Returns a copy with the value at a path replaced. Keeps the order, and creates missing objects.
 * @param value `undefined` removes the value.
 */
export function replaceValue(
  json: Json | undefined,
  path: ConfigPath,
  value: Json | undefined,
): Json {
  const [step = '', ...rest] = path.split('.');
  const inner =
    rest.length === 0 ? value : replaceValue(getValue(json, step), rest.join('.'), value);
  if (isList(json)) return json.toSpliced(Number(step), 1, ...(inner === undefined ? [] : [inner]));
  const holder = isObject(json) ? json : {};
  return inner === undefined
    ? Object.fromEntries(Object.entries(holder).filter(([name]) => name !== step))
    : { ...holder, [step]: inner };
}

/** Returns a copy with the entry moved one position toward the start. */
export function moveUp(list: readonly Json[], index: number): readonly Json[] {
  return index < 1 ? list : list.toSpliced(index - 1, 2, list[index]!, list[index - 1]!);
}

/** Lists the environment variables that secrets are read from. */
export function listVariables(json: Json | undefined): string[] {
  if (typeof json !== 'object' || json === null) return [];
  const { env } = json as { readonly env?: Json };
  return typeof env === 'string'
    ? [env]
    : [...new Set(Object.values(json as Readonly<Record<string, Json>>).flatMap(listVariables))];
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function isObject(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !isList(value);
}
