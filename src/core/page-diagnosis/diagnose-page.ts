import { diagnoseEndpoint, isEndpointUrl } from './diagnose-endpoint.ts';
import type {
  FormElement,
  FormScript,
  InactivePlace,
  PageFacts,
  PolicyViolation,
  RequestResult,
} from './page-facts.ts';
import { createProblemFactory, type PageProblem } from './problem.ts';
import { PROBLEM_TEXTS } from './problem-texts.ts';
import { getEmbeddedFormId, nameScript, renderScriptTag } from './script-tag.ts';

const createProblem = createProblemFactory(PROBLEM_TEXTS);

export interface PageCheck {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'unknown';
  readonly message: string;
}

export interface PageDiagnosis {
  /** `unknown` if only a browser can tell. */
  readonly status: 'healthy' | 'broken' | 'unknown';
  /** Absent if nothing keeps the form from appearing, as far as the facts show. */
  readonly problem?: PageProblem | undefined;
  readonly checks: readonly PageCheck[];
}

const PAYMENT_HOST =
  /(?:^|\.)(?:stripe\.com|stripe\.network|link\.com|paypal\.com|paypalobjects\.com)$/;

export function diagnosePage(facts: PageFacts): PageDiagnosis {
  const found = findProblem(facts);
  const problem = found && isCertain(facts, found) ? found : undefined;
  const checks = listChecks(facts, problem);
  if (found && !problem)
    checks.unshift({
      name: 'snippet',
      status: 'warning',
      message: `${found.headline} A script on the page may still add the missing code.`,
    });
  return { status: getStatus(facts, problem), problem, checks };
}

/** Returns false if the page's scripts, which did not run, may add what is missing. */
function isCertain({ isRendered, mayChange = false }: PageFacts, { cause }: PageProblem): boolean {
  return isRendered || !mayChange || !/-missing$|^snippet-/.test(cause);
}

function getStatus(facts: PageFacts, problem: PageProblem | undefined): PageDiagnosis['status'] {
  if (problem) return 'broken';
  const { isRendered, elements, endpoint } = facts;
  const hasElement = elements.some(isActive);
  return isRendered || (hasElement && endpoint?.isForm) ? 'healthy' : 'unknown';
}

function findProblem(facts: PageFacts): PageProblem | undefined {
  if (facts.url.startsWith('file:') && facts.elements.length > 0) return createProblem('file-page');
  const active = facts.elements.filter(isActive);
  if (active.length === 0) return diagnoseMissingElement(facts);
  const shown = active.filter(({ state }) => state === 'shown');
  if (shown.length > 0) return diagnoseShownForm(facts, shown);
  if (!facts.isSecure) return createProblem('insecure-page', facts.origin);
  if (active.every(({ state }) => state === 'undefined-element'))
    return diagnoseScripts(facts) ?? (facts.isRendered ? undefined : diagnoseForm(facts, active));
  return diagnoseForm(facts, active);
}

function diagnoseMissingElement(facts: PageFacts): PageProblem {
  const [inactive] = facts.elements;
  if (inactive) return diagnoseInactivePart('element', inactive.place!);
  const { scripts, isElementInSource = false } = facts;
  return scripts.length > 0 || isElementInSource
    ? createProblem(isElementInSource ? 'element-missing/removed' : 'element-missing')
    : createProblem('snippet-missing');
}

function diagnoseInactivePart(part: 'element' | 'script', place: InactivePlace): PageProblem {
  return place === 'text'
    ? createProblem('snippet-as-text')
    : createProblem('snippet-inactive', part, place);
}

