import { isServiceUrl, serviceBase } from '@donation-form/core/url';
import type { Theme } from './look.ts';

export interface SnippetParts {
  /** Where browsers reach the donation endpoint. */
  readonly endpoint: string;
  readonly form: string;
  readonly theme: Theme | undefined;
  readonly styleSheet: string;
  readonly organization: string;
  readonly contact: string;
}

/** What is wrong with the endpoint's address, in words. */
export function endpointProblem(endpoint: string): string | undefined {
  if (isServiceUrl(endpoint)) return undefined;
  const example = 'such as https://give.example.org.';
  const [, scheme] = /^([a-z][\w+.-]*):\/\//i.exec(endpoint) ?? [];
  if (endpoint === '') return `Write where browsers reach your donation endpoint, ${example}`;
  if (scheme === undefined) return `Write https:// before it, ${example}`;
  if (!URL.canParse(endpoint)) return `This is no address. Write one ${example}`;
  const { protocol, username, password } = new URL(endpoint);
  const [more] = /[?#].*/.exec(endpoint) ?? [];
  if (more !== undefined) return `Leave out ${more}: the address ends with its path.`;
  if (username !== '' || password !== '')
    return 'Leave out the name and the password before the @.';
  return protocol === 'http:'
    ? 'Write https:// in the place of http://, which only this very machine may have.'
    : `Write https:// in the place of ${scheme}://.`;
}

/**
 * What a page needs to show the form.
 * @param parts with an endpoint that {@link endpointProblem} finds nothing wrong with.
 */
export function snippetOf({
  endpoint,
  form,
  theme,
  styleSheet,
  organization,
  contact,
}: SnippetParts): string {
  const base = serviceBase(endpoint);
  const name = theme ? ` class="theme-${theme}"` : '';
  return [
    ...(styleSheet === '' ? [] : ['<style>', styleSheet, '</style>']),
    `<script type="module" src="${escaped(`${base}/donation-form.js`)}"></script>`,
    `<donation-form${name} endpoint="${escaped(base)}" form-id="${escaped(form)}">`,
    `  <a href="mailto:${escaped(contact)}">To give in another way, write to ${escaped(organization)}</a>`,
    '</donation-form>',
  ].join('\n');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
