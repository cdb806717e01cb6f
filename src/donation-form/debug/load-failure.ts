/** Explains to page authors why a form did not load. Visitors see only a short message. */
import {
  createFormProblem,
  diagnoseEndpoint,
  isEndpointUrl,
  type PageProblem,
} from '@donation-form/core/page-diagnosis';
import { FormResponseError } from '../form/endpoint.ts';
import type { FormSession } from '../form/form-session.ts';
import type { FormStore } from '../form/form-store.ts';
import { illustrationStyles } from '../illustrations/styles.ts';
import { wait } from '../page/wait.ts';
import { logProblem } from './log-problem.ts';

/** Milliseconds in which the browser reports a policy violation. */
const VIOLATION_DELAY = 100;
const PROBE_TIMEOUT = 5_000;

export async function reportLoadFailure(form: FormStore, error: unknown): Promise<void> {
  const { session } = form;
  form.adoptStyles(illustrationStyles);
  const problem = await diagnoseLoadFailure(session!, error);
  logProblem(problem);
  if (session!.signal.aborted || !session!.pageContext.isDebugRequested) return;
  const { debugStyles, renderProblemPanel } = await import('./debug-panel.ts');
  form.adoptStyles(debugStyles);
  await form.update({ debugPanel: renderProblemPanel(problem) });
}

async function diagnoseLoadFailure(
  { endpointUrl, formId }: FormSession,
  error: unknown,
): Promise<PageProblem> {
  if (!window.isSecureContext) return createFormProblem('insecure-page', location.origin);
  if (!isEndpointUrl(endpointUrl)) return createFormProblem('invalid-endpoint', endpointUrl);
  const problem =
    error instanceof FormResponseError ? diagnoseResponse(error, endpointUrl, formId) : undefined;
  return problem ?? probeEndpoint(new URL(endpointUrl), error);
}

/** Ignores all other properties of the problem, because the endpoint can return any JSON. */
function diagnoseResponse(
  { status, problem }: FormResponseError,
  url: string,
  formId: string | undefined,
): PageProblem | undefined {
  const { code, detail, requestId } = problem ?? {};
  return diagnoseEndpoint(
    url,
    { url, isForm: false, status, code, detail, requestId },
    { page: { url: location.href, origin: window.origin }, formId },
  );
}

/** Sends test requests to determine why the browser could not read the endpoint's response. */
async function probeEndpoint(
  { href, origin, protocol }: URL,
  error: unknown,
): Promise<PageProblem> {
  if (!navigator.onLine) return createFormProblem('offline');
  if (location.protocol === 'https:' && protocol === 'http:')
    return createFormProblem('mixed-content', href, 'endpoint');
  let blockedBy: string | undefined;
  const onViolation = ({ blockedURI, effectiveDirective }: SecurityPolicyViolationEvent): void => {
    if (blockedURI.startsWith(origin)) blockedBy = effectiveDirective;
  };
  document.addEventListener('securitypolicyviolation', onViolation);
  const request = (mode: RequestMode): Promise<Response | undefined> =>
    fetch(`${href}form`, {
      mode,
      credentials: 'omit',
      signal: AbortSignal.timeout(PROBE_TIMEOUT),
    }).catch(() => undefined);
  const response = await request('cors');
  const opaqueResponse = response ?? (await request('no-cors'));
  if (!opaqueResponse) await wait(VIOLATION_DELAY);
  document.removeEventListener('securitypolicyviolation', onViolation);
  if (blockedBy !== undefined)
    return createFormProblem('blocked-by-policy', blockedBy, href, 'endpoint');
  if (response) return createFormProblem('script-failed', String(error));
  return opaqueResponse
    ? createFormProblem('not-an-endpoint', href)
    : createFormProblem('no-response', href);
}
