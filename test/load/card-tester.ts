import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Challenge } from 'altcha-lib/types';
import { listen } from '../../src/server/http/listen.ts';
import { CARDS, ORIGIN, startServer, type TestServer } from '../server/support.ts';
import { createChallengeSolution } from './solve-challenge.ts';

const ATTEMPTS = 2_000;
/** Number of the tester's IP addresses, used in turn. */
const ADDRESSES = 200;
/** Seconds over which the attempts are spread. */
const SECONDS = 300;
/** Number of honest donors meanwhile, each with a valid card, an IP address, and a browser. */
const DONORS = 20;
/** More would not help a tester who solves challenges on one machine. */
const MAX_CONCURRENT_ATTEMPTS = 16;

/**
 * Tests declined cards on a server with one trusted proxy, over real sockets, while honest donors
 * make donations.
 * @param solvesChallenges true if the tester solves challenges, as a program that drives a browser does.
 * @returns how many of the tester's cards reached the payment provider, and how many donors completed
 *   their donation.
 */
export async function simulateCardTesting(solvesChallenges: boolean) {
  await using desk = await startServer({ trustedProxies: 1 });
  const server = await listen(desk.handler.fetch, { host: '127.0.0.1', port: 0 });
  const start = performance.now();
  let reached = 0;
  let passed = 0;
  const tryStolenCard = async (index: number): Promise<void> => {
    await setTimeout(Math.max(start + (SECONDS * 1_000 * index) / ATTEMPTS - performance.now(), 0));
    const address = `198.51.${(index % ADDRESSES) >> 8}.${(index % ADDRESSES) & 255}`;
    const email = `tester${index}@example.org`;
    const client = new Client(desk, server.url, address, email, CARDS.declined);
    let status = await client.submit();
    if (status === 403 && solvesChallenges)
      status = await client.submit(await client.solveChallenge());
    if ([200, 202, 402].includes(status)) reached += 1;
  };
  const donateAsRealDonor = async (index: number): Promise<void> => {
    await setTimeout((SECONDS * 1_000 * (index + 0.5)) / DONORS);
    const email = `donor${index}@example.org`;
    const client = new Client(desk, server.url, `203.0.113.${index}`, email, CARDS.good);
    let status = await client.submit();
    if (status === 403) status = await client.submit(await client.solveChallenge());
    if (status === 200) passed += 1;
  };
  let next = 0;
  const runWorker = async (): Promise<void> => {
    while (next < ATTEMPTS) await tryStolenCard(next++);
  };
  await Promise.all([
    ...Array.from({ length: MAX_CONCURRENT_ATTEMPTS }, runWorker),
    ...Array.from({ length: DONORS }, (_, index) => donateAsRealDonor(index)),
  ]);
  await server.close();
  const seconds = (performance.now() - start) / 1_000;
  return { attempts: ATTEMPTS, donors: DONORS, reached, passed, seconds };
}

/** A donor or card tester, who uses one card, IP address, and idempotency key for all attempts. */
class Client {
  readonly #key = randomBytes(18).toString('base64url');
  readonly #headers: Readonly<Record<string, string>>;
  readonly #desk: TestServer;
  readonly #server: string;
  readonly #email: string;
  readonly #number: string;

  constructor(desk: TestServer, server: string, address: string, email: string, number: string) {
    this.#desk = desk;
    this.#server = server;
    this.#email = email;
    this.#number = number;
    this.#headers = { Origin: ORIGIN, 'X-Forwarded-For': address };
  }

  /** @returns the response's status. */
  async submit(proof?: string): Promise<number> {
    const body = JSON.stringify(
      await this.#desk.createRequest({ card: this.#number, donor: { email: this.#email } }),
    );
    const response = await fetch(`${this.#server}/donations`, {
      method: 'POST',
      body,
      headers: {
        ...this.#headers,
        'Content-Type': 'application/json',
        'Idempotency-Key': this.#key,
        ...(proof !== undefined && { 'Challenge-Solution': proof }),
      },
    });
    await response.arrayBuffer();
    return response.status;
  }

  async solveChallenge(): Promise<string | undefined> {
    const response = await fetch(`${this.#server}/challenge?form=main&required=true`, {
      headers: this.#headers,
    });
    return response.status === 200
      ? createChallengeSolution((await response.json()) as Challenge)
      : undefined;
  }
}
