import { randomInt } from 'node:crypto';
import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { z } from 'zod';
import { openCounts, type Counts, type SharedCounts } from './rate-counter.ts';
import { CHALLENGE_COST, CHALLENGE_LIFE, type ChallengeCost } from './thresholds.ts';
import type { DailySecrets } from './daily-secret.ts';

export type Challenge = Awaited<ReturnType<typeof createChallenge>>;

const LONGEST_SOLUTION = 2_000;
/** By how much the clocks of servers may differ, in seconds. */
const CLOCKS_DIFFER = 60;

/**
 * What comes back in the header, JSON in base64. Only the members that are looked at here are
 * described; the library checks the rest against its signature.
 */
const solved = z.object({
  challenge: z.looseObject({
    parameters: z.looseObject({ expiresAt: z.int().positive() }),
    signature: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  solution: z.object({ counter: z.int(), derivedKey: z.string(), time: z.number().optional() }),
});

/** Proofs of work: each is made for nobody in particular, and counts once. */
export class Challenges {
  readonly #secrets: DailySecrets;
  readonly #used: Counts;
  readonly #cost: ChallengeCost;
  readonly #now: () => number;

  constructor({
    secrets,
    cost = CHALLENGE_COST,
    sharedCounts,
    now,
  }: {
    readonly secrets: DailySecrets;
    readonly cost?: ChallengeCost | undefined;
    readonly sharedCounts: SharedCounts | undefined;
    readonly now: () => number;
  }) {
    this.#secrets = secrets;
    this.#used = openCounts('used', CHALLENGE_LIFE, sharedCounts);
    this.#cost = cost;
    this.#now = now;
  }

  async create(): Promise<Challenge> {
    const { rounds, fewest, most } = this.#cost;
    const expiresAt = Math.floor(this.#now() / 1_000) + CHALLENGE_LIFE;
    return createChallenge({
      algorithm: 'PBKDF2/SHA-256',
      cost: rounds,
      counter: randomInt(fewest, most + 1),
      deriveKey,
      expiresAt,
      ...(await this.#signing(expiresAt)),
    });
  }

  /**
   * Whether a challenge of ours was solved, and this is the first time that it is shown.
   * @param header JSON in base64, of anybody's making.
   */
  async isSolved(header: string | undefined): Promise<boolean> {
    const given = read(header);
    if (!given) return false;
    const { challenge, solution } = given;
    const left = challenge.parameters.expiresAt - this.#now() / 1_000;
    if (left < 0 || left > CHALLENGE_LIFE + CLOCKS_DIFFER) return false;
    try {
      const { verified } = await verifySolution({
        challenge: challenge as unknown as Challenge,
        solution: solution as Parameters<typeof verifySolution>[0]['solution'],
        deriveKey,
        ...(await this.#signing(challenge.parameters.expiresAt)),
      });
      return verified && (await this.#used.add(challenge.signature, 1)).count === 1;
    } catch {
      return false;
    }
  }

  /** The secrets of the day on which a challenge was made. */
  async #signing(expiresAt: number) {
    const secret = await this.#secrets.at((expiresAt - CHALLENGE_LIFE) * 1_000);
    return {
      hmacSignatureSecret: `challenge ${secret}`,
      hmacKeySignatureSecret: `solution ${secret}`,
    };
  }
}

function read(header: string | undefined): z.infer<typeof solved> | undefined {
  if (header === undefined || header.length > LONGEST_SOLUTION) return undefined;
  try {
    return solved.safeParse(JSON.parse(Buffer.from(header, 'base64').toString())).data;
  } catch {
    return undefined;
  }
}
