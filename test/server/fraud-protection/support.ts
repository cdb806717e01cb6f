import assert from 'node:assert/strict';
import type { Challenge } from 'altcha-lib/types';
import type { DonationRequest } from '../../../src/core/schemas/donation-request.ts';
import { createChallengeSolution } from '../../load/solve-challenge.ts';
import { CARDS, ORIGIN, createIdempotencyKey, type TestServer } from '../support.ts';

/** IP address of a donor, from a range reserved for documentation. */
export const CLIENT_ADDRESS = '203.0.113.9';

let donorCount = 0;

export interface DonationAttempt {
  /** The client's IP address; `undefined` if it is unknown. */
  readonly clientAddress?: string | undefined;
  readonly card?: string;
  /** Default: the email of a new donor. */
  readonly email?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Partial<DonationRequest['form']>;
}

/** Donates from an IP address. Returns the response, and its status with the code or outcome. */
export async function attemptDonation(
  server: TestServer,
  {
    clientAddress: address = CLIENT_ADDRESS,
    card = CARDS.good,
    email = `${(donorCount += 1)}@example.org`,
    key = createIdempotencyKey(),
    headers = {},
    form,
  }: DonationAttempt = {},
): Promise<{ result: string; response: Response }> {
  const request = await server.createRequest({ card, donor: { email } });
  const response = await server.handler.fetch(
    new Request('https://give.example/donations', {
      method: 'POST',
      body: JSON.stringify({ ...request, form: { ...request.form, ...form } }),
      headers: {
        'Content-Type': 'application/json',
        Origin: ORIGIN,
        'Idempotency-Key': key,
        ...headers,
      },
    }),
    { address },
  );
  const { code, status } = (await response.clone().json()) as {
    code?: string;
    status?: string | number;
  };
  return { result: `${response.status} ${code ?? status}`, response };
}

/** Fetches the challenge for an IP address. */
export async function fetchChallenge(
  server: TestServer,
  address: string | undefined,
  query = 'form=main',
): Promise<Challenge | undefined> {
  const response = await server.handler.fetch(
    new Request(`https://give.example/challenge?${query}`, { headers: { Origin: ORIGIN } }),
    { address },
  );
  assert.ok([200, 204].includes(response.status), String(response.status));
  assert.equal(response.headers.get('Cache-Control'), 'no-store');
  return response.status === 200 ? ((await response.json()) as Challenge) : undefined;
}

/** Creates the header with a proof of work, as a browser does after a rejected donation. */
export async function createSolutionHeader(
  server: TestServer,
  address: string | undefined = CLIENT_ADDRESS,
): Promise<Record<string, string>> {
  return {
    'Challenge-Solution': await createChallengeSolution(
      (await fetchChallenge(server, address, 'form=main&required=true'))!,
    ),
  };
}

/** Creates headers with different proofs of work. */
export async function createSolutionHeaders(
  server: TestServer,
  count: number,
): Promise<Record<string, string>[]> {
  const headers: Record<string, string>[] = [];
  while (headers.length < count) headers.push(await createSolutionHeader(server));
  return headers;
}

/** Sends donations concurrently and counts the results. */
export async function donateConcurrently(
  server: TestServer,
  gifts: readonly DonationAttempt[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  await Promise.all(
    gifts.map(async (gift) => {
      const { result } = await attemptDonation(server, gift);
      counts[result] = (counts[result] ?? 0) + 1;
    }),
  );
  return counts;
}

/** Causes declines, each with a different IP address and donor. */
export async function declineCards(server: TestServer, declines: number): Promise<void> {
  for (let index = 0; index < declines; index += 1)
    assert.equal(
      (
        await attemptDonation(server, {
          clientAddress: `198.51.100.${index}`,
          card: CARDS.declined,
        })
      ).result,
      '402 failed',
    );
}
