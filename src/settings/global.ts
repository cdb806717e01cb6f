import { DONOR_FIELDS } from '../model/donor.ts';
import { isBlank, type Candidate, type SettingName } from './candidate.ts';

/** Fundraising Platform API, 'Embedded form settings', settings.giftInfo: each setting's names, the strongest first. */
const GIFT_INFO: readonly (readonly [SettingName, string])[] = [
  ['giftArray', 'giftArrays'],
  ['amount', 'amount'],
  ['frequency', 'frequency'],
  ['coverCosts', 'coverCosts'],
  ['comment', 'comments'],
  ['segment', 'segmentOverrideCode'],
  ['projectOverride', 'projectCodeOverride'],
  ['projectOverride', 'projectOverrideCode'],
  ['projectPreselect', 'projectCodePreselect'],
];

/** Reads `window.ServiceDonorsForms.settings`, whatever a page has put there, and throws for none of it. */
export function readGlobal(page: object): Candidate[] {
  const settings = own(own(page, 'ServiceDonorsForms'), 'settings');
  const donorInfo = own(settings, 'donorInfo'), giftInfo = own(settings, 'giftInfo');
  const found = [
    ...DONOR_FIELDS.map((name) => ({ setting: name, name: `donorInfo.${name}`, value: own(donorInfo, name) })),
    ...GIFT_INFO.map(([setting, name]) => ({ setting, name: `giftInfo.${name}`, value: own(giftInfo, name) })),
  ];
  return found.filter(({ value }) => value !== undefined && value !== null && !(typeof value === 'string' && isBlank(value)))
    .map((candidate) => ({ ...candidate, layer: 'global' }));
}

/** The names that a page has put into its settings, as paths, and those that are read. */
export function globalNames(page: object): { readonly given: readonly string[]; readonly known: readonly string[] } {
  const settings = own(own(page, 'ServiceDonorsForms'), 'settings');
  const keys = (holder: unknown): string[] => { try { return Object.keys(Object(holder) as object); } catch { return []; } };
  const inside = ['donorInfo', 'giftInfo'].flatMap((name) => keys(own(settings, name)).map((key) => `${name}.${key}`));
  return {
    given: [...keys(settings), ...inside],
    known: ['donorInfo', 'giftInfo', 'onLoad', 'onSuccess', ...DONOR_FIELDS.map((name) => `donorInfo.${name}`), ...GIFT_INFO.map(([, name]) => `giftInfo.${name}`)],
  };
}

/** The page's callback of this name, looked up now. */
export function globalCallback(page: object, name: 'onLoad' | 'onSuccess'): ((...values: unknown[]) => unknown) | undefined {
  const callback = own(own(own(page, 'ServiceDonorsForms'), 'settings'), name);
  return typeof callback === 'function' ? callback as (...values: unknown[]) => unknown : undefined;
}

/** An own property of a plain value; `undefined` for anything else, a getter that throws included. */
export function own(holder: unknown, name: string): unknown {
  try {
    return typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name) ? (holder as Record<string, unknown>)[name] : undefined;
  } catch {
    return undefined;
  }
}
