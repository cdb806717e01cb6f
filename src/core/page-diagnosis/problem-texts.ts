import { capitalize } from '../i18n/format.ts';
import { explainSilence, FORM_PROBLEM_TEXTS, type ProblemTexts } from './form-problem-texts.ts';
import type { Concealment, FormScript, InactivePlace, RequestResult } from './page-facts.ts';
import { nameScript, renderScriptTag } from './script-tag.ts';

const PLACE_LABELS: Readonly<Record<Exclude<InactivePlace, 'text'>, string>> = {
  template: 'inside a <template> element, whose content browsers do not show',
  noscript: 'inside a <noscript> element, which browsers use only without JavaScript',
  comment: 'inside an HTML comment (<!-- … -->), which browsers ignore',
  script: 'inside the <script> element, which has no </script>',
};

/** All problems. */
export const PROBLEM_TEXTS = {
  'blocked-by-policy/inline': (directive: string) => [
    'website',
    "This page's Content-Security-Policy blocks the inline script that loads the form.",
    `Its ${directive} directive does not allow inline scripts.`,
    `Use ${renderScriptTag()} instead of inline code, and allow the script's origin in ${directive}.`,
  ],
  'blocked-by-policy/nonce': () => [
    'website',
    "This page's Content-Security-Policy blocks the form's script.",
    "The script-src directive contains 'strict-dynamic', so browsers ignore the URLs in the " +
      'directive and load only scripts with one of its nonces or hashes.',
    "To the script tag, add the nonce that the website's template gives its own scripts: " +
      '<script type="module" nonce="…" src="…">.',
  ],
  'blocked-by-policy/payment-script': () => [
    'website',
    "This page's Content-Security-Policy blocks the form's payment fields.",
    "Its require-trusted-types-for directive rejects the payment provider's script: Stripe does " +
      'not work with Trusted Types.',
    "Remove require-trusted-types-for from this page's policy.",
  ],
  'blocked-by-policy/trusted-types': () => [
    'website',
    "The Trusted Types rules in this page's Content-Security-Policy block the form.",
    'The policy requires Trusted Types, but its trusted-types directive does not allow lit-html.',
    "Add lit-html to the trusted-types directive, and 'allow-duplicates' if the page uses Lit " +
      'itself. Stripe does not work with Trusted Types.',
  ],
  'curly-quotes': () => [
    'author',
    'The quotation marks in the snippet are curly (“ ”) instead of straight (" ").',
    'The editor replaced them, so browsers do not recognize the script.',
    'Paste the snippet again into a block for HTML code.',
  ],
  'element-missing': () => [
    'author',
    'The page loads the script, but the <donation-form> element is missing.',
    'When saving a page, many editors remove tags that they do not recognize.',
    'Paste <div data-donation-form></div> where the form should be, with data- before each ' +
      'attribute, such as data-endpoint.',
  ],
  'element-missing/removed': () => [
    'website',
    'A script on this page removes the <donation-form> element.',
    "The element is in the page's source but not on the rendered page.",
    'Add the element to the content that the script renders, or move it out of that content.',
  ],
  'form-covered': ({ reason, selector }: Concealment) => [
    'website',
    'The form is on the page, but something covers it.',
    `Visitors see ${selector} in front of the form (${reason}).`,
    `Move ${selector}, or correct its size, position, or z-index.`,
  ],
  'form-hidden': ({ reason, selector }: Concealment) => [
    'website',
    'The form is on the page, but the page hides it.',
    `${selector} hides the form (${reason}).`,
    `Change the style or settings of ${selector}, such as its visibility, size, or position.`,
  ],
  'integrity-mismatch': (url: string) => [
    'author',
    "The script's integrity attribute does not match the script.",
    `The script at ${url} has changed since the attribute was written, so browsers refuse it.`,
    'Copy the current file name and hash from embed.json on the donation server, or remove the ' +
      'integrity attribute.',
  ],
  'payment-failed': (error: string) => [
    'server',
    'The form is on the page, but its payment fields do not load.',
    `An ad blocker or firewall blocks the payment provider, or the provider's configuration is wrong (${error}).`,
    'Try another browser and network. If the payment fields are still missing, run ' +
      '"donation-form check" on the donation server.',
  ],
  'script-bundled': ({ bundledBy, url }: FormScript) => [
    'website',
    `${capitalize(bundledBy!)} combined the form's script with other scripts (${url}).`,
    'The script is a module that loads its other files from its own folder, so it does not work ' +
      'as part of another file.',
    'Exclude donation-form and the URL of the donation server from the scripts that the tool ' +
      'combines or minifies, and clear the cache.',
  ],
  'script-delayed': ({ url, delayedBy = 'A tool' }: FormScript) => [
    'website',
    `${capitalize(delayedBy)} holds back the form's script.`,
    'It changed the script tag, so browsers do not load the script with the page.',
    `Exclude ${nameScript(url)} from the scripts that the tool ${delayedBy.includes('consent banner') ? 'blocks' : 'defers or delays'}, and clear the cache.` +
      (delayedBy.startsWith('Cloudflare') ? ' Add data-cfasync="false" to the script tag.' : ''),
  ],
  'script-missing': (endpointUrl: string | undefined, formId: string | undefined) => [
    'author',
    "The form's element is on the page, but its script is missing.",
    'Some editors remove scripts, and some allow only administrators to add them.',
    `Add ${renderScriptTag(endpointUrl, formId)} to the page, or to the site's header or footer code.`,
  ],
  'script-no-response': ({ url, errorCode }: RequestResult) => [
    'server',
    `The form's script at ${url} does not load.`,
    explainSilence(errorCode),
    `Open ${url} in a new tab. If code appears, a blocker stops the script on the page: try ` +
      'another browser and network. Otherwise, correct the URL or start the server.',
  ],
  'script-not-a-module': ({ url }: FormScript) => [
    'author',
    'The script tag has no type="module".',
    'The script is a JavaScript module, which browsers reject without this attribute.',
    `Use <script type="module" src="${url}"></script>. If a plugin or optimizer removes the ` +
      `attribute, exclude ${nameScript(url)} in its settings.`,
  ],
  'script-not-found': ({ url, status, mediaType }: RequestResult, scriptTag: string) => [
    'author',
    `There is no script at ${url}.`,
    status !== undefined && status < 400
      ? `The server responds with ${mediaType ?? 'something else'} instead of JavaScript.`
      : `The server responds with status ${status}.`,
    `Correct src so that it begins with the donation server's URL, as in ${scriptTag}.`,
  ],
  'script-not-found/relative': (url: string, host: string, formId: string | undefined) => [
    'author',
    `There is no script at ${url}.`,
    `The URL in src has no https://, so browsers look for a folder named ${host} on the website.`,
    `Use ${renderScriptTag(`https://${host}/`, formId)}. The endpoint attribute needs https:// too.`,
  ],
  'snippet-as-text': () => [
    'author',
    'The page shows the snippet as text.',
    'The editor replaced < with &lt;, so browsers do not see tags.',
    'Paste the snippet into a block for HTML code, not into a text or code-sample block.',
  ],
  'snippet-inactive': (part: 'element' | 'script', place: Exclude<InactivePlace, 'text'>) => [
    'author',
    `${part === 'element' ? 'The <donation-form> element' : "The form's script"} is ${PLACE_LABELS[place]}.`,
    'The form does not work there.',
    place === 'script'
      ? 'End the script tag with ></script>; browsers ignore the slash in />.'
      : 'Move the whole snippet out of that element or comment.',
  ],
  'snippet-inactive/inserted': () => [
    'author',
    'The script tag is on the page, but the browser does not load the script.',
    'Code on this page adds the snippet as text, for example with innerHTML. Browsers do not run ' +
      'scripts that are added that way.',
    "Put the script tag in the page, or in the site's header or footer code. A tag manager or app " +
      "can create it with document.createElement('script').",
  ],
  'snippet-missing': () => [
    'author',
    'This page contains neither the form nor its script.',
    'The snippet was not saved or published, the editor removed it, or this is the wrong page.',
    'Check the URL, and paste the snippet again. If the editor removes it, use the <div> snippet.',
  ],
  'stale-script': (url: string, missingFile: string | undefined) => [
    'website',
    `The form's script is an old or incomplete copy (${url}).`,
    missingFile === undefined
      ? "Its content differs from the donation server's current script, and it does not work."
      : `It needs ${missingFile}, which does not exist.`,
    'Load the script from the donation server instead of a copy, and clear the caches of the ' +
      'website, its optimizer, and its CDN.',
  ],
  'two-versions': (versions: readonly string[]) => [
    'website',
    versions.length > 1
      ? `The page loads ${versions.length} versions of the form's script (${versions.join(', ')}).`
      : 'Another script on this page has already registered <donation-form>.',
    'Browsers use only the script that loads first, which may not match the donation server.',
    'Remove all script tags for the form except the one with the URL of the donation server. ' +
      'Look in the page, the theme, plugins, and the tag manager.',
  ],
  // Last, so that a duplicate does not compile.
  ...FORM_PROBLEM_TEXTS,
} satisfies ProblemTexts;
