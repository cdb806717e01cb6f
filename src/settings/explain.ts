import type { Candidate, IgnoreReason, Layer, SettingName } from './candidate.ts';
import { nearestName } from './nearest-name.ts';
import type { Merge } from './settings.ts';

/** A value that was found somewhere. */
export interface FoundValue {
  readonly layer: Layer;
  /** The name it came by: a URL parameter as written, or a path such as `giftInfo.amount`. */
  readonly name: string;
  readonly value: unknown;
}

/** How a setting came to be what it is. */
export interface Explained {
  readonly setting: SettingName;
  /** What decided; absent where nothing but the form's definition has a say. */
  readonly decided?: FoundValue;
  /** Weaker values that would have been valid too. */
  readonly beaten: readonly FoundValue[];
  readonly ignored: readonly (FoundValue & { readonly reason: IgnoreReason })[];
}

export interface Explanation {
  readonly settings: readonly Explained[];
  /** Names in the address and in the page's settings that nothing reads, and the known name that each may stand for. */
  readonly unknown: readonly { readonly layer: Layer; readonly name: string; readonly meant?: string }[];
}

/** The names that a layer has, and those that are read in it. */
export interface Names {
  readonly layer: Layer;
  readonly given: readonly string[];
  readonly known: readonly string[];
}

/**
 * Explains a merge. Pure, and loaded only when somebody asks.
 * @param candidates what the merge was made of.
 */
export function explain({ origins, ignored }: Merge, candidates: readonly Candidate[], names: readonly Names[]): Explanation {
  const settings = [...new Set(candidates.map(({ setting }) => setting))].map((setting): Explained => {
    const found = candidates.filter((candidate) => candidate.setting === setting);
    const origin = origins[setting];
    const decided = found.find(({ layer, name }) => layer === origin?.layer && name === origin.name);
    const others = ignored.filter((one) => one.setting === setting).flatMap(({ layer, name, reason }) => {
      const candidate = found.find((one) => one !== decided && one.layer === layer && one.name === name);
      return candidate ? [{ layer, name, value: candidate.value, reason }] : [];
    });
    return {
      setting,
      ...(decided && { decided: { layer: decided.layer, name: decided.name, value: decided.value } }),
      beaten: others.filter(({ reason }) => reason === 'beaten').map(({ layer, name, value }) => ({ layer, name, value })),
      ignored: others.filter(({ reason }) => reason !== 'beaten'),
    };
  });
  return { settings, unknown: names.flatMap(unknownOf) };
}

function unknownOf({ layer, given, known }: Names): Explanation['unknown'] {
  return given.filter((name) => !known.some((one) => same(layer, one, name))).map((name) => {
    const meant = nearestName(name, known);
    return { layer, name, ...(meant !== undefined && { meant }) };
  });
}

/** Names in an address are read in any case, those of settings as they are written. */
function same(layer: Layer, known: string, given: string): boolean {
  return layer === 'url' ? known === given.toLowerCase() : known === given;
}
