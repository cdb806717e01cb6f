import type { FormDefinition } from '../schemas/form-definition.ts';
import { findUnrecognizedParameters } from './explain.ts';
import {
  decodeParameter,
  listKnownParameters,
  readParameters,
  readUrlParameters,
  URL_PARAMETERS,
  type UrlAliases,
  type UrlSetting,
} from './from-url.ts';
import { isPersonalParameter } from './personal-parameter.ts';
import { resolveSettings, type Settings } from './resolve-settings.ts';
import { type IgnoredValue, isMergeTag, type SettingName } from './setting-source.ts';

/**
 * Settings of a campaign link (Fundraising Platform API, "Embedded form settings", URL parameters).
 * Each value is the text in the link, or a mailer's merge tag such as `*|FNAME|*`.
 */
export type CampaignLink = Partial<Record<Exclude<UrlSetting, 'giftArray'>, string>> & {
  /** Suggested amounts, in major units. */
  readonly giftArray?: readonly string[];
};

const SETTINGS = Object.keys(URL_PARAMETERS) as UrlSetting[];

const LANGUAGE_PARAMETERS: readonly string[] = ['lang', 'language', 'locale'];

const PARAMETER_NOTES = [
  ['empty', 'emptyParameters', 'the parameter is empty, so the link does not set it'],
  [
    'language',
    'languageParameters',
    'forms do not read the language from a link; link to a page in that language',
  ],
  ['not read', 'otherParameters', 'forms do not read this parameter, but the page may'],
] as const;

export function listParameterNotes(
  check: Pick<LinkCheck, (typeof PARAMETER_NOTES)[number][1]>,
): { kind: (typeof PARAMETER_NOTES)[number][0]; name: string; advice: string }[] {
  return PARAMETER_NOTES.flatMap(([kind, list, advice]) =>
    check[list].map((name) => ({ kind, name, advice })),
  );
}

/** Returns the parameter that new links use: the first name in the specification. */
const getParameterName = (setting: UrlSetting): string =>
  setting === 'currency' ? 'currencyCode' : URL_PARAMETERS[setting][0];

/**
 * Builds a link that opens the form on a page with the given settings.
 * @param page URL of the page. The link keeps the URL's other parameters.
 * @throws {TypeError} if the page is not an HTTP or HTTPS URL.
 *
 * @example
 * ```ts
 * import { buildLink } from 'donation-form/link';
 *
 * const link = buildLink('https://example.org/give', { amount: '75', frequency: 'monthly' });
 * console.log(link); // https://example.org/give?amount=75&frequency=monthly
 * ```
 */
export function buildLink(page: string, link: CampaignLink): string {
  const url = new URL(page);
  if (!/^https?:$/.test(url.protocol))
    throw new TypeError(`${page} is not a web URL. Use a URL that starts with https://.`);
  const values = SETTINGS.flatMap((setting) => {
    const value = setting === 'giftArray' ? link.giftArray?.join(',') : link[setting];
    return value ? [{ setting, value }] : [];
  });
  const replaced = new Set<string>(values.flatMap(({ setting }) => URL_PARAMETERS[setting]));
  const others = [...url.searchParams].filter(([name]) => !replaced.has(name.toLowerCase()));
  const query = [
    ...others,
    ...values.map(({ setting, value }) => [getParameterName(setting), value] as const),
  ]
    .map(
      ([name, value]) =>
        `${encodeURIComponent(name)}=${isMergeTag(value, 'url') && !/[&#]/.test(value) && decodeParameter(value) === value ? value : encodeURIComponent(value)}`,
    )
    .join('&');
  return url.origin + url.pathname + (query && `?${query}`) + url.hash;
}

/**
 * Reads a link's settings with the form's own parser. Returns merge tags unchanged.
 * @throws {TypeError} if the link is not a URL.
 *
 * @example
 * ```ts
 * import { readLink } from 'donation-form/link';
 *
 * const { amount } = readLink('https://example.org/give?amt=75&Frequency=monthly');
 * console.log(amount); // 75
 * ```
 */
export function readLink(link: string): CampaignLink {
  const entries = readUrlParameters(new URL(link).search)
    .map(({ setting, value }) => [setting, String(value)] as const)
    .filter(([, value]) => value.trim() !== '');
  return Object.fromEntries(
    entries
      .reverse()
      .map(([setting, value]) => [setting, setting === 'giftArray' ? value.split(',') : value]),
  );
}

/** A misspelled parameter, or a known one after the `#` or in the path instead of after the `?`. */
export type UnknownName =
  | { readonly name: string; readonly suggestion: string; readonly place?: never }
  | { readonly name: string; readonly place: 'hash' | 'path'; readonly suggestion?: never };

