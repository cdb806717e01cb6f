import type { FormElement, FormScript } from './page-facts.ts';

const FORM_SCRIPT = /(?:^|\/)donation-(?:form|button)[\w.-]*\.js(?=$|[?#])/;

/** End of the URL of one form's script, `/embed/FORM.js`. Other services have such URLs, too. */
const EMBED_SCRIPT = /(?:^|\/)embed\/([^/?#]+)\.js(?=$|[?#])/;

/** Tools that hold scripts back, by the value of the `type` attribute. */
const DELAYING_TYPES: readonly (readonly [pattern: RegExp, tool: string])[] = [
  [/^rocketlazyloadscript$/, 'WP Rocket (“Delay JavaScript execution”)'],
  [
    /^[\da-f]{6,}-(?:module|text\/javascript|application\/javascript)?$/,
    'Cloudflare Rocket Loader',
  ],
  [/^text\/rocketscript$/, 'Cloudflare Rocket Loader'],
  [/^litespeed\/javascript$/, 'LiteSpeed Cache (“Delay JS”)'],
  [/^pmdelayedscript$/, 'Perfmatters (“Delay JavaScript”)'],
  [/^javascript\/blocked$/, 'WP Meteor'],
  [/^(?:wpmeteor|wphb-delay-type|speedycache|breeze-delay|flying-?press)/, 'a speed plugin'],
  [/^text\/(?:plain|template|html|x-\w+|lazyload|delay\w*)$/, 'a consent banner or speed plugin'],
];

/** Attributes by which tools mark the scripts that they hold back. */
const DELAYING_ATTRIBUTES: Readonly<Record<string, string>> = {
  'data-rocket-src': 'WP Rocket (“Delay JavaScript execution”)',
  'data-rocket-type': 'WP Rocket (“Delay JavaScript execution”)',
  'data-litespeed-src': 'LiteSpeed Cache (“Delay JS”)',
  'data-wpmeteor-src': 'WP Meteor',
  'data-pmdelayedscript': 'Perfmatters (“Delay JavaScript”)',
  'data-cookieconsent': 'a consent banner (Cookiebot)',
  'data-cookiecategory': 'a consent banner',
  'data-usercentrics': 'a consent banner (Usercentrics)',
  'data-cmp-src': 'a consent banner',
  suppressedsrc: 'a consent banner (iubenda)',
  'data-category': 'a consent banner',
  'data-service': 'a consent banner',
};

/** Tools that bundle scripts, by a part of the bundle's URL. */
const BUNDLE_URLS: readonly (readonly [pattern: RegExp, tool: string])[] = [
  [/autoptimize/i, 'Autoptimize'],
  [/\/cache\/min\/|wp-rocket/i, 'WP Rocket'],
  [/litespeed/i, 'LiteSpeed Cache'],
  [/siteground-optimizer/i, 'SiteGround Optimizer'],
  [/wpfc-minified/i, 'WP Fastest Cache'],
  [/\/cache\/(?:wmac|fvm|minify|asset-cleanup)\//i, 'a speed plugin'],
  [/jetpack|_jb_static|\/_static\//i, 'Jetpack'],
  [/\/_jcb\/|jch-optimize/i, 'JCH Optimize'],
  [/pagespeed/i, 'PageSpeed'],
];

/** Curly quotation marks at the start or end of a value. Some editors insert these marks. */
const CURLY_QUOTES = /^[“”„]+|[“”„]+$/g;

const RUNNING_TYPES = [
  '',
  'module',
  'text/javascript',
  'application/javascript',
  'text/ecmascript',
];

/** Reads a script tag that may be for the form's script; see also `isFormScript`. */
export function readScriptTag(
  rawAttributes: Readonly<Record<string, string>>,
  text: string,
  baseUrl: string,
): FormScript | undefined {
  const attributes = Object.fromEntries(
    Object.entries(rawAttributes).map(([name, raw]) => [name, raw.replaceAll(CURLY_QUOTES, '')]),
  );
  // Tools that hold a script back keep its URL in another attribute, each in its own.
  const value =
    [attributes.src ?? '', ...Object.values(attributes)].find(hasFormScriptName) ?? attributes.src;
  const type = (attributes.type ?? '').trim().toLowerCase();
  const isFound = value === undefined ? loadsForm(text) : hasFormScriptName(value);
  if (!isFound) return undefined;
  return {
    url: resolveUrl(value, baseUrl),
    type,
    hasCurlyQuotes: attributes.src !== rawAttributes.src || attributes.type !== rawAttributes.type,
    delayedBy: findDelayingTool(attributes, type),
  };
}

const hasFormScriptName = (url: string): boolean => FORM_SCRIPT.test(url) || EMBED_SCRIPT.test(url);

function loadsForm(text: string): boolean {
  return (
    /donation-(?:form|button)\.js/.test(text) ||
    (/\/embed\/[^/?#'"`\s]+\.js/.test(text) && text.includes('donation-form'))
  );
}

/** Returns false for a script of another service: neither a module nor named after a form. */
export function isFormScript(
  { url, type }: FormScript,
  elements: readonly Pick<FormElement, 'formId'>[],
): boolean {
  const name = getEmbeddedFormId(url);
  return (
    name === undefined ||
    /(?:^|-)module$/.test(type) ||
    elements.some(({ formId }) => formId === name)
  );
}

/** Returns the form ID in the URL `/embed/FORM.js`, or `undefined` for other scripts. */
export function getEmbeddedFormId(url: string): string | undefined {
  const [, name] = EMBED_SCRIPT.exec(url) ?? [];
  if (name === undefined) return undefined;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Returns the part of a script's URL by which tools exclude the script. */
export function nameScript(url: string): string {
  const formId = getEmbeddedFormId(url);
  return formId === undefined ? 'donation-form' : `/embed/${encodeURIComponent(formId)}.js`;
}

export function renderScriptTag(
  endpointUrl = 'https://give.example.org/',
  formId?: string,
): string {
  const file = formId === undefined ? 'donation-form.js' : `embed/${encodeURIComponent(formId)}.js`;
  return `<script type="module" src="${endpointUrl}${file}"></script>`;
}

/** Returns the URL of the endpoint that serves a script, with a trailing slash. */
export function resolveScriptEndpoint(url: string): string {
  return new URL(EMBED_SCRIPT.test(url) ? '..' : '.', url).href;
}

export function isMainScriptUrl(url: string): boolean {
  return /\/donation-form[\w.-]*\.js(?:$|[?#])/.test(url) || EMBED_SCRIPT.test(url);
}

/** The server makes the script at `/embed/FORM.js` in src/server/http/embedded-form.ts. */
export function extractMainScript(code: string): string {
  const [definition] =
    /^(?:\/\/# \w+\n)?\(globalThis\[Symbol\.for\("donation-form definitions"\)\].*?,etag:"(?:[^"\\]|\\.)*"\};/s.exec(
      code,
    ) ?? [''];
  return code
    .slice(definition.length)
    .replace('new URL(`..`,import.meta.url)', 'new URL(`.`,import.meta.url)')
    .replaceAll('`../', '`./');
}

function resolveUrl(value: string | undefined, baseUrl: string): string {
  if (value === undefined) return '';
  return URL.canParse(value, baseUrl) ? new URL(value, baseUrl).href : value;
}

function findDelayingTool(
  attributes: Readonly<Record<string, string>>,
  type: string,
): string | undefined {
  const lacksUrl =
    !FORM_SCRIPT.test(attributes.src ?? '') &&
    Object.values(attributes).some((value) => FORM_SCRIPT.test(value));
  if (RUNNING_TYPES.includes(type) && !lacksUrl) return undefined;
  const marked = Object.keys(DELAYING_ATTRIBUTES).find((name) => attributes[name] !== undefined);
  return (
    (marked === undefined ? undefined : DELAYING_ATTRIBUTES[marked]) ??
    DELAYING_TYPES.find(([pattern]) => pattern.test(type))?.[1] ??
    // A misspelled type is a mistake of the page's author.
    (lacksUrl ? 'a consent banner or speed plugin' : undefined)
  );
}

export function identifyBundler(url: string): string {
  return BUNDLE_URLS.find(([pattern]) => pattern.test(url))?.[1] ?? 'a tool that combines scripts';
}

export function registersForm(code: string): boolean {
  return /customElements\.define\(\s*["'`]donation-form["'`]/.test(code);
}

/** Returns true if a bundle contains the form's code. */
export function isBundleOfForm(url: string, code: string): boolean {
  return (
    registersForm(code) ||
    (code.includes('donation-form') && BUNDLE_URLS.some(([pattern]) => pattern.test(url)))
  );
}