function diagnoseScripts(facts: PageFacts): PageProblem | undefined {
  const { endpointUrl, isRendered, url: pageUrl } = facts;
  if (facts.origin === 'null') return createProblem('sandboxed-page');
  const scripts = facts.scripts.filter(isActive);
  const running = scripts.filter(({ delayedBy, bundledBy }) => !delayedBy && !bundledBy);
  const tags = running.filter(({ url }) => url !== '');
  if (tags.length > 0 && tags.every(({ hasCurlyQuotes }) => hasCurlyQuotes))
    return createProblem('curly-quotes');
  for (const script of running) {
    const problem = diagnoseScriptRequest(facts, script);
    if (problem) return problem;
  }
  const classic = running.find(({ type, url }) => type !== 'module' && url !== '');
  if (classic) return createProblem('script-not-a-module', classic);
  const delayed = scripts.find(({ delayedBy }) => delayedBy !== undefined);
  // Inline code that refers to the script may be the tool's own.
  if (delayed && running.every(({ url }) => url === ''))
    return createProblem('script-delayed', delayed);
  const bundle = findBundle(scripts);
  if (bundle && running.length === 0) return createProblem('script-bundled', bundle);
  const inactive = facts.scripts.find((script) => !isActive(script));
  if (inactive && running.length === 0) return diagnoseInactivePart('script', inactive.place!);
  if (findViolation(facts, /trusted-types/))
    return createProblem('blocked-by-policy/trusted-types');
  const inline = findViolation(facts, /^script-src/, (blocked) => blocked === 'inline');
  if (running.length === 0) {
    // Inline code may have been meant to add the script, such as a tag manager's.
    if (inline) return createProblem('blocked-by-policy/inline', 'script-src');
    return createProblem('script-missing', endpointUrl, findFormId(facts));
  }
  if (!isRendered) return undefined;
  if (running.every(({ url }) => url === '') && inline)
    return createProblem('blocked-by-policy/inline', 'script-src');
  const isRequested = ({ url }: FormScript): boolean =>
    facts.requests.some((request) => request.url === url);
  if (tags.length > 0 && !tags.some(isRequested)) return createProblem('snippet-inactive/inserted');
  const [script] = running;
  if (facts.isScriptOutdated) return createProblem('stale-script', script!.url, undefined);
  return createProblem(
    'script-failed',
    facts.scriptErrors[0] ?? `${script!.url || pageUrl} did not register <donation-form>.`,
  );
}

function diagnoseScriptRequest(facts: PageFacts, { url }: FormScript): PageProblem | undefined {
  const { endpointUrl } = facts;
  if (url === '') return undefined;
  if (isMixedContent(facts, url)) return createProblem('mixed-content', url, 'script');
  const violation = findViolation(facts, /^(?:script-src|default-src|require-sri)/, (blocked) =>
    matchesBlockedUrl(blocked, url),
  );
  if (violation?.isStrictDynamic) return createProblem('blocked-by-policy/nonce');
  if (violation) return createProblem('blocked-by-policy', violation.directive, url, 'script');
  const result = facts.requests.find((request) => request.url === url);
  switch (result?.failure) {
    case 'policy':
      return createProblem('blocked-by-policy', 'script-src', url, 'script');
    case 'mixed-content':
      return createProblem('mixed-content', url, 'script');
    case 'integrity':
      return createProblem('integrity-mismatch', url);
    case 'cors':
      return createProblem('no-cors', url);
    case 'no-response':
      return createProblem('script-no-response', result);
    case undefined:
      if (!result || !isMissingScript(result)) return undefined;
      // The name of a file with a hash comes from an older release.
      return isChunkUrl(url)
        ? createProblem('stale-script', url, url)
        : diagnoseMissingScript(result, endpointUrl, findFormId(facts));
  }
}

function diagnoseMissingScript(
  result: RequestResult,
  endpointUrl: string | undefined,
  formId: string | undefined,
): PageProblem {
  const { url } = result;
  const [, host] = /^https?:\/\/.*\/((?:[\w-]+\.)+[a-z]{2,})\/donation-form\.js$/.exec(url) ?? [];
  if (host !== undefined) return createProblem('script-not-found/relative', url, host, formId);
  // Without an endpoint attribute, the endpoint's URL comes from the wrong URL.
  const scriptTag = [endpointUrl, undefined]
    .map((knownUrl) => renderScriptTag(knownUrl, formId))
    .find((tag) => !tag.includes(`"${url}"`))!;
  return createProblem('script-not-found', result, scriptTag);
}

function findFormId({ elements }: PageFacts): string | undefined {
  return elements.find(isActive)?.formId;
}

function diagnoseForm(facts: PageFacts, active: readonly FormElement[]): PageProblem | undefined {
  const { endpointUrl, endpoint, url, origin } = facts;
  if (active.some(({ state }) => state === 'insecure'))
    return createProblem('insecure-page', origin);
  const forms = active.filter(({ tag }) => tag !== 'donation-button');
  const [form = active[0]] = forms;
  if (endpointUrl !== undefined && isMixedContent(facts, endpointUrl))
    return createProblem('mixed-content', endpointUrl, 'endpoint');
  const policyProblem = diagnoseEndpointPolicy(facts);
  if (policyProblem) return policyProblem;
  if (facts.versions.length > 1) return createProblem('two-versions', facts.versions);
  if (active.some(({ state }) => state === 'foreign'))
    return diagnoseForeignElement(facts) ?? createProblem('two-versions', facts.versions);
  const bundle = findBundle(facts.scripts);
  if (bundle && form?.endpoint === undefined) return createProblem('script-bundled', bundle);
  if (endpointUrl !== undefined && endpoint) {
    const problem = diagnoseEndpoint(endpointUrl, endpoint, {
      page: { url, origin },
      formId: form?.formId,
    });
    if (problem) return problem;
  } else if (endpointUrl !== undefined && !isEndpointUrl(endpointUrl)) {
    return createProblem('invalid-endpoint', endpointUrl);
  }
  return facts.isRendered ? diagnoseChunks(facts, false) : undefined;
}

