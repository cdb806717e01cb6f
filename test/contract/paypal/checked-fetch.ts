import { PayPalSpecification } from './specification.ts';

export interface CheckedFetch {
  readonly fetch: typeof globalThis.fetch;
  /** Errors so far, each with its call and the wrong part. */
  readonly problems: readonly string[];
  /** Number of checked calls by operation and status, such as `POST /v2/checkout/orders 201`. */
  readonly calls: ReadonlyMap<string, number>;
}

/** Paths of the API, except those of certificates, which are files. */
const API_PATH = /^\/v\d\/(?!notifications\/certs\/)/;

let sharedSpecification: PayPalSpecification | undefined;

/** Returns the specification of this process: reading and compiling the files takes seconds. */
export function getSpecification(): PayPalSpecification {
  sharedSpecification ??= new PayPalSpecification();
  return sharedSpecification;
}

/**
 * Wraps `fetch` to check every call and its response against PayPal's OpenAPI files. Calls still
 * reach the server, and their responses are returned unchanged.
 * @param options.baseUrl URL of the API, to which other calls are not checked.
 */
export function createCheckedFetch({
  baseUrl,
  send = globalThis.fetch,
}: {
  readonly baseUrl: string;
  readonly send?: typeof globalThis.fetch;
}): CheckedFetch {
  const specification = getSpecification();
  const problems: string[] = [];
  const calls = new Map<string, number>();
  return {
    problems,
    calls,
    async fetch(input, init) {
      const request = new Request(input, init);
      const apiUrl = request.url.startsWith(`${baseUrl}/`)
        ? request.url.slice(baseUrl.length)
        : undefined;
      if (apiUrl === undefined || !API_PATH.test(apiUrl)) return send(request);
      const { method, headers } = request;
      const body = await request.clone().text();
      const checked = { method, url: apiUrl, headers, body };
      const recordProblems = (errors: readonly string[]): void => {
        problems.push(...errors.map((error) => `${method} ${apiUrl}: ${error}`));
      };
      recordProblems(specification.checkRequest(checked));
      const response = await send(request);
      const text = await response.clone().text();
      recordProblems(
        specification
          .checkResponse(checked, {
            status: response.status,
            headers: response.headers,
            body: text,
          })
          .map((error) => `${response.status}: ${error}`),
      );
      const name = `${specification.findOperation(method, apiUrl) ?? `${method} ${apiUrl}`} ${response.status}`;
      calls.set(name, (calls.get(name) ?? 0) + 1);
      return response;
    },
  };
}
