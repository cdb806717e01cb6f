import { randomBytes } from 'node:crypto';
import type { DonationRequest } from '../../src/core/schemas/donation-request.ts';
import { CARDS } from '../../src/sandbox/stripe/test-payment-methods.ts';
import type { Endpoint } from '../../src/server/endpoint.ts';
import { createConfirmationToken } from './sandbox-stripe.ts';
import { SANDBOX_URL, type Sandbox } from './sandbox-records.ts';

export const ORIGIN = 'https://lanternwell.example';

export const createIdempotencyKey = (): string => randomBytes(18).toString('base64url');

/** Requests that a page or its script sends. */
export interface DonorClient {
  readonly etag: string;
  /** Creates a confirmation token as Stripe.js does. */
  createToken(card?: string, options?: { readonly isRecurring?: boolean }): Promise<string>;
  createRequest(
    changes?: {
      gift?: Partial<DonationRequest['gift']>;
      donor?: Partial<DonationRequest['donor']>;
      card?: string;
    } & Record<string, unknown>,
  ): Promise<DonationRequest>;
  postDonation(
    body: unknown,
    options?: { key?: string | null; headers?: Record<string, string> },
  ): Promise<Response>;
  fetchOutcome(key: string): Promise<Response>;
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
  return {
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
    async postDonation(body, { key = createIdempotencyKey(), headers = {} } = {}) {
      return handle(
        new Request('https://give.example/donations', {
          method: 'POST',
          body: typeof body === 'string' ? body : JSON.stringify(body),
          headers: {
            'Content-Type': 'application/json',
            Origin: ORIGIN,
            ...(key !== null && { 'Idempotency-Key': key }),
            ...headers,
          },
        }),
      );
    },
    async fetchOutcome(key) {
      return handle(
        new Request('https://give.example/donations', {
          headers: { Origin: ORIGIN, 'Idempotency-Key': key },
        }),
      );
    },
  };
}
