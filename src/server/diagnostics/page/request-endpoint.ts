import type { EndpointResult, RequestResult } from '@donation-form/core/page-diagnosis';
import { getErrorReason } from '../../lib/get-error-reason.ts';
import { readTextWithLimit } from '../../lib/response-limit.ts';

const REQUEST_TIMEOUT = 10_000;

type Answer =
  | { readonly response: Response; readonly text: string }
  | { readonly errorCode: string; readonly response?: undefined };

async function request(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(REQUEST_TIMEOUT) });
    return { response, text: await readTextWithLimit(response) };
  } catch (error) {
    return { errorCode: getErrorReason(error) };
  }
}

/** Returns the lowercase media type of a Content-Type header, without parameters. */
export function parseMediaType(contentType: string | null | undefined): string | undefined {
  return contentType?.split(';')[0]?.trim().toLowerCase();
}

/** Requests a form definition as a page of `origin` does. */
export async function requestForm(
  endpointUrl: string,
  { formId, origin }: { readonly formId?: string | undefined; readonly origin: string },
): Promise<EndpointResult> {
  const query = new URLSearchParams({
    ...(formId !== undefined && { id: formId }),
    language: 'en',
  });
  const url = `${endpointUrl}form?${query.toString()}`;
  const answer = await request(url, { Origin: origin });
  if (!answer.response) return { url, isForm: false, ...toFailure(answer.errorCode) };
  const { response, text } = answer;
  const allowed = response.headers.get('Access-Control-Allow-Origin');
  const isReadable =
    allowed === '*' || allowed === origin || new URL(endpointUrl).origin === origin;
  const result = readFormResponse(url, response.status, text);
  // An unreadable response that is not a form definition means that this is no endpoint.
  return result.isForm && !isReadable ? { ...result, failure: 'cors' } : result;
}

export function readFormResponse(url: string, status: number, text: string): EndpointResult {
  const body = parseObject(text);
  const definition = body as {
    readonly payments?: readonly {
      readonly options?: { readonly scriptUrl?: string; readonly frame?: string };
    }[];
  };
  const isForm = status < 400 && 'currencies' in body;
  const paymentUrls = isForm
    ? (definition.payments ?? []).flatMap(({ options = {} }) => [
        options.scriptUrl ?? '',
        options.frame ?? '',
      ])
    : [];
  const problem = body as Partial<Record<'code' | 'detail' | 'requestId', string>>;
  return {
    url,
    status,
    isForm,
    code: problem.code,
    detail: problem.detail,
    requestId: problem.requestId,
    paymentOrigins: paymentUrls.flatMap((paymentUrl) =>
      URL.canParse(paymentUrl) ? [new URL(paymentUrl).origin] : [],
    ),
  };
}

function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

export async function requestScript(
  url: string,
): Promise<{ readonly result: RequestResult; readonly code?: string }> {
  const answer = await request(url);
  if (!answer.response) return { result: { url, ...toFailure(answer.errorCode) } };
  const { response, text } = answer;
  return {
    ...(response.ok && { code: text }),
    result: {
      url,
      status: response.status,
      mediaType: parseMediaType(response.headers.get('Content-Type')),
    },
  };
}

/** Returns the integrity hash of the current script, if the endpoint publishes it. */
export async function requestCurrentIntegrity(endpointUrl: string): Promise<string | undefined> {
  const answer = await request(`${endpointUrl}embed.json`);
  if (!answer.response?.ok) return undefined;
  return (parseObject(answer.text) as { readonly integrity?: string }).integrity;
}

function toFailure(errorCode: string): Pick<RequestResult, 'failure' | 'errorCode'> {
  return { failure: 'no-response', errorCode };
}