export function explainUnknownName({ suggestion, place }: UnknownName): string {
  if (place === 'hash')
    return 'comes after the #, where the form does not read it. Move it before the #.';
  if (place === 'path') return 'has no ? before it. Start the first parameter with ? instead of &.';
  return `is not a parameter of this form. Did you mean ${suggestion}?`;
}

/** Result of checking a link against a form. */
export interface LinkCheck {
  /** Settings that apply when the link opens the form. */
  readonly settings: Settings;
  /** Names of the URL parameters that determine the settings, keyed by setting. */
  readonly decidedBy: Readonly<Partial<Record<SettingName, string>>>;
  /** Excludes empty values and merge tags, which a mailer replaces. */
  readonly ignored: readonly IgnoredValue[];
  /** Misspelled parameter names, and parameter names after the `#` or without a `?`. */
  readonly unknown: readonly UnknownName[];
  /** Names of parameters with personal data, except merge tags, which a mailer replaces later. */
  readonly personal: readonly string[];
  /** Names of parameters without a value, for example because a merge tag became nothing. */
  readonly emptyParameters: readonly string[];
  /** Forms ignore them, but the page may read them, as `/donate` reads `language`. */
  readonly languageParameters: readonly string[];
  /** Other parameters that forms do not read. The page may read them. */
  readonly otherParameters: readonly string[];
}

/**
 * Checks a link against a form.
 * @throws {TypeError} if the link is not a URL.
 *
 * @example
 * ```ts
 * import { checkLink } from 'donation-form/link';
 *
 * const response = await fetch('https://give.example.org/form');
 * const { settings, ignored } = checkLink(
 *   await response.json(),
 *   'https://example.org/give?amt=75&Frequency=sometimes',
 * );
 * console.log(settings.amount); // 7500
 * console.log(ignored[0]?.name); // Frequency
 * ```
 */
export function checkLink(definition: FormDefinition, link: string): LinkCheck {
  const { pathname, search, hash } = new URL(link);
  const { urlAliases } = definition;
  const candidates = readUrlParameters(search, 'url', [], urlAliases);
  const unrecognized = findUnrecognizedParameters(search, urlAliases);
  const isLanguageParameter = (name: string): boolean =>
    LANGUAGE_PARAMETERS.includes(name.toLowerCase());
  const { settings, resolver } = resolveSettings(definition, candidates);
  const { ignored } = resolver;
  const decidedBy = Object.fromEntries(
    Object.entries(resolver.origins).map(([setting, origin]) => [setting, origin!.name]),
  );
  const decidingNames = Object.values(decidedBy);
  return {
    settings,
    ignored: ignored.filter(({ reason }) => reason !== 'empty' && reason !== 'merge-tag'),
    decidedBy,
    unknown: [
      ...unrecognized.flatMap(({ name, suggestion }) =>
        suggestion === undefined ? [] : [{ name, suggestion }],
      ),
      ...findMisplacedParameters('path', pathname, urlAliases),
      ...findMisplacedParameters('hash', hash, urlAliases),
    ],
    personal: candidates
      .filter(
        ({ name, value }) =>
          isPersonalParameter(name) &&
          String(value).trim() !== '' &&
          !isMergeTag(String(value), 'url'),
      )
      .map(({ name }) => name),
    emptyParameters: [
      ...new Set(ignored.filter(({ reason }) => reason === 'empty').map(({ name }) => name)),
    ].filter((name) => !decidingNames.includes(name)),
    languageParameters: unrecognized
      .map(({ name }) => name)
      .filter(
        (name) =>
          isLanguageParameter(name) && !(name === 'language' && pathname.endsWith('/donate')),
      ),
    otherParameters: unrecognized
      .filter(({ name, suggestion }) => suggestion === undefined && !isLanguageParameter(name))
      .map(({ name }) => name),
  };
}

/** Forms do not read parameters in the hash or the path of a link. */
function findMisplacedParameters(
  place: 'hash' | 'path',
  text: string,
  aliases: UrlAliases | undefined,
): UnknownName[] {
  const query = place === 'hash' ? text.replace(/^#[^?]*\?|^#/, '') : text.replace(/^[^&]*/, '');
  const pairs = query.split('&').filter((part) => part.includes('='));
  const names = readParameters(pairs.join('&'))
    .map(([name]) => name)
    .filter((name) => listKnownParameters(aliases).includes(name.toLowerCase()));
  // A ? before the first parameter in the path corrects all of them.
  return names.slice(0, place === 'path' ? 1 : undefined).map((name) => ({ name, place }));
}
