import type { Browser } from 'playwright-core';
import {
  diagnosePage,
  type EndpointResult,
  extractMainScript,
  type FormScript,
  getEmbeddedFormId,
  identifyBundler,
  isBundleOfForm,
  isEndpointUrl,
  isMainScriptUrl,
  type PageDiagnosis,
  type PageFacts,
  registersForm,
  type RequestResult,
  resolveScriptEndpoint,
} from '@donation-form/core/page-diagnosis';
import { getErrorReason } from '../../lib/get-error-reason.ts';
import { computeIntegrity } from '../../lib/hash.ts';
import { readTextWithLimit } from '../../lib/response-limit.ts';
import {
  type Observation,
  openPage,
  type OpenPageOptions,
  PageNotOpenedError,
} from './open-page.ts';
import { readPageSource } from './read-source.ts';
import { requestCurrentIntegrity, requestForm, requestScript } from './request-endpoint.ts';

/** Milliseconds to wait for a form that the page adds late. */
const PATIENCE = 8_000;
const SOURCE_TIMEOUT = 30_000;
/** Maximum size of a page's HTML, in bytes. */
const MAX_SOURCE_BYTES = 10 * 1_048_576;

interface VerifyPageOptions extends Partial<Omit<OpenPageOptions, 'browser'>> {
  /** Browser to open the page with. Without it, the page is only downloaded. */
  readonly browser: Browser | undefined;
}

/** @throws {PageNotOpenedError} if the page cannot be opened. */
export async function verifyPage(
  url: string,
  { browser, patience = PATIENCE, contextOptions }: VerifyPageOptions,
): Promise<PageDiagnosis> {
  if (url.startsWith('file:')) return diagnosePage(createFileFacts(url));
  return diagnosePage(
    browser
      ? await toFacts(await openPage(url, { browser, patience, contextOptions }))
      : await downloadFacts(url),
  );
}

const NO_OBSERVATIONS = {
  mistakes: [],
  violations: [],
  requests: [],
  versions: [],
  scriptErrors: [],
} satisfies Partial<PageFacts>;

/** A page on disk needs no look: nothing on it can change the diagnosis. */
function createFileFacts(url: string): PageFacts {
  return {
    ...NO_OBSERVATIONS,
    url,
    origin: 'null',
    isSecure: true,
    isRendered: false,
    scripts: [],
    elements: [{ tag: 'donation-form', state: 'undefined-element' }],
  };
}

/** Completes what a browser observed with requests of this machine. */
async function toFacts(observation: Observation): Promise<PageFacts> {
  const { url, document, violations, scriptCode, scriptErrors, paymentError } = observation;
  const source = readPageSource(observation.source, url);
  const scripts = completeScripts(
    [...document.scripts, ...findInactive(source.scripts)],
    scriptCode,
  );
  const endpointUrl = document.endpointUrl ?? guessEndpointUrl(scripts);
  const [requests, endpoint, scriptFacts] = await Promise.all([
    Promise.all(observation.requests.map(explainCorsFailure)),
    explainEndpoint(observation, endpointUrl),
    compareScripts(scripts, scriptCode, endpointUrl),
  ]);
  return {
    url,
    origin: document.origin,
    isSecure: document.isSecure,
    isRendered: true,
    ...scriptFacts,
    elements: [...document.elements, ...findInactive(source.elements)],
    mistakes: [...new Set([...document.mistakes, ...source.mistakes])],
    delayedScript: findDelayedScript(source.scripts),
    isElementInSource: source.elements.some(({ place }) => place === undefined),
    violations,
    requests,
    scriptErrors,
    paymentError,
    endpoint,
  };
}

/** Collects what is known about a page without a browser. */
async function downloadFacts(url: string): Promise<PageFacts> {
  const { source, finalUrl } = await downloadSource(url);
  const page = readPageSource(source, finalUrl);
  const { origin, protocol, hostname } = new URL(finalUrl);
  const isSecure =
    protocol === 'https:' || /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  const formUrls = page.scripts.filter(({ place, url: scriptUrl }) => !place && scriptUrl !== '');
  const urls = formUrls.length > 0 ? formUrls.map((script) => script.url) : page.scriptUrls;
  const downloads = await Promise.all([...new Set(urls)].map(requestScript));
  const code = new Map(
    downloads.flatMap(({ result, code: text }) => (text === undefined ? [] : [[result.url, text]])),
  );
  const scripts = completeScripts(page.scripts, code);
  const [form] = page.elements.filter(({ place }) => place === undefined);
  const endpointUrl = resolveEndpoint(form?.endpoint, finalUrl) ?? guessEndpointUrl(scripts);
  return {
    ...NO_OBSERVATIONS,
    url: finalUrl,
    origin,
    isSecure,
    isRendered: false,
    ...(await compareScripts(scripts, code, endpointUrl)),
    elements: page.elements,
    mistakes: page.mistakes,
    mayChange: page.mayChange,
    requests: downloads.map(({ result }) => result),
    endpoint:
      endpointUrl !== undefined && isEndpointUrl(endpointUrl)
        ? await requestForm(endpointUrl, { formId: form?.formId, origin })
        : undefined,
  };
}

