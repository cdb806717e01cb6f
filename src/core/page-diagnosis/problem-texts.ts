import { capitalize } from '../i18n/format.ts';
import type {
  Concealment,
  EndpointResult,
  FormScript,
  InactivePlace,
  RequestResult,
} from './page-facts.ts';
import { nameScript, renderScriptTag } from './script-tag.ts';

/** Texts by cause, with a variant after a slash if a cause has several texts. */
type ProblemTexts = Readonly<
  Record<string, (...facts: never[]) => readonly [headline: string, why: string, fix: string]>
>;

const PLACE_LABELS: Readonly<Record<Exclude<InactivePlace, 'text'>, string>> = {
  template: 'inside a <template> element, whose content browsers do not show',
  noscript: 'inside a <noscript> element, which browsers use only without JavaScript',
  comment: 'inside an HTML comment (<!-- … -->), which browsers ignore',
  script: 'inside the <script> element, which has no </script>',
};

const POLICY_SUBJECTS = {
  script: "the form's script",
  chunk: "parts of the form's script",
  endpoint: "the form's requests",
  payment: "the form's payment fields",
};

const AUTHOR_TEXTS = {
  'curly-quotes': () => [
    'The quotation marks in the snippet are curly (“ ”) instead of straight (" ").',
    'The editor replaced them, so browsers do not recognize the script.',
    'Paste the snippet again into a block for HTML code.',
  ],
  'element-missing': () => [
    'The page loads the script, but the <donation-form> element is missing.',
    'When saving a page, many editors remove tags that they do not recognize.',
    'Paste <div data-donation-form></div> where the form should be, with data- before each ' +
      'attribute, such as data-endpoint.',
  ],
  'file-page': () => [
    'A page opened from disk (file://) cannot show the form.',
    'Browsers give such a page no origin, so the donation server cannot allow it.',
    'Put the page on a website, or start a local web server and open the page from there.',
  ],
  'form-not-found': (endpointUrl: string, formId: string) => [
    `The server at ${endpointUrl} has no form "${formId}".`,
    'The form was removed or renamed, or the form-id attribute is misspelled.',
    'Correct the form-id attribute, or remove it to show the first form.',
  ],
  'integrity-mismatch': (url: string) => [
    "The script's integrity attribute does not match the script.",
    `The script at ${url} has changed since the attribute was written, so browsers refuse it.`,
    'Copy the current file name and hash from embed.json on the donation server, or remove the ' +
      'integrity attribute.',
  ],
  'invalid-endpoint': (endpointUrl: string) => [
    `${endpointUrl} is not a valid URL for a donation server.`,
    'The form loads from the URL in its endpoint attribute.',
    'Set the endpoint attribute to the URL of the donation server, such as ' +
      'https://give.example.org.',
  ],
  'mixed-content': (url: string, part: 'script' | 'endpoint') => [
    `Browsers block ${url} on an HTTPS page.`,
    'A secure page is not allowed to load anything over http://.',
    part === 'script'
      ? `Change the script's src to ${toHttps(url)}.`
      : `Change the endpoint attribute to ${toHttps(url).replace(/\/$/, '')}.`,
  ],
  'not-an-endpoint': (endpointUrl: string, status?: number) => [
    status === undefined
      ? `${endpointUrl} responds but is not a donation server.`
      : `${endpointUrl} returned status ${status} but is not a donation server.`,
    "Another server, such as the website's own, responds there" +
      (status === undefined ? ", or a proxy removes the donation server's CORS headers." : '.'),
    'Set the endpoint attribute to the URL of the donation server.',
  ],
  offline: () => [
    'This browser is offline.',
    'The form loads from the donation server.',
    'Go online, then try again.',
  ],
  'script-missing': (endpointUrl: string | undefined, formId: string | undefined) => [
    "The form's element is on the page, but its script is missing.",
    'Some editors remove scripts, and some allow only administrators to add them.',
    `Add ${renderScriptTag(endpointUrl, formId)} to the page, or to the site's header or footer code.`,
  ],
  'script-not-a-module': ({ url }: FormScript) => [
    'The script tag has no type="module".',
    'The script is a JavaScript module, which browsers reject without this attribute.',
    `Use <script type="module" src="${url}"></script>. If a plugin or optimizer removes the ` +
      `attribute, exclude ${nameScript(url)} in its settings.`,
  ],
  'script-not-found': ({ url, status, mediaType }: RequestResult, scriptTag: string) => [
    `There is no script at ${url}.`,
    status !== undefined && status < 400
      ? `The server responds with ${mediaType ?? 'something else'} instead of JavaScript.`
      : `The server responds with status ${status}.`,
    `Correct src so that it begins with the donation server's URL, as in ${scriptTag}.`,
  ],
  'script-not-found/relative': (url: string, host: string, formId: string | undefined) => [
    `There is no script at ${url}.`,
    `The URL in src has no https://, so browsers look for a folder named ${host} on the website.`,
    `Use ${renderScriptTag(`https://${host}/`, formId)}. The endpoint attribute needs https:// too.`,
  ],
  'snippet-as-text': () => [
    'The page shows the snippet as text.',
    'The editor replaced < with &lt;, so browsers do not see tags.',
    'Paste the snippet into a block for HTML code, not into a text or code-sample block.',
  ],
  'snippet-inactive': (part: 'element' | 'script', place: Exclude<InactivePlace, 'text'>) => [
    `${part === 'element' ? 'The <donation-form> element' : "The form's script"} is ${PLACE_LABELS[place]}.`,
    'The form does not work there.',
    place === 'script'
      ? 'End the script tag with ></script>; browsers ignore the slash in />.'
      : 'Move the whole snippet out of that element or comment.',
  ],
  'snippet-inactive/inserted': () => [
    'The script tag is on the page, but the browser does not load the script.',
    'Code on this page adds the snippet as text, for example with innerHTML. Browsers do not run ' +
      'scripts that are added that way.',
    "Put the script tag in the page, or in the site's header or footer code. A tag manager or app " +
      "can create it with document.createElement('script').",
  ],
  'snippet-missing': () => [
    'This page contains neither the form nor its script.',
    'The snippet was not saved or published, the editor removed it, or this is the wrong page.',
    'Check the URL, and paste the snippet again. If the editor removes it, use the <div> snippet.',
  ],
} satisfies ProblemTexts;

