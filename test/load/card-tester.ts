import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Challenge } from 'altcha-lib/types';
import { listen } from '../../src/server/http/listen.ts';
import { CARDS, ORIGIN, openDesk, type Desk } from '../server/support.ts';
import { solved } from './solve.ts';

export interface CardTesterOptions {
  /** Whether the tester solves the challenges, as a program that drives a browser would. */
  readonly solves: boolean;
  readonly attempts?: number;
  /** How many addresses they come from, in turn. */
  readonly addresses?: number;
  /**
   * Over how many seconds they are spread. Less than the ten minutes over which the guard counts
   * makes no difference to it, but for what is under way at once.
   */
  readonly seconds?: number;
  /**
   * How many donors with good cards give meanwhile, each once from an address of their own, by a
   * browser that solves what it is asked.
   */
  readonly donors?: number;
}

/** What came of it. */
export interface CardTesterResult {
  readonly attempts: number;
  /** How many of the tester's cards the processor was asked about. */
  readonly reached: number;
  /** How many were refused for want of a proof of work, and how many for good. */
  readonly challenged: number;
  readonly refused: number;
  /** How many proofs the tester made. */
  readonly solved: number;
  readonly donors: number;
  /** How many donors' gifts were taken. */
  readonly passed: number;
  readonly seconds: number;
}

/**
 * How many attempts a tester has under way at once: who makes proofs on one machine gains nothing
 * by more.
 */
const AT_ONCE = 16;

/**
 * Tries cards at a server over real sockets, behind one proxy as far as it knows, while honest
 * donors give there. The sandbox's processor says what reached it.
 */
export async function tryCards({
  solves,
  attempts = 2_000,
  addresses = 200,
  seconds = 300,
  donors = 20,
}: CardTesterOptions): Promise<CardTesterResult> {
  await using desk = await openDesk({ trustedProxies: 1 });
  const server = await listen(desk.handler.fetch, { host: '127.0.0.1', port: 0 });
  const began = performance.now();
  const count = { challenged: 0, refused: 0, solved: 0, reached: 0, passed: 0 };
  const isReached = (status: number): boolean => status === 402 || status === 200 || status === 202;

  const tester = async (index: number): Promise<void> => {
    await setTimeout(Math.max(began + (seconds * 1_000 * index) / attempts - performance.now(), 0));
    const from = `198.51.${(index % addresses) >> 8}.${(index % addresses) & 255}`;
    const card = new Card(desk, server.url, from, `tester${index}@example.org`, CARDS.declined);
    let status = await card.give();
    if (status === 403) count.challenged += 1;
    if (status === 403 && solves) {
      const proof = await card.prove();
      if (proof !== undefined) count.solved += 1;
      status = await card.give(proof);
    }
    if (status === 429) count.refused += 1;
    if (isReached(status)) count.reached += 1;
  };
  const donor = async (index: number): Promise<void> => {
    await setTimeout((seconds * 1_000 * (index + 0.5)) / donors);
    const card = new Card(
      desk,
      server.url,
      `203.0.113.${index}`,
      `donor${index}@example.org`,
      CARDS.good,
    );
    const first = await card.give();
    if ((first === 403 ? await card.give(await card.prove()) : first) === 200) count.passed += 1;
  };
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < attempts) await tester(next++);
  };
  await Promise.all([
    ...Array.from({ length: AT_ONCE }, worker),
    ...Array.from({ length: donors }, (_, index) => donor(index)),
  ]);
  await server.close();
  return { attempts, donors, ...count, seconds: (performance.now() - began) / 1_000 };
}

/** Somebody with a card, at an address. All tries have one key. */
class Card {
  readonly #key = randomBytes(18).toString('base64url');
  readonly #headers: Readonly<Record<string, string>>;
  readonly #desk: Desk;
  readonly #server: string;
  readonly #email: string;
  readonly #number: string;

  constructor(desk: Desk, server: string, address: string, email: string, number: string) {
    this.#desk = desk;
    this.#server = server;
    this.#email = email;
    this.#number = number;
    this.#headers = { Origin: ORIGIN, 'X-Forwarded-For': address };
  }

  /** @returns the status. */
  async give(proof?: string): Promise<number> {
    const body = JSON.stringify(
      await this.#desk.request({ card: this.#number, donor: { email: this.#email } }),
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

  async prove(): Promise<string | undefined> {
    const response = await fetch(`${this.#server}/challenge?form=main&required=true`, {
      headers: this.#headers,
    });
    return response.status === 200 ? solved((await response.json()) as Challenge) : undefined;
  }
}

if (import.meta.main) {
  const seconds = Number(process.argv[2] ?? 300);
  for (const solves of process.argv[3] === 'solves' ? [true] : [false, true])
    console.log(JSON.stringify({ solves, ...(await tryCards({ solves, seconds })) }));
}
