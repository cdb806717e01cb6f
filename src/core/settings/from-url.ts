import { isEmptyOrMergeTag, type SettingCandidate, type SettingName } from './setting-source.ts';

/**
 * URL parameters for each setting, highest precedence first (Fundraising Platform API, "Embedded
 * form settings", URL parameters). The specification defines no tracking parameters, so we added
 * `utm_…` parameters and click IDs.
 */
export const URL_PARAMETERS = {
  firstName: ['firstname', 'first-name', 'fname'],
  lastName: ['lastname', 'last-name', 'lname'],
  email: ['email'],
  phone: ['phone'],
  address1: ['address1', 'address'],
  address2: ['address2'],
  city: ['city'],
  state: ['state'],
  postal: ['postal'],
  country: ['country'],
  amount: ['amount', 'amountpreselect', 'amountoverride', 'amt'],
  frequency: ['frequency'],
  comment: ['comment', 'comments'],
  currency: ['currencycode'],
  segment: ['segmentcode', 'segmentcodeoverride', 'src', 'referencecode'],
  projectOverride: ['projectcode', 'projectcodeoverride', 'projectoverride', 'fund-code'],
  projectPreselect: ['projectcodepreselect', 'projectpreselect'],
  giftArray: ['array-amounts'],
  utmCampaign: ['utm_campaign'],
  utmSource: ['utm_source'],
  utmMedium: ['utm_medium'],
  utmContent: ['utm_content'],
  utmTerm: ['utm_term'],
  utmId: ['utm_id'],
  adClickId: ['gclid', 'fbclid', 'msclkid'],
} as const satisfies Partial<Record<SettingName, readonly string[]>>;
/** A setting that a URL can contain. */
export type UrlSetting = keyof typeof URL_PARAMETERS;

/**
 * A form's own names for URL parameters, in lowercase. All other names take precedence over these.
 */
export type UrlAliases = Partial<Record<UrlSetting, readonly string[]>>;

/**
 * `sessionStorage` key for the landing URL's query. The form uses this key only with the visitor's
 * consent.
 */
export const LANDING_STORAGE_KEY = 'donation-form-landing';

/**
 * Matches URL parameters that identify a person. The form removes these parameters from the page's
 * URL (rule 43).
 */
const PERSONAL_PARAMETER = /^((first|last)-?name|[fl]name|email|phone|address[12]?|tribute-name)$/i;

/** Returns true if a URL parameter identifies a person. */
export function isPersonalParameter(name: string): boolean {
  return PERSONAL_PARAMETER.test(name);
}

/**
 * Reads settings from a URL's query. Parameter names are case-insensitive.
 * @param search query of the URL, such as `?amt=75`.
 * @param except lowercase names of parameters to skip.
 * @param aliases the form's own names for URL parameters.
 * @returns the candidates for each setting, highest precedence first.
 */
export function readUrlParameters(
  search: string,
  source: 'url' | 'landing' = 'url',
  except: readonly string[] = [],
  aliases?: UrlAliases,
): SettingCandidate[] {
  // Most pages have no query, and each form reads three of them before it appears.
  if (search === '') return [];
  const parameters = [...new URLSearchParams(search.replace(/%%(\w+)%%/g, '%25%25$1%25%25'))];
  return (Object.entries(URL_PARAMETERS) as [UrlSetting, readonly string[]][]).flatMap(
    ([setting, names]) =>
      names.concat(aliases?.[setting] ?? []).flatMap((known) =>
        parameters
          .filter(([name]) => name.toLowerCase() === known && !except.includes(known))
          .map(([name, value]): SettingCandidate => ({
            setting,
            source,
            name,
            value: known === 'email' ? value.trim().replaceAll(' ', '+') : value,
          })),
      ),
  );
}

/** Settings that describe a campaign and never identify the visitor. */
export const CAMPAIGN_SETTINGS: readonly SettingName[] = [
  'segment',
  'projectOverride',
  'projectPreselect',
  'utmCampaign',
  'utmSource',
  'utmMedium',
  'utmContent',
  'utmTerm',
  'utmId',
  'adClickId',
];

/**
 * Reads settings from the page's URL and then from earlier URLs of the visit. All campaign settings
 * come from the first of these URLs that contains a campaign setting.
 * @param earlier queries of the earlier URLs, most recent first.
 * @param aliases the form's own names for URL parameters.
 */
export function readUrlAndLanding(
  search: string,
  earlier: readonly string[],
  except: readonly string[],
  aliases?: UrlAliases,
): SettingCandidate[] {
  return [search, ...earlier].reduce<SettingCandidate[]>((candidates, query, index) => {
    const hasCampaign = candidates.some(
      ({ setting, value }) =>
        CAMPAIGN_SETTINGS.includes(setting) && !isEmptyOrMergeTag(String(value)),
    );
    return [
      ...candidates,
      ...readUrlParameters(query, index === 0 ? 'url' : 'landing', except, aliases).filter(
        ({ setting, value }) =>
          !(hasCampaign && CAMPAIGN_SETTINGS.includes(setting)) &&
          !candidates.some((other) => other.setting === setting && other.value === value),
      ),
    ];
  }, []);
}
