import type { FormDefinition, ProblemDetails } from '@donation-form/core/schemas';
import type { FieldFiles } from '../page/preload.ts';

const TIMEOUT = 15_000;

export class FormResponseError extends Error {
  readonly status: number;
  /** Absent if the response is not a problem document (RFC 9457). */
  readonly problem: Partial<ProblemDetails> | undefined;

  constructor(url: string, status: number, problem: Partial<ProblemDetails> | undefined) {
    super(`${url} returned status ${status}.`);
    this.status = status;
    this.problem = problem;
  }
}

interface FormResponse {
  readonly definition: FormDefinition;
  readonly etag: string;
  /** Present in `/embed/FORM.js` if the form shows a payment field at once. */
  readonly fieldFiles?: FieldFiles;
}

/** Key of the global object with the definition in `/embed/FORM.js`, by the URL of `GET /form`. */
const EMBEDDED_KEY = Symbol.for('donation-form definitions');

/** @throws {FormResponseError} if the response is not a form definition. */
export async function fetchForm(
  endpointUrl: string,
  id: string | undefined,
  language: string,
): Promise<FormResponse> {
  const url = new URL(
    `form?${new URLSearchParams({ ...(id !== undefined && { id }), language })}`,
    endpointUrl,
  ).href;
  const embeddedResponse = (
    globalThis as { [EMBEDDED_KEY]?: Record<string, FormResponse | undefined> }
  )[EMBEDDED_KEY]?.[url];
  if (embeddedResponse) return embeddedResponse;
  const response = await fetch(url, {
    credentials: 'omit',
    signal: AbortSignal.timeout(TIMEOUT),
  });
  const etag = response.headers.get('ETag');
  const body = (await response.json().catch(() => undefined)) as
    FormDefinition | ProblemDetails | undefined;
  if (!response.ok || etag === null || !body || !('currencies' in body))
    throw new FormResponseError(url, response.status, body as ProblemDetails | undefined);
  return { definition: body, etag };
}
