export type Json =
  null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** A path in the format of configuration errors, such as `organizations.0.forms.1.id`. */
export type ConfigPath = string;

export function readConfigValue(json: Json | undefined, path: ConfigPath): Json | undefined {
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

export function getTextAtPath(json: Json, path: ConfigPath): string {
  const value = readConfigValue(json, path);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export function getListAtPath(json: Json, path: ConfigPath): readonly Json[] {
  const value = readConfigValue(json, path);
  return isList(value) ? value : [];
}

export function getEntriesAtPath(json: Json, path: ConfigPath): [name: string, value: Json][] {
  const value = readConfigValue(json, path);
  return isJsonObject(value) ? Object.entries(value) : [];
}

/** Returns a copy with the value at a path replaced or, if it is undefined, removed. */
export function replaceValueAtPath(
  json: Json | undefined,
  path: ConfigPath,
  value: Json | undefined,
): Json {
  const [step = '', ...rest] = path.split('.');
  const inner =
    rest.length === 0
      ? value
      : replaceValueAtPath(readConfigValue(json, step), rest.join('.'), value);
  if (isList(json)) return json.toSpliced(Number(step), 1, ...(inner === undefined ? [] : [inner]));
  const holder = isJsonObject(json) ? json : {};
  return inner === undefined
    ? Object.fromEntries(Object.entries(holder).filter(([name]) => name !== step))
    : { ...holder, [step]: inner };
}

/** Returns the paths after a list's entries have moved. `order` has their previous indexes. */
export function reorderPaths(
  paths: ReadonlySet<ConfigPath>,
  list: ConfigPath,
  order: readonly number[],
): ReadonlySet<ConfigPath> {
  const prefix = `${list}.`;
  const reordered = [...paths].flatMap((path) => {
    if (!path.startsWith(prefix)) return [path];
    const [step, ...rest] = path.slice(prefix.length).split('.');
    const index = order.indexOf(Number(step));
    return index === -1 ? [] : [[list, index, ...rest].join('.')];
  });
  return new Set(reordered);
}

/** Returns a copy of the list with the entry moved one position toward the start. */
export function moveItemUp<Item>(list: readonly Item[], index: number): readonly Item[] {
  return index < 1 ? list : list.toSpliced(index - 1, 2, list[index]!, list[index - 1]!);
}

/** Lists the environment variables that contain the configuration's secrets. */
export function listEnvironmentVariables(json: Json | undefined): string[] {
  if (typeof json !== 'object' || json === null) return [];
  const { env } = json as { readonly env?: Json };
  return typeof env === 'string'
    ? [env]
    : [
        ...new Set(
          Object.values(json as Readonly<Record<string, Json>>).flatMap(listEnvironmentVariables),
        ),
      ];
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

export function isJsonObject(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !isList(value);
}
