import { isEmptyOrMergeTag } from './setting-source.ts';
import { CAMPAIGN_SETTINGS, readUrlParameters } from './from-url.ts';

const MAX_LENGTH = 500;

/**
 * Extracts the campaign parameters, which the form can store, because they never identify the
 * visitor.
 * @returns a query such as `?src=MAIL26&utm_source=mail`, or an empty string.
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
