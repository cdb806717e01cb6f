import { isBlank, type Candidate, type SettingName } from './setting-source.ts';

/**
 * Fundraising Platform API, 'Embedded form settings', URL parameters: for each purpose its names,
 * the strongest first.
 * The names of what led a donor here (utm_…, click identifiers) are this project's own choice.
 */
export const URL_NAMES = {
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
/** What an address can set. */
export type UrlSetting = keyof typeof URL_NAMES;

/** Where a tab keeps what its visit began with, as a query; only with the visitor's consent. */
export const LANDING_KEY = 'donation-form-landing';

/** Parameters that name a person, or where one lives: they do not stay in the address. */
const PERSONAL = new Set<string>(
  (['firstName', 'lastName', 'email', 'phone', 'address1', 'address2'] as const).flatMap(
    (setting) => URL_NAMES[setting],
  ),
);

/** Whether a parameter of this name carries who a donor is. */
export function isPersonal(name: string): boolean {
  return PERSONAL.has(name.toLowerCase());
}

/**
 * Reads the parameters of an address, in any case.
 * @param search such as `?amt=75`. @param except names that are not read, in small letters.
 * @returns the strongest of each setting first.
 */
export function readUrl(
  search: string,
  layer: 'url' | 'landing' = 'url',
  except: readonly string[] = [],
): Candidate[] {
  const given = [...new URLSearchParams(search.replace(/%%(\w+)%%/g, '%25%25$1%25%25'))];
  return (Object.entries(URL_NAMES) as [UrlSetting, readonly string[]][]).flatMap(
    ([setting, names]) =>
      names
        .filter((name) => !except.includes(name))
        .flatMap((known) =>
          given
            .filter(([name]) => name.toLowerCase() === known)
            .map(([name, value]): Candidate => ({
              setting,
              layer,
              name,
              value: known === 'email' ? value.trim().replaceAll(' ', '+') : value,
            })),
        ),
  );
}

/** What tells of a campaign: where a visitor came from, and never who the visitor is. */
export const CAMPAIGN: readonly SettingName[] = [
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
 * Reads the page's address, and after it earlier ones. An address that tells of a campaign tells
 * all of it: nothing of an earlier one is mixed in.
 */
export function readAddresses(
  search: string,
  earlier: readonly string[],
  except: readonly string[],
): Candidate[] {
  return earlier.reduce(
    (found, one) => {
      const isTold = found.some(
        ({ setting, value }) => CAMPAIGN.includes(setting) && !isBlank(String(value)),
      );
      return [
        ...found,
        ...readUrl(one, 'landing', except).filter(
          ({ setting, value }) =>
            !(isTold && CAMPAIGN.includes(setting)) &&
            !found.some((other) => other.setting === setting && other.value === value),
        ),
      ];
    },
    readUrl(search, 'url', except),
  );
}
