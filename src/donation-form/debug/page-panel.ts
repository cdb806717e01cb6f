/**
 * For page authors if the form's script runs, but visitors cannot see or use the form. Forms
 * explain themselves why they did not load.
 */
import {
  describeRecipient,
  diagnosePage,
  extractMainScript,
  isMainScriptUrl,
  type PageFacts,
  type PageProblem,
  type RequestResult,
  writeSupportRequest,
} from '@donation-form/core/page-diagnosis';
import { wait } from '../page/wait.ts';
import { inspectPage } from './inspect-page.ts';
import { logProblem } from './log-problem.ts';
import { recordViolations, repeatRequests } from './policy-violations.ts';

/** Milliseconds after the page has loaded in which the page may add or reveal the form. */
const PATIENCE = 3_000;

const HEADING = 'Why the form does not work';

const STYLES = `
:host {
  position: fixed; inset: auto 0 0; z-index: 2147483647; width: auto; max-height: 60vh; margin: 0;
  padding: 0; overflow: auto; border: 0; border-top: 2px solid #b3261e; background: #fff;
  color: #1c1b1f; font: 16px/1.5 system-ui, sans-serif
}
section { max-width: 48em; margin: 0 auto; padding: 1em; overflow-wrap: anywhere }
h2 { margin: 0; font-size: 1.125em }
p, pre { margin: .75em 0 0 }
pre { padding: .75em; background: #f3f0f0; font: inherit; white-space: pre-wrap; user-select: all }
button { float: inline-end; min-height: 2.75em; padding: 0 1em; font: inherit }
`;

export async function showPagePanel(): Promise<void> {
  const violations = recordViolations();
  if (document.readyState !== 'complete')
    await new Promise((resolve) => addEventListener('load', resolve, { once: true }));
  await wait(PATIENCE);
  const paymentOrigins = await repeatRequests();
  const facts = { ...(await collectFacts(paymentOrigins)), violations };
  if (facts.elements.some(({ state }) => /unavailable|insecure|loading/.test(state))) return;
  const { problem, checks } = diagnosePage(facts);
  for (const { name, status, message } of checks)
    if (status === 'warning') console.warn(`donation-form: ${name}: ${message}.`);
  if (!problem) return;
  logProblem(problem);
  const panel = createPanel(problem);
  document.body.append(panel);
  // The top layer is in front of everything on the page, where the browser has it.
  panel.popover = 'manual';
  (panel as { showPopover?: () => void }).showPopover?.();
}

/** @param paymentOrigins undefined if the endpoint sent no definition. */
async function collectFacts(
  paymentOrigins: readonly string[] | undefined,
): Promise<Omit<PageFacts, 'violations'>> {
  const page = inspectPage();
  return {
    ...page,
    ...(paymentOrigins && {
      endpoint: { url: page.endpointUrl!, status: 200, isForm: true, paymentOrigins },
    }),
    isRendered: true,
    requests: performance.getEntriesByType('resource').map(toRequestResult),
    versions: await findVersions(page.scripts.map(({ url }) => url)),
    scriptErrors: [],
  };
}

function toRequestResult(entry: PerformanceEntry): RequestResult {
  const { responseStatus = 0 } = entry as { readonly responseStatus?: number };
  return { url: entry.name, status: responseStatus === 0 ? undefined : responseStatus };
}

async function findVersions(urls: readonly string[]): Promise<string[]> {
  const scripts = new Set(urls.filter(isMainScriptUrl));
  if (scripts.size < 2) return [...scripts];
  const versions = await Promise.all(
    [...scripts].map(async (url) => {
      const response = await fetch(url, { credentials: 'omit' }).catch(() => undefined);
      return [response?.ok ? extractMainScript(await response.text()) : '', url] as const;
    }),
  );
  return [...new Map(versions.filter(([code]) => code !== '')).values()];
}

/** Creates the panel without HTML strings, which a policy with Trusted Types would reject. */
function createPanel(problem: PageProblem): HTMLElement {
  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLES);
  root.adoptedStyleSheets = [sheet];
  const section = document.createElement('section');
  const close = createElement('button', 'Close');
  close.addEventListener('click', () => host.remove());
  section.append(
    close,
    createElement('h2', HEADING),
    createElement('p', `${problem.cause}: ${problem.headline} ${problem.why}`),
    createElement('p', `What to do: ${problem.fix}`),
    createElement('p', describeRecipient(problem)),
    createElement('pre', writeSupportRequest(problem, location.href)),
  );
  section.setAttribute('aria-label', HEADING);
  host.id = 'donation-form-debug';
  root.append(section);
  return host;
}

function createElement(name: 'button' | 'h2' | 'p' | 'pre', text: string): HTMLElement {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}
