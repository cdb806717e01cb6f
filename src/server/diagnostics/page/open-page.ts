import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  Browser,
  BrowserContextOptions,
  BrowserType,
  Frame,
  Page,
  Request,
  Response,
} from 'playwright-core';
import type {
  EndpointResult,
  FormElement,
  PageFacts,
  RequestResult,
} from '@donation-form/core/page-diagnosis';
import { resolvePackageFile } from '../../lib/package-file.ts';
import { parseMediaType, readFormResponse } from './request-endpoint.ts';

const OPEN_TIMEOUT = 30_000;
/** Multiple of the patience for a form that is still loading. The form itself waits for 15 s. */
const MAX_PATIENCE_FACTOR = 3;
const FRAME_TIMEOUT = 5_000;
const POLL_INTERVAL = 200;
/** Number of controls to click to reveal a hidden form. */
const MAX_CLICKS = 12;
/** Milliseconds for the page to react to a click. */
const CLICK_DELAY = 250;

/** Report of the inspector, src/donation-form/debug/page-inspector.ts. */
type Inspection = Pick<
  PageFacts,
  'url' | 'origin' | 'isSecure' | 'scripts' | 'elements' | 'mistakes' | 'endpointUrl' | 'violations'
>;

/** What a browser observed on a page. */
export type Observation = Awaited<ReturnType<typeof openPage>>;

export class PageNotOpenedError extends Error {}

export interface OpenPageOptions {
  readonly browser: Browser;
  /** Milliseconds to wait for the form after the page has loaded. */
  readonly patience: number;
  readonly contextOptions?: BrowserContextOptions | undefined;
}

/** @throws {PageNotOpenedError} if the page cannot be opened. */
export async function openPage(
  url: string,
  { browser, patience, contextOptions }: OpenPageOptions,
) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    ...contextOptions,
  });
  try {
    await context.addInitScript({ content: await readInspector() });
    const page = await context.newPage();
    const log = new PageLog(page);
    const source = await loadPage(page, url);
    await waitForForm(page, log, patience);
    if (!log.hasFormRequest)
      await Promise.all(
        page.frames().map((frame) => callInspector(frame, (inspector) => inspector.requestForm())),
      );
    return await log.observe(page, source);
  } finally {
    await context.close();
  }
}

/** Reads the inspector. It does nothing in a document that has it already. */
async function readInspector(): Promise<string> {
  const code = await readFile(resolvePackageFile('assets/page-inspector.js'), 'utf8');
  return `if (!globalThis[Symbol.for('donation-form inspector')]) { ${code} }`;
}

async function loadPage(page: Page, url: string): Promise<string> {
  let response: Response | null;
  try {
    response = await page.goto(url, { waitUntil: 'domcontentloaded', timeout: OPEN_TIMEOUT });
  } catch (error) {
    const [, reason = 'the browser reported an error'] =
      /(net::\w+|Timeout \d+ms)/.exec((error as Error).message) ?? [];
    throw new PageNotOpenedError(`Cannot open ${url}: ${reason}. Check the URL.`, { cause: error });
  }
  const status = response?.status() ?? 200;
  if (status >= 400)
    throw new PageNotOpenedError(
      `Cannot check ${url}: the website responded with status ${status}. Check the URL` +
        (status === 401 || status === 403
          ? ', and make sure that the page opens without a sign-in and does not block automated browsers.'
          : '.'),
    );
  return (await response?.text().catch(() => undefined)) ?? '';
}

async function waitForForm(page: Page, log: PageLog, patience: number): Promise<void> {
  const loaded = page.waitForLoadState('load', { timeout: OPEN_TIMEOUT }).catch(() => undefined);
  if (await waitUntilSettled(page, log, { loaded, patience })) return;
  // Only the page's own frame: other frames have the payment provider's buttons.
  await callInspector(page.mainFrame(), (inspector) => inspector.scrollThroughPage());
  if (await waitUntilSettled(page, log, { loaded, patience: patience / 4 })) return;
  for (let index = 0; index < MAX_CLICKS; index += 1) {
    const clicked = await callInspector(
      page.mainFrame(),
      (inspector, place) => inspector.clickTrigger(place),
      index,
    );
    if (clicked !== true) return;
    await delay(CLICK_DELAY);
    const elements = (await inspectFrames(page)).flatMap((document) => document.elements);
    if (elements.some(({ state, concealment }) => state === 'shown' && !concealment)) return;
    if (elements.some(({ state }) => state === 'loading'))
      if (await waitUntilSettled(page, log, { loaded, patience: patience / 2 })) return;
  }
}

