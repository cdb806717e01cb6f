import assert from 'node:assert/strict';
import type { Challenge } from 'altcha-lib/types';
import type { DonationRequest } from '../../../src/core/schemas/donation-request.ts';
import { createChallengeSolution } from '../../load/solve-challenge.ts';
import { CARDS, ORIGIN, type TestServer } from '../support.ts';

/** IP address of a donor, from a range reserved for documentation. */
export const CLIENT_ADDRESS = '203.0.113.9';

let donorCount = 0;

export interface DonationAttempt {
  /** The client's IP address; null if it is unknown. */
  readonly clientAddress?: string | null;
  readonly card?: string;
  /** Default: the email of a new donor. */
  readonly email?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly form?: Partial<DonationRequest['form']>;
}

export async function sendDonation(
  server: TestServer,
  {
    clientAddress: address = CLIENT_ADDRESS,
    card = CARDS.good,
    email = `${(donorCount += 1)}@example.org`,
    form,
    ...options
  }: DonationAttempt = {},
): Promise<Response> {
  const request = await server.createRequest({ card, donor: { email } });
  const body = { ...request, form: { ...request.form, ...form } };
  return server.postDonation(body, { ...options, address: address ?? undefined });
}

/** Donates, and returns the status with the code or outcome, such as `402 failed`. */
export async function attemptDonation(
  server: TestServer,
  attempt?: DonationAttempt,
): Promise<string> {
  const response = await sendDonation(server, attempt);
  const { code, status } = (await response.json()) as { code?: string; status?: string | number };
  return `${response.status} ${code ?? status}`;
}

export async function fetchChallenge(
  server: TestServer,
  address: string | undefined,
  query = 'form=main',
): Promise<Challenge | undefined> {
  const path = `/challenge?${query}`;
  const response = await server.fetch(path, { headers: { Origin: ORIGIN } }, address);
  assert.ok([200, 204].includes(response.status), String(response.status));
  assert.equal(response.headers.get('Cache-Control'), 'no-store');
  return response.status === 200 ? ((await response.json()) as Challenge) : undefined;
}

/** Creates the header with a proof of work, as a browser does after a rejected donation. */
export async function createSolutionHeader(
  server: TestServer,
  address: string | undefined = CLIENT_ADDRESS,
): Promise<Record<string, string>> {
  const challenge = await fetchChallenge(server, address, 'form=main&required=true');
  return { 'Challenge-Solution': await createChallengeSolution(challenge!) };
}

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
  attempts: readonly DonationAttempt[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const result of await Promise.all(attempts.map((one) => attemptDonation(server, one))))
    counts[result] = (counts[result] ?? 0) + 1;
  return counts;
}

/** Declines a card repeatedly, by default from a different IP address each time. */
export async function declineCards(
  server: TestServer,
  declines: number,
  getAddress = (index: number): string => `198.51.100.${index}`,
): Promise<void> {
  for (let index = 0; index < declines; index += 1) {
    const attempt = { clientAddress: getAddress(index), card: CARDS.declined };
    assert.equal(await attemptDonation(server, attempt), '402 failed');
  }
}
