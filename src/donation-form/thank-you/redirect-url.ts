import { stringifyJson } from '../page/stringify-json.ts';

/**
 * Returns the absolute URL for a `success-url` attribute, or `undefined` if the attribute is absent
 * or invalid.
 */
export function parseSuccessUrl(successUrl: string | null | undefined): string | undefined {
  if (!successUrl) return undefined;
  const url = URL.canParse(successUrl, document.baseURI)
    ? new URL(successUrl, document.baseURI)
    : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url.href;
  console.warn(
    `donation-form: Ignored success-url ${stringifyJson(successUrl)}, which is not a valid HTTP or HTTPS URL. ` +
      'Use a URL such as https://example.org/thanks or /thanks.',
  );
  return undefined;
}
