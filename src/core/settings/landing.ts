import { isEmptyOrMergeTag } from './setting-source.ts';
import { CAMPAIGN_SETTINGS, readUrlParameters } from './from-url.ts';

const MAX_LENGTH = 500;

/**
 * Extracts the campaign parameters from a URL's query, such as `?src=MAIL26&utm_source=mail`. The
 * form can store these parameters, because they never identify the visitor.
 * @param search query of the URL.
 * @returns the query with only the campaign parameters, or an empty string if there are none.
 */
export function extractCampaignQuery(search: string): string {
  const candidates = readUrlParameters(search).filter(
    ({ setting, value }) =>
      CAMPAIGN_SETTINGS.includes(setting) &&
      !isEmptyOrMergeTag(String(value), 'landing') &&
      String(value).length <= MAX_LENGTH,
  );
  const parameters = candidates.map(({ name, value }): [string, string] => [name, String(value)]);
  return parameters.length > 0 ? `?${new URLSearchParams(parameters)}` : '';
}
