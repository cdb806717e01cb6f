/** Explains to page authors why a form did not load. Visitors see only a short message. */
import { html, type CSSResult, type TemplateResult } from 'lit';
import { FormResponseError } from '../form/endpoint.ts';
import { illustrationStyles } from '../illustrations/styles.ts';
import type { FormLoader } from '../form/form-loader.ts';
import type { FormController } from '../form/form-controller.ts';

/** Codes that identify why a form did not load. docs/install/troubleshooting.md lists all codes. */
type LoadFailureCause =
  | 'insecure-page'
  | 'file-page'
  | 'sandboxed-page'
  | 'origin-not-allowed'
  | 'form-not-found'
  | 'paused'
  | 'server-error'
  | 'not-an-endpoint'
  | 'invalid-endpoint'
  | 'mixed-content'
  | 'blocked-by-policy'
  | 'offline'
  | 'no-response'
  | 'script-failed';

/** Reason that a form did not load, with an English message that explains the cause and the fix. */
interface LoadFailure {
  readonly cause: LoadFailureCause;
  readonly message: string;
}

/** Milliseconds to wait for the browser to report a Content-Security-Policy violation. */
const VIOLATION_DELAY = 100;
const PROBE_TIMEOUT = 5_000;

/** Logs why the form did not load, and shows the reason if the debug panel is requested. */
export async function reportLoadFailure(
  form: FormController,
  error: unknown,
  adoptStyles: (styles: CSSResult) => void,
): Promise<void> {
  const { loader } = form;
  adoptStyles(illustrationStyles);
  const failure = await diagnoseLoadFailure(loader!, error);
  console.error(`donation-form: ${failure.message} (${failure.cause})`);
  if (loader !== form.loader || !loader!.pageContext.isDebugRequested) return;
  adoptStyles((await import('./debug-panel.ts')).debugStyles);
  await form.update({ debugPanel: renderLoadFailure(failure) });
}

/** Determines why a form did not load. @param error the error from the failed attempt. */
async function diagnoseLoadFailure(
  { endpointUrl, formId }: FormLoader,
  error: unknown,
): Promise<LoadFailure> {
  if (!isSecureContext)
    return {
      cause: 'insecure-page',
      message: `${location.origin} does not use HTTPS, which payments require. Open the page over HTTPS.`,
    };
  if (error instanceof FormResponseError) return diagnoseResponse(error, endpointUrl, formId);
  const url = URL.canParse(endpointUrl) ? new URL(endpointUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    return {
      cause: 'invalid-endpoint',
      message:
        `${endpointUrl} is not a server URL. Set the endpoint attribute to the URL of the ` +
        'donation server, such as https://give.example.org.',
    };
  return probeEndpoint(url, error);
}

function diagnoseResponse(
  { status, problem = {} }: FormResponseError,
  endpointUrl: string,
  formId = '',
): LoadFailure {
  const { code, detail = '', requestId = 'unknown' } = problem;
  if (code === 'origin-not-allowed') return diagnoseOrigin(endpointUrl);
  if (code === 'form-not-found')
    return {
      cause: code,
      message:
        `The server at ${endpointUrl} has no form "${formId}". Correct the form-id attribute, ` +
        'or remove it to show the first form.',
    };
  if (code === 'paused')
    return {
      cause: code,
      message:
        'The organization is paused, so its forms are hidden. An administrator of the donation ' +
        'server can resume the organization.',
    };
  if (code === undefined)
    return {
      cause: 'not-an-endpoint',
      message:
        `${endpointUrl} returned status ${status} but is not a donation server. Set the ` +
        'endpoint attribute to the URL of the donation server.',
    };
  return {
    cause: 'server-error',
    message: `The server at ${endpointUrl} cannot send the form (${code}). ${detail} Request ID: ${requestId}.`,
  };
}

function diagnoseOrigin(endpointUrl: string): LoadFailure {
  if (location.protocol === 'file:')
    return {
      cause: 'file-page',
      message:
        'A page opened from disk (file://) cannot show the form. Put the page on a website, ' +
        'or start a local web server.',
    };
  if (window.origin === 'null')
    return {
      cause: 'sandboxed-page',
      message:
        'This page is in a sandboxed frame, so it has no origin. Add allow-same-origin to the ' +
        "frame's sandbox attribute, or put the form on the page outside the frame.",
    };
  return {
    cause: 'origin-not-allowed',
    message:
      `The server at ${endpointUrl} does not allow this page to show the form. Add ` +
      `"${location.origin}" to "origins" in the server's configuration (an origin with www. ` +
      'differs from one without www.).',
  };
}

/** Sends test requests to determine why the browser could not read the endpoint's response. */
async function probeEndpoint(
  { href, origin, protocol }: URL,
  error: unknown,
): Promise<LoadFailure> {
  if (!navigator.onLine)
    return { cause: 'offline', message: 'This browser is offline. Go online, then try again.' };
  if (location.protocol === 'https:' && protocol === 'http:')
    return {
      cause: 'mixed-content',
      message: `Browsers block ${href} on an HTTPS page. Use the https:// URL of the donation server.`,
    };
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
  if (!opaqueResponse) await new Promise((resolve) => setTimeout(resolve, VIOLATION_DELAY));
  document.removeEventListener('securitypolicyviolation', onViolation);
  if (blockedBy !== undefined)
    return {
      cause: 'blocked-by-policy',
      message: `This page's Content-Security-Policy blocks ${origin}. Add this origin to the ${blockedBy} directive.`,
    };
  if (response)
    return {
      cause: 'script-failed',
      message:
        `The server at ${href} responds, but part of the form failed to load ` +
        `(${String(error)}). If you serve a copy of the script, put all of its files in the ` +
        'same folder.',
    };
  if (opaqueResponse)
    return {
      cause: 'not-an-endpoint',
      message:
        `${href} responds but is not a donation server. Set the endpoint attribute to the ` +
        'URL of the donation server.',
    };
  return {
    cause: 'no-response',
    message:
      `${href} does not respond. Open ${href}healthz in a new tab: if the page says "ok", an ad ` +
      'blocker or firewall blocks the form; otherwise, the URL is wrong or the server is down.',
  };
}

/** Renders the cause of a load failure in place of the debug panel. */
function renderLoadFailure({ cause, message }: LoadFailure): TemplateResult {
  return html`
    <section class="debug" part="debug" aria-label="Why the form is not available">
      <h2>Why the form is not available</h2>
      <p class="hint">Visible on this page only.</p>
      <p><code>${cause}</code>: ${message}</p>
    </section>`;
}