/** Waits until nothing more is to be learned by waiting. Returns false if time is up. */
async function waitUntilSettled(
  page: Page,
  log: PageLog,
  { loaded, patience }: { readonly loaded: Promise<void>; readonly patience: number },
): Promise<boolean> {
  await loaded;
  const deadline = Date.now() + patience;
  const lastDeadline = Date.now() + MAX_PATIENCE_FACTOR * patience;
  for (;;) {
    const documents = await inspectFrames(page);
    if (documents.some((document) => log.isSettled(document))) return true;
    const isBusy = documents.some((document) => log.isBusy(document));
    if (Date.now() > (isBusy ? lastDeadline : deadline)) return false;
    await delay(POLL_INTERVAL);
  }
}

interface Inspector {
  inspect(): Inspection;
  scrollThroughPage(): Promise<true>;
  clickTrigger(index: number): boolean;
  requestForm(): Promise<true>;
}

/** Calls the inspector in a frame. The function is sent to the browser, so it is self-contained. */
async function callInspector<Result>(
  frame: Frame,
  call: (inspector: Inspector, argument: number) => Result | Promise<Result>,
  argument = 0,
): Promise<Result | undefined> {
  const evaluate = (setUp = ''): Promise<Result | undefined> =>
    Promise.race([
      frame
        .evaluate(
          `(() => {
            ${setUp}
            const inspector = globalThis[Symbol.for('donation-form inspector')];
            return inspector && (${call.toString()})(inspector, ${argument});
          })()`,
        )
        .catch(() => undefined) as Promise<Result | undefined>,
      delay(FRAME_TIMEOUT, undefined, { ref: false }),
    ]);
  return (await evaluate()) ?? evaluate(await readInspector());
}

/** Inspects all frames of a page. Skips frames in which scripts cannot run. */
async function inspectFrames(page: Page): Promise<Inspection[]> {
  const results = await Promise.all(
    page.frames().map((frame) => callInspector(frame, (inspector) => inspector.inspect())),
  );
  return results.filter((result) => result !== undefined);
}

class PageLog {
  readonly #requests = new Map<string, RequestResult>();
  readonly #code = new Map<string, string>();
  readonly #errors: string[] = [];
  readonly #readings = new Set<Promise<void>>();
  /** URLs of scripts that are being loaded. */
  readonly #pending = new Set<string>();
  #endpoint: EndpointResult | undefined;
  #paymentError: string | undefined;

