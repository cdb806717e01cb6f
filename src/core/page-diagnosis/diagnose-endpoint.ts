import { FORM_PROBLEM_TEXTS } from './form-problem-texts.ts';
import type { EndpointResult } from './page-facts.ts';
import { createProblemFactory, type PageProblem } from './problem.ts';

export const createFormProblem = createProblemFactory(FORM_PROBLEM_TEXTS);

interface RequestingPage {
  readonly url: string;
  /** `null` for a sandboxed document or a file. */
  readonly origin: string;
}

export function isEndpointUrl(endpointUrl: string): boolean {
  return URL.canParse(endpointUrl) && /^https?:$/.test(new URL(endpointUrl).protocol);
}

/** Determines why an endpoint did not send a form definition, unless it did. */
export function diagnoseEndpoint(
  endpointUrl: string,
  result: EndpointResult,
  { page, formId = '' }: { readonly page: RequestingPage; readonly formId?: string | undefined },
): PageProblem | undefined {
  if (!isEndpointUrl(endpointUrl)) return createFormProblem('invalid-endpoint', endpointUrl);
  const { failure, code, status, errorCode, isForm } = result;
  if (failure === 'policy')
    return createFormProblem('blocked-by-policy', 'connect-src', endpointUrl, 'endpoint');
  if (failure === 'mixed-content')
    return createFormProblem('mixed-content', endpointUrl, 'endpoint');
  if (failure === 'cors') return createFormProblem('no-cors', endpointUrl);
  if (isForm) return undefined;
  if (status === undefined) return createFormProblem('no-response', endpointUrl, errorCode);
  if (code === 'origin-not-allowed') return diagnoseOrigin(endpointUrl, page);
  if (code === 'form-not-found') return createFormProblem('form-not-found', endpointUrl, formId);
  if (code === 'paused') return createFormProblem('paused');
  if (code === undefined && status >= 500)
    return createFormProblem('server-error', endpointUrl, {
      code: `status ${status}`,
      detail:
        'The response does not come from the donation server but from a proxy in front of it.',
    });
  if (code === undefined) return createFormProblem('not-an-endpoint', endpointUrl, status);
  return createFormProblem('server-error', endpointUrl, result);
}

function diagnoseOrigin(endpointUrl: string, { url, origin }: RequestingPage): PageProblem {
  if (url.startsWith('file:')) return createFormProblem('file-page');
  return origin === 'null'
    ? createFormProblem('sandboxed-page')
    : createFormProblem('origin-not-allowed', endpointUrl, origin);
}