const WEBSITE_TEXTS = {
  'blocked-by-policy': (reported: string, url: string, part: keyof typeof POLICY_SUBJECTS) => [
    `This page's Content-Security-Policy blocks ${POLICY_SUBJECTS[part]}.`,
    `Its ${getDirective(reported)} directive does not allow ${getOrigin(url)}.`,
    `Add ${getOrigin(url)} to the ${getDirective(reported)} directive, in the web server, a security plugin, ` +
      'or a <meta> tag.' +
      (part === 'payment' ? ' The payment provider documents all sources that it needs.' : ''),
  ],
  'blocked-by-policy/inline': (directive: string) => [
    "This page's Content-Security-Policy blocks the inline script that loads the form.",
    `Its ${directive} directive does not allow inline scripts.`,
    `Use ${renderScriptTag()} instead of inline code, and allow the script's origin in ${directive}.`,
  ],
  'blocked-by-policy/nonce': () => [
    "This page's Content-Security-Policy blocks the form's script.",
    "The script-src directive contains 'strict-dynamic', so browsers ignore the URLs in the " +
      'directive and load only scripts with one of its nonces or hashes.',
    "To the script tag, add the nonce that the website's template gives its own scripts: " +
      '<script type="module" nonce="…" src="…">.',
  ],
  'blocked-by-policy/payment-script': () => [
    "This page's Content-Security-Policy blocks the form's payment fields.",
    "Its require-trusted-types-for directive rejects the payment provider's script: Stripe does " +
      'not work with Trusted Types.',
    "Remove require-trusted-types-for from this page's policy.",
  ],
  'blocked-by-policy/trusted-types': () => [
    "The Trusted Types rules in this page's Content-Security-Policy block the form.",
    'The policy requires Trusted Types, but its trusted-types directive does not allow lit-html.',
    "Add lit-html to the trusted-types directive, and 'allow-duplicates' if the page uses Lit " +
      'itself. Stripe does not work with Trusted Types.',
  ],
  'element-missing/removed': () => [
    'A script on this page removes the <donation-form> element.',
    "The element is in the page's source but not on the rendered page.",
    'Add the element to the content that the script renders, or move it out of that content.',
  ],
  'form-covered': ({ reason, selector }: Concealment) => [
    'The form is on the page, but something covers it.',
    `Visitors see ${selector} in front of the form (${reason}).`,
    `Move ${selector}, or correct its size, position, or z-index.`,
  ],
  'form-hidden': ({ reason, selector }: Concealment) => [
    'The form is on the page, but the page hides it.',
    `${selector} hides the form (${reason}).`,
    `Change the style or settings of ${selector}, such as its visibility, size, or position.`,
  ],
  'insecure-page': (origin: string) => [
    `${origin} does not use HTTPS, which payments require.`,
    'Without HTTPS, anyone between the visitor and the website can change the page.',
    'Open the page over HTTPS, and redirect visitors from http:// to https://.',
  ],
  'sandboxed-page': () => [
    'The form is in a sandboxed frame, so its page has no origin.',
    'The donation server cannot allow a page without an origin.',
    "Add allow-same-origin to the frame's sandbox attribute, or put the form on the page outside " +
      'the frame.',
  ],
  'script-bundled': ({ bundledBy, url }: FormScript) => [
    `${capitalize(bundledBy!)} combined the form's script with other scripts (${url}).`,
    'The script is a module that loads its other files from its own folder, so it does not work ' +
      'as part of another file.',
    'Exclude donation-form and the URL of the donation server from the scripts that the tool ' +
      'combines or minifies, and clear the cache.',
  ],
  'script-delayed': ({ url, delayedBy = 'A tool' }: FormScript) => [
    `${capitalize(delayedBy)} holds back the form's script.`,
    'It changed the script tag, so browsers do not load the script with the page.',
    `Exclude ${nameScript(url)} from the scripts that the tool ${delayedBy.includes('consent banner') ? 'blocks' : 'defers or delays'}, and clear the cache.` +
      (delayedBy.startsWith('Cloudflare') ? ' Add data-cfasync="false" to the script tag.' : ''),
  ],
  'stale-script': (url: string, missingFile: string | undefined) => [
    `The form's script is an old or incomplete copy (${url}).`,
    missingFile === undefined
      ? "Its content differs from the donation server's current script, and it does not work."
      : `It needs ${missingFile}, which does not exist.`,
    'Load the script from the donation server instead of a copy, and clear the caches of the ' +
      'website, its optimizer, and its CDN.',
  ],
  'two-versions': (versions: readonly string[]) => [
    versions.length > 1
      ? `The page loads ${versions.length} versions of the form's script (${versions.join(', ')}).`
      : 'Another script on this page has already registered <donation-form>.',
    'Browsers use only the script that loads first, which may not match the donation server.',
    'Remove all script tags for the form except the one with the URL of the donation server. ' +
      'Look in the page, the theme, plugins, and the tag manager.',
  ],
} satisfies ProblemTexts;