  constructor(page: Page) {
    page.on('response', (response) => {
      const reading = this.#readResponse(response).catch(() => undefined);
      this.#readings.add(reading);
      void reading.then(() => this.#readings.delete(reading));
    });
    page.on('request', (request) => {
      if (request.resourceType() === 'script') this.#recordRequest(request.url());
    });
    page.on('requestfinished', (request) => this.#pending.delete(request.url()));
    page.on('requestfailed', (request) => {
      this.#pending.delete(request.url());
      this.#recordFailure(request);
    });
    page.on('console', (message) => this.#readConsole(message.text()));
    page.on('pageerror', ({ message, stack = '' }) => {
      if (/donation-form|import\.meta|import statement/.test(`${message} ${stack}`))
        this.#errors.push(message);
    });
  }

  get hasFormRequest(): boolean {
    return this.#endpoint !== undefined;
  }

  /** Returns true if a document's form is shown, has failed, or will not come. */
  isSettled({ elements, scripts }: Inspection): boolean {
    const active = elements.filter(({ place }) => place === undefined);
    const isShown = active.some(
      ({ state, isPaymentSettled, concealment }) =>
        state === 'shown' && isPaymentSettled === true && !concealment,
    );
    if (isShown) return true;
    if (active.length === 0) return false;
    if (active.some(({ state }) => /unavailable|insecure|foreign/.test(state))) return true;
    const running = scripts.filter(({ place }) => place === undefined);
    return (
      active.every(({ state }) => state === 'undefined-element') &&
      running.length > 0 &&
      running.every(
        ({ url, delayedBy }) =>
          delayedBy !== undefined ||
          this.#requests.get(url)?.failure !== undefined ||
          (this.#requests.get(url)?.status ?? 0) >= 400,
      )
    );
  }

  isBusy({ elements, scripts }: Inspection): boolean {
    const active = elements.filter(({ place }) => place === undefined);
    return (
      active.some(
        ({ state, isPaymentSettled }) =>
          state === 'loading' || (state === 'shown' && isPaymentSettled === false),
      ) ||
      (active.length > 0 && scripts.some(({ url, place }) => !place && this.#pending.has(url)))
    );
  }

  async observe(page: Page, source: string) {
    const documents = await inspectFrames(page);
    await Promise.all(this.#readings);
    const hasForm =
      (state?: FormElement['state']) =>
      ({ elements }: Inspection): boolean =>
        elements.some((element) => !element.place && (!state || element.state === state));
    const [main] = documents;
    const document = documents.find(hasForm('shown')) ?? documents.find(hasForm()) ?? main;
    if (!document)
      throw new PageNotOpenedError(
        `Cannot check ${page.url()}: the page does not respond. Try again later.`,
      );
    return {
      url: page.url(),
      /** The page's source, as the server sent it. */
      source,
      /** The document that has the form, or the page's own. */
      document,
      // Frames of others, such as the payment provider's, have their own policies.
      violations: [...new Set([main, document])].flatMap((own) => own?.violations ?? []),
      requests: [...this.#requests.values()],
      scriptCode: this.#code,
      scriptErrors: this.#errors,
      paymentError: this.#paymentError,
      endpoint: this.#endpoint,
    };
  }

  #recordRequest(url: string): void {
    this.#pending.add(url);
    if (!this.#requests.has(url)) this.#requests.set(url, { url });
  }

  async #readResponse(response: Response): Promise<void> {
    const request = response.request();
    const url = request.url();
    const type = request.resourceType();
    if (type === 'script' || /\/donation-form[\w.-]*\.js/.test(url)) {
      const status = response.status();
      if (status >= 300 && status < 400) return;
      const mediaType = parseMediaType(response.headers()['content-type']);
      if (!this.#requests.get(url)?.failure) this.#requests.set(url, { url, status, mediaType });
      if (status < 300) this.#code.set(url, await response.text());
    } else if (type === 'fetch' && isFormRequest(url) && request.method() === 'GET') {
      this.#endpoint = readFormResponse(url, response.status(), await response.text());
    }
  }

  #recordFailure(request: Request): void {
    const url = request.url();
    const errorCode = request.failure()?.errorText ?? '';
    const failure = classifyFailure(errorCode);
    if (errorCode === 'net::ERR_ABORTED') return;
    if (request.resourceType() === 'script' || /\/donation-form[\w.-]*\.js/.test(url))
      this.#setFailure(url, failure, errorCode);
    else if (isFormRequest(url) && !this.#endpoint?.failure)
      this.#endpoint = { url, isForm: false, failure, errorCode };
  }

  #setFailure(url: string, failure: RequestResult['failure'], errorCode?: string): void {
    const known = this.#requests.get(url)?.failure;
    if (known === undefined || known === 'no-response')
      this.#requests.set(url, { url, failure, errorCode });
  }

  /** Reads what Chromium reports only on the console. */
  #readConsole(text: string): void {
    const [, corsUrl] =
      /^Access to [^']* at '([^']+)'.* has been blocked by CORS policy/.exec(text) ?? [];
    if (corsUrl !== undefined && isFormRequest(corsUrl))
      this.#endpoint = { url: corsUrl, isForm: false, failure: 'cors' };
    else if (corsUrl !== undefined) this.#setFailure(corsUrl, 'cors');
    this.#paymentError ??= /^donation-form: Cannot load the payment field for .*/.exec(text)?.[0];
    const [, changedUrl] =
      /valid digest in the 'integrity' attribute for resource '([^']+)'/.exec(text) ?? [];
    if (changedUrl !== undefined) this.#setFailure(changedUrl, 'integrity');
  }
}

/** Returns true for the URL of a form definition. */
function isFormRequest(url: string): boolean {
  return url.includes('/form?');
}

function classifyFailure(errorCode: string): NonNullable<RequestResult['failure']> {
  if (/^csp$|BLOCKED_BY_CSP/.test(errorCode)) return 'policy';
  return errorCode === 'mixed-content' ? 'mixed-content' : 'no-response';
}

/** Names of the browser's command on Linux. */
const COMMANDS = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser'];
/** Browsers that Playwright finds in the folders where macOS and Windows install them. */
const CHANNELS = process.platform === 'linux' ? [] : ['chrome', 'msedge'];

/** Starts an installed Chrome, Edge, or Chromium, if playwright-core is installed too. */
export async function launchBrowser(): Promise<Browser | undefined> {
  const chromium = await importPlaywright();
  if (!chromium) return undefined;
  const executablePath = findCommand();
  if (executablePath !== undefined)
    return chromium.launch({
      executablePath,
      // Chromium refuses to run as root with its own sandbox, as in most containers.
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    });
  for (const channel of CHANNELS) {
    const browser = await chromium.launch({ channel }).catch(() => undefined);
    if (browser) return browser;
  }
  return undefined;
}

async function importPlaywright(): Promise<BrowserType | undefined> {
  try {
    return (await import('playwright-core')).chromium;
  } catch {
    return undefined;
  }
}

function findCommand(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return COMMANDS.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) =>
    existsSync(file),
  );
}
