import type { FormDefinition } from '../schemas/form-definition.ts';
import { isMergeTag, type Ignored, type SettingName } from './setting-source.ts';
import { mergeHidden, type HiddenSettings } from './hidden-fields.ts';
import { nearestName } from './suggest-name.ts';
import { merge, type Settings } from './merge-settings.ts';
import { URL_NAMES, isPersonal, readUrl, type UrlSetting } from './from-url.ts';

/**
 * What a campaign link says: Fundraising Platform API, 'Embedded form settings', URL parameters.
 * Every value is a text as it stands in the link, or a mailer's merge tag such as `*|FNAME|*`.
 */
export type CampaignLink = Partial<Record<Exclude<UrlSetting, 'giftArray'>, string>> & {
  /** Suggested amounts, in major units. */
  readonly giftArray?: readonly string[];
};

const KNOWN: readonly string[] = Object.values(URL_NAMES).flat();
const SETTINGS = Object.keys(URL_NAMES) as UrlSetting[];

/** The name that links are built with: the first of the specification's. */
const nameOf = (setting: UrlSetting): string =>
  setting === 'currency' ? 'currencyCode' : URL_NAMES[setting][0];

/**
 * A link to a page with a form, which opens with these values.
 * @param page the page's address; its parameters stay, but those that the link sets.
 * @throws {TypeError} where the page is no web address.
 */
export function buildLink(page: string, link: CampaignLink): string {
  const url = new URL(page);
  if (!/^https?:$/.test(url.protocol))
    throw new TypeError(`${page} is no web address; expected one that begins with https://.`);
  const set = SETTINGS.flatMap((setting) => {
    const value = setting === 'giftArray' ? link.giftArray?.join(',') : link[setting];
    return value ? [{ setting, value }] : [];
  });
  const replaced = new Set<string>(set.flatMap(({ setting }) => URL_NAMES[setting]));
  const others = [...url.searchParams].filter(([name]) => !replaced.has(name.toLowerCase()));
  const query = [...others, ...set.map(({ setting, value }) => [nameOf(setting), value] as const)]
    .map(
      ([name, value]) =>
        `${encodeURIComponent(name)}=${isMergeTag(value) && !/[&#]/.test(value) ? value : encodeURIComponent(value)}`,
    )
    .join('&');
  return url.origin + url.pathname + (query && `?${query}`) + url.hash;
}

/**
 * What a link says, read by the form's own parser. Merge tags stay.
 * @throws {TypeError} where it is no web address.
 */
export function readLink(link: string): CampaignLink {
  const given = readUrl(new URL(link).search)
    .map(({ setting, value }) => [setting, String(value)] as const)
    .filter(([, value]) => value.trim() !== '');
  return Object.fromEntries(
    given
      .reverse()
      .map(([setting, value]) => [setting, setting === 'giftArray' ? value.split(',') : value]),
  );
}

/** Where a link names something that no form knows. */
export interface UnknownName {
  readonly name: string;
  /** The known name that it may stand for. */
  readonly meant: string;
}

/** What a form would make of a link. */
export interface LinkCheck {
  /** What a form opens with by this link. */
  readonly settings: Settings & HiddenSettings;
  /** What decided it, by setting, and the name that it came by. */
  readonly decided: Readonly<Partial<Record<SettingName, string>>>;
  /**
   * What the form would not take; empty values and merge tags, which a mailer fills in, are not in
   * it.
   */
  readonly ignored: readonly Ignored[];
  /** Names that are nearly a known one. */
  readonly unknown: readonly UnknownName[];
  /** Names that carry personal data, merge tags apart: those name nobody yet. */
  readonly personal: readonly string[];
}

/** What a form would make of a link. @throws {TypeError} where it is no web address. */
export function checkLink(definition: FormDefinition, link: string): LinkCheck {
  const { search, searchParams, hash } = new URL(link);
  const candidates = readUrl(search);
  const shown = merge(definition, candidates);
  const hidden = mergeHidden(definition, candidates);
  return {
    settings: { ...shown.settings, ...hidden.settings },
    ignored: [...shown.decisions.ignored, ...hidden.decisions.ignored].filter(
      ({ reason }) => reason !== 'empty' && reason !== 'merge-tag',
    ),
    decided: Object.fromEntries(
      Object.entries({ ...shown.decisions.origins, ...hidden.decisions.origins }).map(
        ([setting, origin]) => [setting, origin!.name],
      ),
    ),
    unknown: [...[...new Set(searchParams.keys())].flatMap(nearlyKnown), ...behindHash(hash)],
    personal: candidates
      .filter(
        ({ name, value }) =>
          isPersonal(name) && String(value).trim() !== '' && !isMergeTag(String(value)),
      )
      .map(({ name }) => name),
  };
}

/** Parameters that stand behind a `#`, where no form reads them. */
function behindHash(hash: string): UnknownName[] {
  const names = [...new URLSearchParams(hash.replace(/^#[^?]*\?|^#/, '')).keys()].filter((name) =>
    KNOWN.includes(name.toLowerCase()),
  );
  return names.map((name) => ({ name: `${name} behind the #`, meant: `${name} before it` }));
}

function nearlyKnown(name: string): UnknownName[] {
  const given = name.toLowerCase();
  if (KNOWN.includes(given)) return [];
  const meant = nearestName(name, KNOWN);
  return meant === undefined ? [] : [{ name, meant }];
}
