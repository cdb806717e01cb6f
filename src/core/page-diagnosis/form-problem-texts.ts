import type { EndpointResult } from './page-facts.ts';

export type Recipient = 'author' | 'website' | 'server';

/** Texts by cause, with a variant after a slash if a cause has several texts. */
export type ProblemTexts = Readonly<
  Record<
    string,
    (
      ...facts: never[]
    ) => readonly [recipient: Recipient, headline: string, why: string, fix: string]
  >
>;

const POLICY_SUBJECTS = {
  script: "the form's script",
  chunk: "parts of the form's script",
  endpoint: "the form's requests",
  payment: "the form's payment fields",
};

/** Problems that the form itself finds. Its script contains only these texts. */
export const FORM_PROBLEM_TEXTS = {
  'blocked-by-policy': (reported: string, url: string, part: keyof typeof POLICY_SUBJECTS) => [
    'website',
    `This page's Content-Security-Policy blocks ${POLICY_SUBJECTS[part]}.`,
    `Its ${getDirective(reported)} directive does not allow ${getOrigin(url)}.`,
    `Add ${getOrigin(url)} to the ${getDirective(reported)} directive, in the web server, a security plugin, ` +
      'or a <meta> tag.' +
      (part === 'payment' ? ' The payment provider documents all sources that it needs.' : ''),
  ],
  'file-page': () => [
    'author',
    'A page opened from disk (file://) cannot show the form.',
    'Browsers give such a page no origin, so the donation server cannot allow it.',
    'Put the page on a website, or start a local web server and open the page from there.',
  ],
  'form-not-found': (endpointUrl: string, formId: string) => [
    'author',
    `The server at ${endpointUrl} has no form "${formId}".`,
    'The form was removed or renamed, or the form-id attribute is misspelled.',
    'Correct the form-id attribute, or remove it to show the first form.',
  ],
  'insecure-page': (origin: string) => [
    'website',
    `${origin} does not use HTTPS, which payments require.`,
    'Without HTTPS, anyone between the visitor and the website can change the page.',
    'Open the page over HTTPS, and redirect visitors from http:// to https://.',
  ],
  'invalid-endpoint': (endpointUrl: string) => [
    'author',
    `${endpointUrl} is not a valid URL for a donation server.`,
    'The form loads from the URL in its endpoint attribute.',
    'Set the endpoint attribute to the URL of the donation server, such as ' +
      'https://give.example.org.',
  ],
  'mixed-content': (url: string, part: 'script' | 'endpoint') => [
    'author',
    `Browsers block ${url} on an HTTPS page.`,
    'A secure page is not allowed to load anything over http://.',
    part === 'script'
      ? `Change the script's src to ${toHttps(url)}.`
      : `Change the endpoint attribute to ${toHttps(url).replace(/\/$/, '')}.`,
  ],
  'no-cors': (url: string) => [
    'server',
    `The response from ${url} has no CORS headers, so browsers hide it from the page.`,
    'The donation server sends these headers. A proxy, CDN, or firewall in front of the server ' +
      'removes them, or this URL leads to another server, such as one that hosts a copy of the script.',
    'Pass on the Access-Control-Allow-Origin response header unchanged, and do not cache ' +
      'responses from /form without Vary: Origin.',
  ],
  'no-response': (endpointUrl: string, errorCode?: string) => [
    'server',
    `${endpointUrl} does not respond.`,
    explainSilence(errorCode),
    `Open ${endpointUrl}healthz in a new tab. If the page says "ok", an ad blocker or firewall ` +
      'blocks the form; otherwise, the URL is wrong or the server is down.',
  ],
  'not-an-endpoint': (endpointUrl: string, status?: number) => [
    'author',
    status === undefined
      ? `${endpointUrl} responds but is not a donation server.`
      : `${endpointUrl} returned status ${status} but is not a donation server.`,
    "Another server, such as the website's own, responds there" +
      (status === undefined ? ", or a proxy removes the donation server's CORS headers." : '.'),
    'Set the endpoint attribute to the URL of the donation server.',
  ],
  offline: () => [
    'author',
    'This browser is offline.',
    'The form loads from the donation server.',
    'Go online, then try again.',
  ],
  'origin-not-allowed': (endpointUrl: string, origin: string) => [
    'server',
    `The server at ${endpointUrl} does not allow ${origin} to show the form.`,
    'Only pages on origins in its configuration are allowed to show the form. An origin with ' +
      'www. differs from one without www.',
    `Add "${origin}" to "origins" in the server's configuration.`,
  ],
  paused: () => [
    'server',
    'The organization is paused, so its forms are hidden.',
    'Someone paused donations on the donation server.',
    'Resume the organization when it should accept donations again.',
  ],
  'sandboxed-page': () => [
    'website',
    'The form is in a sandboxed frame, so its page has no origin.',
    'The donation server cannot allow a page without an origin.',
    "Add allow-same-origin to the frame's sandbox attribute, or put the form on the page outside " +
      'the frame.',
  ],
  'script-failed': (error: string) => [
    'server',
    "The form's script loads, but it fails.",
    `The error is: ${error}`,
    "Load the script from the donation server, without changes. If you serve a copy of the script, put all of its files in the same folder. If it still fails, report the error to the form's developers.",
  ],
  'server-error': (
    endpointUrl: string,
    { code = 'unknown', detail = '', requestId = 'unknown' }: Partial<EndpointResult>,
  ) => [
    'server',
    `The server at ${endpointUrl} cannot provide the form (${code}).`,
    `${detail} Request ID: ${requestId}.`.trim(),
    "Look up the request ID in the server's log.",
  ],
} satisfies ProblemTexts;

const getOrigin = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);
const toHttps = (url: string): string => url.replace(/^http:/, 'https:');

/** Browsers report variants of directives, such as `script-src-elem`. */
const getDirective = (reported: string): string =>
  reported.split(' ')[0]!.replace(/-(?:elem|attr)$/, '');

export function explainSilence(errorCode = ''): string {
  return (
    `The browser got no response${errorCode && ` (${errorCode})`}: the URL is wrong, the server is ` +
    'down, or an ad blocker, firewall, or DNS filter blocks the request.'
  );
}
