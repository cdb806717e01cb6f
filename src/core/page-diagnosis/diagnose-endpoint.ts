import type { EndpointResult } from './page-facts.ts';
import type { PageProblem } from './problem.ts';
import {
  createFilePageProblem,
  createFormNotFoundProblem,
  createInvalidEndpointProblem,
  createMixedContentProblem,
  createNoCorsProblem,
  createNoResponseProblem,
  createNotAnEndpointProblem,
  createOriginProblem,
  createPausedFormProblem,
  createPolicyProblem,
  createSandboxedPageProblem,
  createServerErrorProblem,
} from './problems.ts';

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
  if (!isEndpointUrl(endpointUrl)) return createInvalidEndpointProblem(endpointUrl);
  const { failure, code, status, errorCode, isForm } = result;
  if (failure === 'policy') return createPolicyProblem('connect-src', endpointUrl, 'endpoint');
  if (failure === 'mixed-content') return createMixedContentProblem(endpointUrl, 'endpoint');
  if (failure === 'cors') return createNoCorsProblem(endpointUrl);
  if (isForm) return undefined;
  if (status === undefined) return createNoResponseProblem(endpointUrl, errorCode);
  if (code === 'origin-not-allowed') return diagnoseOrigin(endpointUrl, page);
  if (code === 'form-not-found') return createFormNotFoundProblem(endpointUrl, formId);
  if (code === 'paused') return createPausedFormProblem();
  if (code === undefined && status >= 500)
    return createServerErrorProblem(endpointUrl, {
      code: `status ${status}`,
      detail:
        'The response does not come from the donation server but from a proxy in front of it.',
    });
  if (code === undefined) return createNotAnEndpointProblem(endpointUrl, status);
  return createServerErrorProblem(endpointUrl, result);
}

function diagnoseOrigin(endpointUrl: string, { url, origin }: RequestingPage): PageProblem {
  if (url.startsWith('file:')) return createFilePageProblem();
  return origin === 'null'
    ? createSandboxedPageProblem()
    : createOriginProblem(endpointUrl, origin);
}