function diagnoseEndpointPolicy(facts: PageFacts): PageProblem | undefined {
  const { endpointUrl } = facts;
  if (endpointUrl === undefined) return undefined;
  const violation = findViolation(facts, /^(?:connect-src|default-src)/, (blocked) =>
    matchesBlockedUrl(blocked, endpointUrl),
  );
  return (
    violation && createProblem('blocked-by-policy', violation.directive, endpointUrl, 'endpoint')
  );
}

function diagnoseForeignElement(facts: PageFacts): PageProblem | undefined {
  const { versions, isScriptOutdated = false } = facts;
  return versions.length === 1 && (isScriptOutdated || findFailedChunk(facts))
    ? createProblem('stale-script', versions[0]!, findFailedChunk(facts)?.url)
    : undefined;
}

function findFailedChunk({ requests }: PageFacts): RequestResult | undefined {
  return requests.find(
    (request) => isChunkUrl(request.url) && (request.failure ?? isMissingScript(request)),
  );
}

/** Determines why visitors do not see a form, or cannot pay, although the form is shown. */
function diagnoseShownForm(
  facts: PageFacts,
  shown: readonly FormElement[],
): PageProblem | undefined {
  if (facts.versions.length > 1) return createProblem('two-versions', facts.versions);
  const chunkProblem = diagnoseChunks(facts, true);
  if (chunkProblem) return chunkProblem;
  // A form whose script contains its definition appears without a request.
  const endpointProblem = diagnoseEndpointPolicy(facts);
  if (endpointProblem) return endpointProblem;
  const paymentViolation = findViolation(
    facts,
    /^(?:script|frame|child|connect|default)-src/,
    (blocked) => isPaymentUrl(facts, blocked),
  );
  if (paymentViolation)
    return createProblem(
      'blocked-by-policy',
      paymentViolation.directive,
      paymentViolation.blocked,
      'payment',
    );
  if (facts.paymentError !== undefined)
    return findViolation(facts, /^require-trusted-types-for$/)
      ? createProblem('blocked-by-policy/payment-script')
      : createProblem('payment-failed', facts.paymentError);
  if (facts.delayedScript) return createProblem('script-delayed', facts.delayedScript);
  if (shown.some(({ concealment }) => !concealment || concealment.isTemporary)) return undefined;
  const [{ concealment } = {}] = shown;
  return concealment && createProblem(`form-${concealment.kind}`, concealment);
}

function diagnoseChunks(facts: PageFacts, isShown: boolean): PageProblem | undefined {
  const script = facts.scripts.find((candidate) => isActive(candidate) && candidate.url !== '');
  const violation = findViolation(facts, /^(?:script|default)-src/, isChunkUrl);
  if (violation)
    return createProblem('blocked-by-policy', violation.directive, violation.blocked, 'chunk');
  const chunk = findFailedChunk(facts);
  const bundle = findBundle(facts.scripts);
  if (chunk && bundle) return createProblem('script-bundled', bundle);
  if (chunk) return createProblem('stale-script', script?.url ?? facts.url, chunk.url);
  if (isShown) return undefined;
  return facts.isScriptOutdated && script
    ? createProblem('stale-script', script.url, undefined)
    : createProblem('script-failed', facts.scriptErrors[0] ?? 'The form did not finish loading.');
}

