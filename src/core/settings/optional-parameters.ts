import { findOptionalSetting, URL_PARAMETERS, type UrlAliases } from './from-url.ts';

/** URL parameters that every form reads, except parameters with an ID in their name. */
const KNOWN_PARAMETERS: readonly string[] = [
  ...Object.values(URL_PARAMETERS).flat(),
  'tribute',
  'tribute-name',
];

/** Lists the parameters that a form reads, except those with an ID in their name. */
export function listKnownParameters(aliases: UrlAliases = {}): readonly string[] {
  return [...KNOWN_PARAMETERS, ...Object.values(aliases).flat()];
}

export function isKnownParameter(name: string, aliases?: UrlAliases): boolean {
  return (
    listKnownParameters(aliases).includes(name.toLowerCase()) ||
    findOptionalSetting(name) !== undefined
  );
}
