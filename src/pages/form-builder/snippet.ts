import { isServiceUrl, serviceBase } from '../../model/service-url.ts';
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
  return isServiceUrl(endpoint) ? undefined : 'Write where browsers reach your donation endpoint, such as https://give.example.org.';
}

/** What a page needs to show the form. @param parts with an endpoint that {@link endpointProblem} finds nothing wrong with. */
export function snippetOf({ endpoint, form, theme, styleSheet, organization, contact }: SnippetParts): string {
  const base = serviceBase(endpoint), name = theme ? ` class="theme-${theme}"` : '';
  return [
    ...(styleSheet === '' ? [] : ['<style>', styleSheet, '</style>']),
    `<script type="module" src="${escaped(`${base}/donation-form.js`)}"></script>`,
    `<donation-form${name} endpoint="${escaped(base)}" form-id="${escaped(form)}">`,
    `  <a href="mailto:${escaped(contact)}">To give in another way, write to ${escaped(organization)}</a>`,
    '</donation-form>',
  ].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