function listChecks(facts: PageFacts, problem: PageProblem | undefined): PageCheck[] {
  const checks: PageCheck[] = [];
  const add = (name: string, status: PageCheck['status'], message: string): void => {
    checks.push({ name, status, message });
  };
  const { scripts, elements, endpoint, endpointUrl, isRendered } = facts;
  const active = elements.filter(isActive);
  const running = scripts.filter(isActive);
  const shown = active.filter(({ state }) => state === 'shown');
  if (active.length > 0)
    add('element', 'ok', active.length === 1 ? 'on the page' : `${active.length} on the page`);
  if (shown.length > 0) add('script', 'ok', `loaded${formatUrl(running[0]?.url)}`);
  else if (!isRendered && running.length > 0 && !problem)
    add('script', 'ok', `on the page${formatUrl(running[0]?.url)}`);
  if (endpoint?.isForm && endpointUrl !== undefined)
    add('donation server', 'ok', `${endpointUrl} sends the form`);
  if (shown.some(({ concealment }) => !concealment)) add('form', 'ok', 'visible');
  for (const { concealment } of shown)
    if (concealment && !(problem?.cause === 'form-hidden' || problem?.cause === 'form-covered'))
      add(
        'form',
        concealment.isTemporary ? 'ok' : 'warning',
        concealment.kind === 'covered'
          ? `covered by ${concealment.selector}` +
              (concealment.isTemporary ? ', which visitors can close' : '')
          : `hidden by ${concealment.selector} (${concealment.reason})` +
              (concealment.isTemporary ? ' until a visitor opens it' : ''),
      );
  if (shown.length > 0 && problem?.cause !== 'blocked-by-policy')
    add('policy', 'ok', 'no Content-Security-Policy blocks the form');
  for (const { directive, blocked, isReportOnly } of facts.violations)
    if (isReportOnly && (isChunkUrl(blocked) || isPaymentUrl(facts, blocked)))
      add(
        'policy',
        'warning',
        `a report-only policy would block ${blocked} (${directive}) if it were enforced`,
      );
  const delayed = running.find(({ delayedBy }) => delayedBy !== undefined);
  if (delayed && problem?.cause !== 'script-delayed')
    add(
      'script',
      'warning',
      `${delayed.delayedBy!} changed the script tag; exclude ` +
        `${nameScript(delayed.url)} in that tool's settings`,
    );
  const urls = new Set(running.map(({ url }) => url).filter((url) => isMainScript(url)));
  if (urls.size > 1 && problem?.cause !== 'two-versions')
    add('script', 'warning', `the page loads the same script from ${[...urls].join(' and ')}`);
  if (facts.isScriptOutdated && problem?.cause !== 'stale-script')
    add(
      'script',
      'warning',
      "differs from the donation server's current script; clear the website's caches",
    );
  for (const mistake of facts.mistakes) add('page', 'warning', mistake);
  if (!isRendered)
    add(
      'browser',
      'unknown',
      "not used, so the page's policies, styles, scripts, and blockers were not checked; " +
        'to check them, install Chrome and run npm install playwright-core',
    );
  return checks;
}

function isActive({ place }: FormElement | FormScript): boolean {
  return place === undefined;
}

function findBundle(scripts: readonly FormScript[]): FormScript | undefined {
  return scripts.find(({ bundledBy }) => bundledBy !== undefined);
}

function findViolation(
  { violations }: PageFacts,
  directives: RegExp,
  isIncluded: (blocked: string) => boolean = () => true,
): PolicyViolation | undefined {
  return violations.find(
    ({ directive, blocked, isReportOnly }) =>
      !isReportOnly && directives.test(directive) && isIncluded(blocked),
  );
}

function isMixedContent({ url }: PageFacts, requestUrl: string): boolean {
  if (!url.startsWith('https:') || !requestUrl.startsWith('http:')) return false;
  return !/^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(
    new URL(requestUrl).hostname,
  );
}

function isMissingScript({ status, mediaType }: RequestResult): boolean {
  if (status === undefined) return false;
  return status >= 400 || (mediaType !== undefined && !/javascript|ecmascript/.test(mediaType));
}

/** Returns true for the URL of the form's script or one of its lazily loaded files. */
function isChunkUrl(url: string): boolean {
  return /\/donation-form\.[\w.-]+\.js(?:$|[?#])/.test(url);
}

function isMainScript(url: string): boolean {
  return /\/donation-form\.js(?:$|[?#])/.test(url) || getEmbeddedFormId(url) !== undefined;
}

function isPaymentUrl({ endpoint }: PageFacts, url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, origin } = new URL(url);
  return PAYMENT_HOST.test(hostname) || (endpoint?.paymentOrigins ?? []).includes(origin);
}

/** Compares a violation's blocked URL, which may be only an origin, with a requested URL. */
function matchesBlockedUrl(blocked: string, url: string): boolean {
  if (!URL.canParse(blocked) || !URL.canParse(url)) return false;
  const blockedUrl = new URL(blocked);
  const requestedUrl = new URL(url);
  return (
    blockedUrl.origin === requestedUrl.origin &&
    (blockedUrl.pathname === '/' || blockedUrl.pathname.startsWith(requestedUrl.pathname))
  );
}

function formatUrl(url: string | undefined): string {
  return url ? ` from ${url}` : '';
}
