import { TRACKING_FIELDS } from '../donation/tracking.ts';
import {
  isEmptyOrMergeTag,
  type SettingCandidate,
  type SettingName,
  type SettingSource,
} from './setting-source.ts';

/** Highest precedence first (Fundraising Platform API). We added `utm_…` and click IDs. */
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
export type UrlSetting = keyof typeof URL_PARAMETERS;

/** A form's own lowercase names for URL parameters. All other names take precedence over these. */
export type UrlAliases = Partial<Record<UrlSetting, readonly string[]>>;

/** Keeps merge tags such as `%%EMAIL%%`, and drops the `amp;` of a twice encoded ampersand. */
export function readParameters(search: string): [name: string, value: string][] {
  return search
    .replace(/^\?/, '')
    .split('&')
    .filter(Boolean)
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [decodeParameter(name).replace(/^(amp;)+/i, ''), decodeParameter(value.join('='))];
    });
}

/** Decodes UTF-8, or Latin-1 of older pages. Damaged UTF-8 contains U+FFFD. */
export function decodeParameter(text: string): string {
  return text.replaceAll('+', ' ').replace(/%%\w+%%|^%[a-z]\w*%$|(?:%[\da-f]{2})+/gi, (encoded) => {
    if (encoded.endsWith('%')) return encoded;
    try {
      return decodeURIComponent(encoded);
    } catch {
      const bytes = Uint8Array.from(encoded.slice(1).split('%'), (hex) => parseInt(hex, 16));
      const text = new TextDecoder().decode(bytes);
      const isDamaged = /[\u0080-\ufffc]/.test(text) || /%c[23]$/i.test(encoded);
      return isDamaged ? text : new TextDecoder('latin1').decode(bytes);
    }
  });
}

/**
 * Reads a query's settings, highest precedence first. Names are case-insensitive.
 * @param except lowercase names of parameters to skip.
 * @param aliases the form's own names.
 */
export function readUrlParameters(
  search: string,
  source: 'url' | 'landing' = 'url',
  except: readonly string[] = [],
  aliases?: UrlAliases,
): SettingCandidate[] {
  const parameters = readParameters(search).filter(
    ([name]) => !except.includes(name.toLowerCase()),
  );
  const candidates = (Object.entries(URL_PARAMETERS) as [UrlSetting, readonly string[]][]).flatMap(
    ([setting, names]) =>
      names.concat(aliases?.[setting] ?? []).flatMap((known) =>
        parameters
          .filter(([name]) => name.toLowerCase() === known)
          .map(([name, value]): SettingCandidate => ({
            setting,
            source,
            name,
            value: known === 'email' ? repairEmail(value) : value,
          })),
      ),
  );
  const optional = parameters.flatMap(([name, value]): SettingCandidate[] => {
    const setting = findOptionalSetting(name);
    return setting === undefined ? [] : [{ setting, source, name, value }];
  });
  return [...candidates, ...optional];
}

/** Repairs an email that a mailer did not encode, or encoded twice. */
function repairEmail(value: string): string {
  const email = value.trim().replaceAll(' ', '+');
  return email.includes('@') ? email : email.replace(/%(?:40|2b)/gi, decodeURIComponent);
}

/** Rules 64 to 66. The specification does not define these parameters. */
function findOptionalSetting(name: string): SettingName | undefined {
  const [, kind, id] = /^(field|consent)\.(.+)$/is.exec(name) ?? [];
  if (kind !== undefined)
    return `${kind.toLowerCase() === 'field' ? 'customField' : 'consent'}:${id}`;
  switch (name.toLowerCase()) {
    case 'tribute':
      return 'tribute';
    case 'tribute-name':
      return 'tributeName';
    default:
      return undefined;
  }
}

/** Settings that describe a campaign and never identify the visitor. */
const CAMPAIGN_SETTINGS: readonly SettingName[] = [
  'segment',
  'projectOverride',
  'projectPreselect',
  ...TRACKING_FIELDS,
];

/**
 * All campaign settings come from the first URL that has any. `earlier` has the most recent first.
 */
export function readUrlAndLanding(
  search: string,
  earlier: readonly string[],
  except: readonly string[],
  aliases?: UrlAliases,
): SettingCandidate[] {
  const candidates: SettingCandidate[] = [];
  let source: SettingSource = 'url';
  for (const query of [search, ...earlier]) {
    const hasCampaign = candidates.some(
      ({ setting, value }) =>
        CAMPAIGN_SETTINGS.includes(setting) && !isEmptyOrMergeTag(String(value), 'url'),
    );
    candidates.push(
      ...readUrlParameters(query, source, except, aliases).filter(
        ({ setting, value }) =>
          !(hasCampaign && CAMPAIGN_SETTINGS.includes(setting)) &&
          !candidates.some((other) => other.setting === setting && other.value === value),
      ),
    );
    source = 'landing';
  }
  return candidates;
}

/** Lists the parameters that a form reads, its own last, except those with an ID in their name. */
export function listKnownParameters(aliases: UrlAliases = {}): readonly string[] {
  const names: readonly string[] = Object.values(URL_PARAMETERS).flat();
  return names.concat('tribute', 'tribute-name', Object.values(aliases).flat());
}

export function isKnownParameter(name: string, aliases?: UrlAliases): boolean {
  return (
    listKnownParameters(aliases).includes(name.toLowerCase()) ||
    findOptionalSetting(name) !== undefined
  );
}

const MAX_STORED_LENGTH = 500;

/** Extracts the parameters that never identify the visitor, so the form can store them. */
export function extractCampaignQuery(search: string): string {
  const candidates = readUrlParameters(search).filter(
    ({ setting, value }) =>
      CAMPAIGN_SETTINGS.includes(setting) &&
      !isEmptyOrMergeTag(String(value), 'landing') &&
      String(value).length <= MAX_STORED_LENGTH,
  );
  const parameters = candidates.map(({ name, value }): [string, string] => [name, String(value)]);
  return parameters.length > 0 ? `?${new URLSearchParams(parameters)}` : '';
}