const SERVER_TEXTS = {
  'no-cors': (url: string) => [
    `The response from ${url} has no CORS headers, so browsers hide it from the page.`,
    'The donation server sends these headers. A proxy, CDN, or firewall in front of the server ' +
      'removes them, or this URL leads to another server, such as one that hosts a copy of the script.',
    'Pass on the Access-Control-Allow-Origin response header unchanged, and do not cache ' +
      'responses from /form without Vary: Origin.',
  ],
  'no-response': (endpointUrl: string, errorCode?: string) => [
    `${endpointUrl} does not respond.`,
    explainSilence(errorCode),
    `Open ${endpointUrl}healthz in a new tab. If the page says "ok", an ad blocker or firewall ` +
      'blocks the form; otherwise, the URL is wrong or the server is down.',
  ],
  'origin-not-allowed': (endpointUrl: string, origin: string) => [
    `The server at ${endpointUrl} does not allow ${origin} to show the form.`,
    'Only pages on origins in its configuration are allowed to show the form. An origin with ' +
      'www. differs from one without www.',
    `Add "${origin}" to "origins" in the server's configuration.`,
  ],
  paused: () => [
    'The organization is paused, so its forms are hidden.',
    'Someone paused donations on the donation server.',
    'Resume the organization when it should accept donations again.',
  ],
  'payment-failed': (error: string) => [
    'The form is on the page, but its payment fields do not load.',
    `An ad blocker or firewall blocks the payment provider, or the provider's configuration is wrong (${error}).`,
    'Try another browser and network. If the payment fields are still missing, run ' +
      '"donation-form check" on the donation server.',
  ],
  'script-failed': (error: string) => [
    "The form's script loads, but it fails.",
    `The error is: ${error}`,
    "Load the script from the donation server, without changes. If you serve a copy of the script, put all of its files in the same folder. If it still fails, report the error to the form's developers.",
  ],
  'script-no-response': ({ url, errorCode }: RequestResult) => [
    `The form's script at ${url} does not load.`,
    explainSilence(errorCode),
    `Open ${url} in a new tab. If code appears, a blocker stops the script on the page: try ` +
      'another browser and network. Otherwise, correct the URL or start the server.',
  ],
  'server-error': (
    endpointUrl: string,
    { code = 'unknown', detail = '', requestId = 'unknown' }: Partial<EndpointResult>,
  ) => [
    `The server at ${endpointUrl} cannot provide the form (${code}).`,
    `${detail} Request ID: ${requestId}.`.trim(),
    "Look up the request ID in the server's log.",
  ],
} satisfies ProblemTexts;

/** By the person who can fix the problem. */
export const PROBLEM_TEXTS = {
  author: AUTHOR_TEXTS,
  website: WEBSITE_TEXTS,
  server: SERVER_TEXTS,
};

const getOrigin = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);
const toHttps = (url: string): string => url.replace(/^http:/, 'https:');

/** Browsers report variants of directives, such as `script-src-elem`. */
const getDirective = (reported: string): string =>
  reported.split(' ')[0]!.replace(/-(?:elem|attr)$/, '');

function explainSilence(errorCode = ''): string {
  return (
    `The browser got no response${errorCode && ` (${errorCode})`}: the URL is wrong, the server is ` +
    'down, or an ad blocker, firewall, or DNS filter blocks the request.'
  );
}