/** Compares the code of the form's scripts with each other and with the endpoint's current script. */
async function compareScripts(
  scripts: readonly FormScript[],
  code: ReadonlyMap<string, string>,
  endpointUrl: string | undefined,
) {
  const integrity =
    endpointUrl !== undefined && isEndpointUrl(endpointUrl)
      ? await requestCurrentIntegrity(endpointUrl)
      : undefined;
  const formCode = findFormCode(scripts, code);
  const mainScripts = [...code].filter(
    ([url, text]) => isMainScriptUrl(url) && registersForm(text),
  );
  const urls = new Map(mainScripts.map(([url, text]) => [extractMainScript(text), url]));
  return {
    scripts,
    endpointUrl,
    /** URLs of the form's scripts if their contents differ. */
    versions: [...urls.values()],
    isScriptOutdated:
      formCode !== undefined && integrity !== undefined && computeIntegrity(formCode) !== integrity,
  };
}

async function downloadSource(url: string): Promise<{ source: string; finalUrl: string }> {
  let response: Response;
  let source: string;
  try {
    response = await fetch(url, { signal: AbortSignal.timeout(SOURCE_TIMEOUT) });
    source = await readTextWithLimit(response, MAX_SOURCE_BYTES);
  } catch (error) {
    throw new PageNotOpenedError(`Cannot open ${url}: ${getErrorReason(error)}. Check the URL.`, {
      cause: error,
    });
  }
  if (!response.ok)
    throw new PageNotOpenedError(
      `Cannot check ${url}: the website responded with status ${response.status}. Check the URL.`,
    );
  return { source, finalUrl: response.url };
}

function findInactive<Part extends { readonly place?: unknown }>(parts: readonly Part[]): Part[] {
  return parts.filter(({ place }) => place !== undefined);
}

/** Adds scripts that bundle the form's code, and removes other services' scripts with our names. */
function completeScripts(
  scripts: readonly FormScript[],
  code: ReadonlyMap<string, string>,
): FormScript[] {
  const known = new Set(scripts.map(({ url }) => url));
  const bundles = [...code]
    .filter(
      ([url, text]) =>
        !known.has(url) &&
        !/\/donation-[\w.-]+\.js/.test(url) &&
        getEmbeddedFormId(url) === undefined &&
        isBundleOfForm(url, text),
    )
    .map(([url]) => ({ url, type: '', bundledBy: identifyBundler(url) }));
  return [...scripts.filter(({ url }) => !isOtherScript(url, code.get(url))), ...bundles];
}

/** Returns true for a script of another service at `/embed/NAME.js`. */
function isOtherScript(url: string, code: string | undefined): boolean {
  const isHtml = code?.trimStart().startsWith('<');
  return (
    code !== undefined &&
    !isHtml &&
    getEmbeddedFormId(url) !== undefined &&
    !code.includes('donation-form')
  );
}

function guessEndpointUrl(scripts: readonly FormScript[]): string | undefined {
  const script = scripts.find(({ url, place }) => place === undefined && URL.canParse(url));
  return script && !script.bundledBy ? resolveScriptEndpoint(script.url) : undefined;
}

function resolveEndpoint(endpoint: string | undefined, pageUrl: string): string | undefined {
  if (endpoint === undefined) return undefined;
  const url = URL.canParse(endpoint, pageUrl) ? new URL(endpoint, pageUrl).href : endpoint;
  return url.replace(/\/?$/, '/');
}

/** Finds a script that waits for the first touch, if no other loads the form. */
function findDelayedScript(scripts: readonly FormScript[]): FormScript | undefined {
  const active = scripts.filter(({ place, url }) => place === undefined && url !== '');
  return active.every(({ delayedBy }) => delayedBy !== undefined)
    ? // Rocket Loader loads its scripts by itself, and consent banners have a reason.
      active.find(({ delayedBy }) => !/Cloudflare|consent/.test(delayedBy!))
    : undefined;
}

/** Finds the code of `donation-form.js` in the first script tag for the form. */
function findFormCode(
  scripts: readonly FormScript[],
  code: ReadonlyMap<string, string>,
): string | undefined {
  const script = scripts.find(
    ({ url, place, bundledBy }) => !place && !bundledBy && isMainScriptUrl(url),
  );
  const text = script && code.get(script.url);
  return text === undefined ? undefined : extractMainScript(text);
}

/** Browsers hide the status of responses without CORS headers, such as most "not found" pages. */
async function explainCorsFailure(result: RequestResult): Promise<RequestResult> {
  if (result.failure !== 'cors') return result;
  const { result: own } = await requestScript(result.url);
  const isScript =
    own.status !== undefined && own.status < 400 && own.mediaType?.includes('javascript');
  return own.status === undefined || isScript ? result : own;
}

async function explainEndpoint(
  { document, endpoint }: Observation,
  endpointUrl: string | undefined,
): Promise<EndpointResult | undefined> {
  if (endpointUrl === undefined || !isEndpointUrl(endpointUrl)) return undefined;
  if (endpoint && endpoint.failure !== 'cors' && endpoint.url.startsWith(endpointUrl))
    return endpoint;
  const [form] = document.elements.filter(({ place }) => place === undefined);
  const own = await requestForm(endpointUrl, { formId: form?.formId, origin: document.origin });
  if (endpoint?.failure !== 'cors' || own.status === undefined) return own;
  return own.isForm ? { ...own, failure: 'cors' } : own;
}
