import { isServiceUrl, normalizeServiceUrl } from '@donation-form/core/url';
import type { Theme } from './appearance.ts';

export interface SnippetOptions {
  /** Public URL of the donation server. */
  readonly endpoint: string;
  readonly form: string;
  readonly theme: Theme | undefined;
  readonly styleSheet: string;
  readonly organization: string;
  readonly contact: string;
}

/** Returns an error message for an invalid endpoint URL, or `undefined` for a valid one. */
export function validateEndpoint(endpoint: string): string | undefined {
  if (isServiceUrl(endpoint)) return undefined;
  const example = 'such as https://give.example.org.';
  const [, scheme] = /^([a-z][\w+.-]*):\/\//i.exec(endpoint) ?? [];
  if (endpoint === '') return `Enter the URL of your donation server, ${example}`;
  if (scheme === undefined) return `Enter a URL that starts with https://, ${example}`;
  if (!URL.canParse(endpoint)) return `Enter a valid URL, ${example}`;
  const { protocol, username, password } = new URL(endpoint);
  const [suffix] = /[?#].*/.exec(endpoint) ?? [];
  if (suffix !== undefined) return `Remove ${suffix} from the URL.`;
  if (username !== '' || password !== '') return 'Remove the username and password before the @.';
  return protocol === 'http:'
    ? 'Use https:// instead of http://, which is allowed only for localhost.'
    : `Use https:// instead of ${scheme}://.`;
}

/** Builds the HTML that embeds the form. The endpoint URL must be valid. */
export function buildSnippet({
  endpoint,
  form,
  theme,
  styleSheet,
  organization,
  contact,
}: SnippetOptions): string {
  const scriptUrl = `${normalizeServiceUrl(endpoint)}/embed/${encodeURIComponent(form)}.js`;
  const themeClass = theme ? ` class="theme-${theme}"` : '';
  return [
    ...(styleSheet === '' ? [] : ['<style>', styleSheet, '</style>']),
    `<script type="module" src="${escapeHtml(scriptUrl)}"></script>`,
    `<donation-form${themeClass} form-id="${escapeHtml(form)}">`,
    `  <a href="mailto:${escapeHtml(contact)}">To donate another way, contact ${escapeHtml(organization)}</a>`,
    '</donation-form>',
  ].join('\n');
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
