import { URL_NAMES, type UrlSetting } from './url.ts';

/** What is kept of a landing address: where the visitor came from, and never who the visitor is. */
const KEPT: readonly UrlSetting[] = ['segment', 'projectOverride', 'projectPreselect', 'utmCampaign', 'utmSource', 'utmMedium', 'utmContent', 'utmTerm', 'utmId', 'adClickId'];
const NAMES: readonly string[] = KEPT.flatMap((setting) => URL_NAMES[setting]);
const LONGEST = 500;

/** The part of an address that may be kept, such as `?src=MAIL26&utm_source=mail`; empty where there is none. @param search the address's query. */
export function landingOf(search: string): string {
  const kept = [...new URLSearchParams(search)].filter(([name, value]) => NAMES.includes(name.toLowerCase()) && value.trim() !== '' && value.length <= LONGEST);
  return kept.length > 0 ? `?${new URLSearchParams(kept)}` : '';
}
