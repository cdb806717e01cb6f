import { isPersonalParameter, readParameters } from '@donation-form/core/settings';

/** Removes personal parameters, whose values the page's fields already contain. */
export function removePersonalParameters(search: string): string {
  return toSearch(readParameters(search).filter(([name]) => !isPersonalParameter(name)));
}

/** Replaces all parameters with the same name, regardless of case. */
export function setQueryParameter(search: string, name: string, value: string): string {
  const others = readParameters(search).filter(
    ([other]) => other.toLowerCase() !== name.toLowerCase(),
  );
  return toSearch([...others, [name, value]]);
}

const toSearch = (parameters: [string, string][]): string =>
  parameters.length > 0 ? `?${new URLSearchParams(parameters)}` : '';
