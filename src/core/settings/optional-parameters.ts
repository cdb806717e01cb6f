import { URL_PARAMETERS, type UrlAliases } from './from-url.ts';
import type { SettingCandidate, SettingName } from './setting-source.ts';

/** URL parameters that every form reads, except parameters with an ID in their name. */
const KNOWN_PARAMETERS: readonly string[] = [
  ...Object.values(URL_PARAMETERS).flat(),
  'tribute',
  'tribute-name',
];

/**
 * Lists the URL parameters that a form reads, including the form's own names, but excluding
 * parameters with an ID in their name.
 */
export function listKnownParameters(aliases: UrlAliases = {}): readonly string[] {
  return [...KNOWN_PARAMETERS, ...Object.values(aliases).flat()];
}

/**
 * Returns true if a form reads a URL parameter.
 * @param aliases the form's own names for URL parameters.
 */
export function isKnownParameter(name: string, aliases?: UrlAliases): boolean {
  return (
    listKnownParameters(aliases).includes(name.toLowerCase()) ||
    findOptionalSetting(name) !== undefined
  );
}

/**
 * Reads the parameters of optional sections (rules 64 to 66): `field.<id>`, `tribute`,
 * `tribute-name`, and `consent.<id>`. The specification does not define these parameters.
 * @param search query of the URL, such as `?tribute=honor`.
 * @param except lowercase names of parameters to skip.
 */
export function readOptionalParameters(
  search: string,
  source: 'url' | 'landing' = 'url',
  except: readonly string[] = [],
): SettingCandidate[] {
  return [...new URLSearchParams(search)].flatMap(([name, value]) => {
    const setting = except.includes(name.toLowerCase()) ? undefined : findOptionalSetting(name);
    return setting === undefined ? [] : [{ setting, source, name, value }];
  });
}

function findOptionalSetting(name: string): SettingName | undefined {
  const [, kind, id] = /^(field|consent)\.(.+)$/is.exec(name) ?? [];
  if (kind !== undefined)
    return `${kind.toLowerCase() === 'field' ? 'customField' : 'consent'}:${id}`;
  switch (name.toLowerCase()) {
    case 'tribute':
      return 'tribute';
    case 'tribute-name':
      return 'tributeName';
    default:
      return undefined;
  }
}
