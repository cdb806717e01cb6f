import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Challenge } from 'altcha-lib/types';
import { listen } from '../../src/server/http/listen.ts';
import { CARDS, ORIGIN, startServer, type TestServer } from '../server/support.ts';
import { createChallengeSolution } from './solve-challenge.ts';

export interface CardTesterOptions {
  /** True if the tester solves challenges, as a program that drives a browser does. */
  readonly solvesChallenges: boolean;
  readonly attempts?: number;
  /** Number of IP addresses, used in turn. */
  readonly addresses?: number;
  /**
   * Seconds over which the attempts are spread. The fraud protection counts over ten minutes, so a
   * shorter time only increases concurrency.
   */
  readonly seconds?: number;
  /** Number of honest donors meanwhile, each with a valid card, an IP address, and a browser. */
  readonly donors?: number;
}

export interface CardTesterResult {
  readonly attempts: number;
  /** Number of the tester's cards that reached the payment provider. */
  readonly reached: number;
  /** Number of attempts that required a proof of work. */
  readonly challenged: number;
  /** Number of attempts that were rejected with 429. */
  readonly rejected: number;
  /** Number of challenges that the tester solved. */
  readonly solved: number;
  readonly donors: number;
  /** Number of donors who completed their donation. */
  readonly passed: number;
  readonly seconds: number;
}

/** More would not help a tester who solves challenges on one machine. */
const MAX_CONCURRENT_ATTEMPTS = 16;

/**
 * Tests declined cards on a server with one trusted proxy, over real sockets, while honest donors
 * make donations.
 */
export async function simulateCardTesting({
  solvesChallenges,
  attempts = 2_000,
  addresses = 200,
  seconds = 300,
  donors = 20,
}: CardTesterOptions): Promise<CardTesterResult> {
  await using desk = await startServer({ trustedProxies: 1 });
  const server = await listen(desk.handler.fetch, { host: '127.0.0.1', port: 0 });
  const start = performance.now();
  const count = { challenged: 0, rejected: 0, solved: 0, reached: 0, passed: 0 };
  const reachesProcessor = (status: number): boolean =>
    status === 402 || status === 200 || status === 202;

  const tryStolenCard = async (index: number): Promise<void> => {
    await setTimeout(Math.max(start + (seconds * 1_000 * index) / attempts - performance.now(), 0));
    const address = `198.51.${(index % addresses) >> 8}.${(index % addresses) & 255}`;
    const client = new Client(
      desk,
      server.url,
      address,
      `tester${index}@example.org`,
      CARDS.declined,
    );
    let status = await client.submit();
    if (status === 403) count.challenged += 1;
    if (status === 403 && solvesChallenges) {
      const proof = await client.solveChallenge();
      if (proof !== undefined) count.solved += 1;
      status = await client.submit(proof);
    }
    if (status === 429) count.rejected += 1;
    if (reachesProcessor(status)) count.reached += 1;
  };
  const donateAsRealDonor = async (index: number): Promise<void> => {
    await setTimeout((seconds * 1_000 * (index + 0.5)) / donors);
    const client = new Client(
      desk,
      server.url,
      `203.0.113.${index}`,
      `donor${index}@example.org`,
      CARDS.good,
    );
    const first = await client.submit();
    if ((first === 403 ? await client.submit(await client.solveChallenge()) : first) === 200)
      count.passed += 1;
  };
  let next = 0;
  const runWorker = async (): Promise<void> => {
    while (next < attempts) await tryStolenCard(next++);
  };
  await Promise.all([
    ...Array.from({ length: MAX_CONCURRENT_ATTEMPTS }, runWorker),
    ...Array.from({ length: donors }, (_, index) => donateAsRealDonor(index)),
  ]);
  await server.close();
  return { attempts, donors, ...count, seconds: (performance.now() - start) / 1_000 };
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

if (import.meta.main) {
  const seconds = Number(process.argv[2] ?? 300);
  for (const solvesChallenges of process.argv[3] === 'solves' ? [true] : [false, true]) {
    const result = await simulateCardTesting({ solvesChallenges, seconds });
    console.log(JSON.stringify({ solvesChallenges, ...result }));
  }
}
