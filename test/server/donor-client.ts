import { randomBytes } from 'node:crypto';
import type { DonationOutcome } from '../../src/core/schemas/donation-outcome.ts';
import type { DonationRequest } from '../../src/core/schemas/donation-request.ts';
import { CARDS } from '../../src/sandbox/stripe/test-payment-methods.ts';
import type { Endpoint } from '../../src/server/endpoint.ts';
import { outcome } from '../response-schemas.ts';
import { type Sandbox, SANDBOX_URL } from './sandbox-records.ts';
import { createConfirmationToken } from './sandbox-stripe.ts';

export const ORIGIN = 'https://lanternwell.example';

export const createIdempotencyKey = (): string => randomBytes(18).toString('base64url');

/** @throws {Error} if the response is a problem. Its message contains the problem. */
export async function readOutcome(response: Response): Promise<DonationOutcome> {
  const text = await response.text();
  const { data, error } = outcome.safeParse(JSON.parse(text));
  if (error) throw new Error(`${response.status} ${text}`, { cause: error });
  return data;
}

interface RequestChanges extends Record<string, unknown> {
  readonly gift?: Partial<DonationRequest['gift']>;
  readonly donor?: Partial<DonationRequest['donor']>;
  readonly card?: string;
}

export interface PostOptions {
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string | undefined;
}

/** Requests that a page or its script sends. */
export interface DonorClient {
  readonly etag: string;
  /** Creates a confirmation token as Stripe.js does. */
  createToken(card?: string, options?: { readonly isRecurring?: boolean }): Promise<string>;
  createRequest(changes?: RequestChanges): Promise<DonationRequest>;
  /** Sends a request to the public listener. @param address the client's IP address. */
  fetch(path: string, init?: RequestInit, address?: string): Promise<Response>;
  /** Sends JSON, or text as it is, with the headers of the form. A key of null sends none. */
  postJson(path: string, body: unknown, options?: PostOptions): Promise<Response>;
  postDonation(body: unknown, options?: PostOptions): Promise<Response>;
  /** Creates and posts a donation, and reads its outcome. */
  submitDonation(changes?: RequestChanges, key?: string): Promise<DonationOutcome>;
  fetchOutcome(key: string, address?: string): Promise<Response>;
  pollOutcome(key: string): Promise<DonationOutcome>;
  readonly confirm: (key: string) => Promise<DonationOutcome>;
  readonly cancel: (key: string) => Promise<DonationOutcome>;
}

export function createDonorClient(
  { fetch: handle }: Pick<Endpoint, 'fetch'>,
  etag: string,
  sandbox: Sandbox,
): DonorClient {
  const createToken: DonorClient['createToken'] = async (
    card = CARDS.good,
    { isRecurring = false } = {},
  ) => createConfirmationToken(SANDBOX_URL, { card, isRecurring, fetch: sandbox.fetch });
  const send: DonorClient['fetch'] = async (path, init, address) =>
    handle(new Request(`https://give.example${path}`, init), { address });
  const postJson: DonorClient['postJson'] = (
    path,
    body,
    { key = createIdempotencyKey(), headers = {}, address } = {},
  ) =>
    send(
      path,
      {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: {
          'Content-Type': 'application/json',
          Origin: ORIGIN,
          ...(key !== null && { 'Idempotency-Key': key }),
          ...headers,
        },
      },
      address,
    );
  const client: DonorClient = {
    etag,
    createToken,
    async createRequest({ gift, donor, card, ...rest } = {}) {
      const { payment } = rest as { payment?: { provider: string } };
      const isOffline = payment?.provider === 'offline';
      return {
        version: 1,
        definition: etag,
        gift: {
          amount: 5_000,
          currency: 'USD',
          frequency: 'once',
          coverCosts: !isOffline,
          coveredFees: isOffline ? 0 : 181,
          total: isOffline ? 5_000 : 5_181,
          segment: 'MAIL26',
          projects: [{ id: '2', amount: 5_000 }],
          ...gift,
        },
        donor: { firstName: 'Ana', lastName: 'Souza', email: 'canary@example.org', ...donor },
        payment: {
          provider: 'stripe',
          method: 0,
          token: await createToken(card, {
            isRecurring: (gift?.frequency ?? 'once') !== 'once',
          }),
        },
        form: { id: 'main', page: `${ORIGIN}/give`, language: 'en' },
        ...rest,
      };
    },
    fetch: send,
    postJson,
    postDonation: (body, options) => postJson('/donations', body, options),
    fetchOutcome: (key, address) =>
      send('/donations', { headers: { Origin: ORIGIN, 'Idempotency-Key': key } }, address),
    submitDonation: async (changes, key = createIdempotencyKey()) =>
      readOutcome(await client.postDonation(await client.createRequest(changes), { key })),
    pollOutcome: async (key) => readOutcome(await client.fetchOutcome(key)),
    confirm: async (key) => readOutcome(await postJson('/donations/confirm', {}, { key })),
    cancel: async (key) => readOutcome(await postJson('/donations/cancel', {}, { key })),
  };
  return client;
}
