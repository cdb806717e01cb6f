import type { PaymentGateway } from '../../../src/server/payments/payment-gateway.ts';
import { createPayPalGateway } from '../../../src/server/payments/paypal/paypal-gateway.ts';
import { createCheckedFetch } from '../../contract/paypal/checked-fetch.ts';

/** A response of {@link ScriptedPayPal}: a status and a body, or a network error. */
export type Answer = readonly [status: number, body?: object] | Error;

interface ScriptedCall {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: unknown;
}

const TOKEN = {
  access_token: 'A21AAF',
  token_type: 'Bearer',
  scope: 'https://uri.paypal.com/services/payments/payment',
  app_id: 'APP-80W284485P519543T',
  expires_in: 32_400,
  nonce: '2026-11-23T00:00:00Z',
};

/**
 * Responds to calls with the given bodies, in order, and checks the calls against PayPal's OpenAPI
 * files.
 */
export class ScriptedPayPal {
  readonly calls: ScriptedCall[] = [];
  readonly answers: Answer[];
  tokenAnswers: Answer[] = [];
  readonly #checked = createCheckedFetch({
    baseUrl: 'https://api-m.sandbox.paypal.com',
    send: (input) => this.#respondTo(input as Request),
  });
  tokenRequests = 0;

  constructor(...answers: Answer[]) {
    this.answers = answers;
  }

  readonly fetch = this.#checked.fetch;

  /** Problems found in the requests. Problems in the given responses do not count. */
  get problems(): string[] {
    return this.#checked.problems.filter((problem) => !/: \d{3}: /.test(problem));
  }

  async #respondTo(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    if (pathname === '/v1/oauth2/token') {
      this.tokenRequests += 1;
      return toResponse(this.tokenAnswers.shift() ?? [200, TOKEN]);
    }
    const text = await request.text();
    this.calls.push({
      method: request.method,
      path: pathname + search,
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
    });
    const answer = this.answers.shift();
    if (!answer) throw new Error(`no answer for ${request.method} ${pathname}`);
    return toResponse(answer);
  }
}

function toResponse(answer: Answer): Response {
  if (answer instanceof Error) throw answer;
  const [status, body] = answer;
  return body === undefined ? new Response(null, { status }) : Response.json(body, { status });
}

/** Builds the body of an error in PayPal's format. */
export function createErrorBody(issue: string, name = 'UNPROCESSABLE_ENTITY'): object {
  return {
    name,
    message: 'The requested action could not be performed.',
    debug_id: '90957fca61718',
    details: [{ issue, description: 'A description.' }],
  };
}

export const createGateway = (paypal: ScriptedPayPal, now?: () => number): PaymentGateway =>
  createPayPalGateway({
    clientId: 'client',
    clientSecret: 'secret',
    environment: 'sandbox',
    fetch: paypal.fetch,
    now,
  });
