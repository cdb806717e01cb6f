import type { FormDefinition } from '../contract/form-definition.ts';
import { DONOR_FIELDS, type DonorField } from '../model/donor.ts';
import { isMergeTag, type Candidate, type Ignored, type SettingName } from './candidate.ts';
import { nearestName } from './nearest-name.ts';
import { merge, type Settings } from './settings.ts';
import { URL_NAMES, readUrl } from './url.ts';

/**
 * What a campaign link says: Fundraising Platform API, 'Embedded form settings', URL parameters.
 * Every value is a text as it stands in the link, or a mailer's merge tag such as `*|FNAME|*`.
 */
export type CampaignLink = Partial<Record<Exclude<SettingName, 'coverCosts' | 'giftArray'>, string>> & {
  /** Suggested amounts, in major units. */
  readonly giftArray?: readonly string[];
};

type LinkSetting = keyof CampaignLink;
const SETTINGS = Object.keys(URL_NAMES) as LinkSetting[];

/** Settings that say who a donor is: a link that carries them shows them to every tag, log and proxy on its way. */
const PERSONAL: readonly DonorField[] = DONOR_FIELDS.filter((name) => !['city', 'state', 'postal', 'country'].includes(name));

/** The name that links are built with: the first of the specification's. */
const nameOf = (setting: LinkSetting): string => (setting === 'currency' ? 'currencyCode' : URL_NAMES[setting]![0]!);

/**
 * A link to a page with a form, which opens with these values.
 * @param page the page's address; its other parameters stay, those of the form are replaced.
 * @throws {TypeError} where the page is no web address.
 */
export function buildLink(page: string, link: CampaignLink): string {
  const url = new URL(page), known = new Set(Object.values(URL_NAMES).flat());
  const others = [...url.searchParams].filter(([name]) => !known.has(name.toLowerCase()));
  const own = SETTINGS.flatMap((setting) => {
    const value = setting === 'giftArray' ? link.giftArray?.join(',') : link[setting];
    return value ? [[nameOf(setting), value] as const] : [];
  });
  const query = [...others, ...own].map(([name, value]) => `${encodeURIComponent(name)}=${isMergeTag(value) ? value : encodeURIComponent(value)}`).join('&');
  return url.origin + url.pathname + (query && `?${query}`) + url.hash;
}

/** What a link says, read by the form's own parser. Merge tags stay. @throws {TypeError} where it is no web address. */
export function readLink(link: string): CampaignLink {
  const found = strongestOf(readUrl(new URL(link).search, (value) => value.trim() === ''));
  return Object.fromEntries(found.map(({ setting, value }) => [setting, setting === 'giftArray' ? String(value).split(',') : value]));
}

/** Where a link names something that no form knows. */
export interface UnknownName {
  readonly name: string;
  /** The known name that it may stand for. */
  readonly meant: string;
}

export interface LinkCheck {
  /** What a form opens with by this link. */
  readonly settings: Settings;
  /** What decided it, by setting, and the name that it came by. */
  readonly decided: Readonly<Partial<Record<SettingName, string>>>;
  readonly ignored: readonly Ignored[];
  /** Names that are nearly a known one. */
  readonly unknown: readonly UnknownName[];
  /** Names that carry personal data, merge tags apart: those name nobody yet. */
  readonly personal: readonly string[];
}

/** What a form would make of a link. @throws {TypeError} where it is no web address. */
export function checkLink(definition: FormDefinition, link: string): LinkCheck {
  const { search, searchParams } = new URL(link);
  const candidates = readUrl(search);
  const { settings, origins, ignored } = merge(definition, candidates);
  return {
    settings, ignored,
    decided: Object.fromEntries(Object.entries(origins).map(([setting, { name }]) => [setting, name])),
    unknown: [...new Set(searchParams.keys())].flatMap(nearlyKnown),
    personal: candidates.filter(({ setting }) => PERSONAL.some((name) => name === setting)).map(({ name }) => name),
  };
}

function nearlyKnown(name: string): UnknownName[] {
  const known = Object.values(URL_NAMES).flat(), given = name.toLowerCase();
  if (known.includes(given) || /^utm_|clid$/.test(given)) return [];
  const meant = nearestName(name, known);
  return meant === undefined ? [] : [{ name, meant }];
}

function strongestOf(candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter(({ setting }, index) => candidates.findIndex((other) => other.setting === setting) === index);
}
