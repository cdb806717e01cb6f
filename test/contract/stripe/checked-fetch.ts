import { StripeSpecification } from './specification.ts';
import { loadTypeTable } from './type-table.ts';

type Fetch = (request: Request) => Response | Promise<Response>;

let specification: Promise<StripeSpecification> | undefined;

/** Loads the specification once in each process. */
export const loadSpecification = (): Promise<StripeSpecification> =>
  (specification ??= loadTypeTable().then((table) => new StripeSpecification(table)));

export interface CheckedFetchOptions {
  readonly fetch: Fetch;
  /** Path below which the emulator is mounted, such as `/stripe`. */
  readonly basePath?: string;
  /** Events that the emulator has created so far. */
  readonly listEvents: () => readonly unknown[];
  /**
   * True for tests that send wrong requests. Only those that the emulator accepts are then reported.
   */
  readonly allowsRejectedRequests?: boolean;
}

/**
 * Wraps an emulation of Stripe to check all API calls, responses, and events against the types of
 * the `stripe` package. Calls with a publishable key are not checked: Stripe.js makes them, and
 * Stripe publishes no types for them.
 */
export function createCheckedFetch({
  fetch,
  basePath = '',
  listEvents,
  allowsRejectedRequests = false,
}: CheckedFetchOptions) {
  const problems: string[] = [];
  const calls = new Map<string, number>();
  let checkedEvents = 0;
  return {
    /** Number of checked calls by operation, such as `POST /v1/payment_intents`. */
    calls,
    async fetch(request: Request): Promise<Response> {
      const url = new URL(request.url);
      const { method, headers } = request;
      if (
        !url.pathname.startsWith(`${basePath}/v1/`) ||
        method === 'OPTIONS' ||
        isBrowserCall(headers)
      )
        return fetch(request);
      const checker = await loadSpecification();
      const body = await request.clone().text();
      const response = await fetch(request);
      const { status } = response;
      const path = url.pathname.slice(basePath.length);
      const call = `${method} ${path}`;
      const checkedUrl = `${path}${url.search}`;
      const operation = checker.findOperation(method, checkedUrl) ?? call;
      calls.set(operation, (calls.get(operation) ?? 0) + 1);
      if (!allowsRejectedRequests || response.ok)
        for (const error of checker.checkRequest({ method, url: checkedUrl, headers, body }))
          problems.push(`${call}: request: ${error}`);
      const answer = { status, body: await response.clone().text() };
      for (const error of checker.checkResponse({ method, url: checkedUrl }, answer))
        problems.push(`${call}: response ${status}: ${error}`);
      return response;
    },
    /** Returns the errors so far, each with its call and the wrong part. */
    async listProblems(): Promise<readonly string[]> {
      const events = listEvents();
      const checker = await loadSpecification();
      for (const event of events.slice(checkedEvents)) {
        const { type } = event as { type: string };
        problems.push(...checker.checkEvent(event).map((error) => `event ${type}: ${error}`));
      }
      checkedEvents = events.length;
      return [...new Set(problems)];
    },
  };
}

const isBrowserCall = (headers: Headers): boolean =>
  headers.get('Authorization')?.startsWith('Bearer pk_') === true;
