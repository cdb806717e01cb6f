import { isBlank } from './setting-source.ts';
import { CAMPAIGN, readUrl } from './from-url.ts';

const LONGEST = 500;

/**
 * The part of an address that may be kept, such as `?src=MAIL26&utm_source=mail`; empty where there
 * is none.
 * @param search the address's query.
 */
export function landingOf(search: string): string {
  const kept = readUrl(search).filter(
    ({ setting, value }) =>
      CAMPAIGN.includes(setting) && !isBlank(String(value)) && String(value).length <= LONGEST,
  );
  const parameters = kept.map(({ name, value }): [string, string] => [name, String(value)]);
  return parameters.length > 0 ? `?${new URLSearchParams(parameters)}` : '';
}
