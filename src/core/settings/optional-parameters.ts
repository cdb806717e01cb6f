import { findOptionalSetting, URL_PARAMETERS, type UrlAliases } from './from-url.ts';

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
