import { randomInt } from 'node:crypto';
import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { z } from 'zod';
import { createRateCounter, type RateCounter, type SharedCounterOptions } from './rate-counter.ts';
import { CHALLENGE_COST, CHALLENGE_LIFETIME, type ChallengeCost } from './thresholds.ts';
import type { DailySecrets } from './daily-secret.ts';

export type Challenge = Awaited<ReturnType<typeof createChallenge>>;

const MAX_SOLUTION_LENGTH = 2_000;
/** Maximum clock difference between servers, in seconds. */
const MAX_CLOCK_SKEW = 60;

/**
 * The `Challenge-Solution` header, with only the fields used here. The library verifies the
 * signature.
 */
const solutionHeader = z.object({
  challenge: z.looseObject({
    parameters: z.looseObject({ expiresAt: z.int().positive() }),
    signature: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  solution: z.object({ counter: z.int(), derivedKey: z.string(), time: z.number().optional() }),
});

/** Any client can solve a challenge, but each challenge is accepted only once. */
export class Challenges {
  readonly #secrets: DailySecrets;
  readonly #usedChallenges: RateCounter;
  readonly #cost: ChallengeCost;
  readonly #now: () => number;

  constructor(
    secrets: DailySecrets,
    sharedCounts: SharedCounterOptions | undefined,
    now: () => number,
    cost: ChallengeCost = CHALLENGE_COST,
  ) {
    this.#secrets = secrets;
    this.#usedChallenges = createRateCounter('used', CHALLENGE_LIFETIME, sharedCounts);
    this.#cost = cost;
    this.#now = now;
  }

  async createChallenge(): Promise<Challenge> {
    const { rounds, minTries: fewest, maxTries: most } = this.#cost;
    const expiresAt = Math.floor(this.#now() / 1_000) + CHALLENGE_LIFETIME;
    return createChallenge({
      algorithm: 'PBKDF2/SHA-256',
      cost: rounds,
      counter: randomInt(fewest, most + 1),
      deriveKey,
      expiresAt,
      ...(await this.#getSigningSecrets(expiresAt)),
    });
  }

  /**
   * Returns true for the first valid solution to a challenge of any server with this database.
   * @param header untrusted base64-encoded JSON.
   */
  async redeemSolution(header: string | undefined): Promise<boolean> {
    const given = parseSolutionHeader(header);
    if (!given) return false;
    const { challenge, solution } = given;
    const left = challenge.parameters.expiresAt - this.#now() / 1_000;
    if (left < 0 || left > CHALLENGE_LIFETIME + MAX_CLOCK_SKEW) return false;
    try {
      const { verified } = await verifySolution({
        challenge: challenge as unknown as Challenge,
        solution: solution as Parameters<typeof verifySolution>[0]['solution'],
        deriveKey,
        ...(await this.#getSigningSecrets(challenge.parameters.expiresAt)),
      });
      return verified && (await this.#usedChallenges.add(challenge.signature, 1)).count === 1;
    } catch {
      return false;
    }
  }

  /** Derives the secrets from the day on which the challenge was issued. */
  async #getSigningSecrets(expiresAt: number) {
    const secret = await this.#secrets.getSecret((expiresAt - CHALLENGE_LIFETIME) * 1_000);
    return {
      hmacSignatureSecret: `challenge ${secret}`,
      hmacKeySignatureSecret: `solution ${secret}`,
    };
  }
}

function parseSolutionHeader(
  header: string | undefined,
): z.infer<typeof solutionHeader> | undefined {
  if (header === undefined || header.length > MAX_SOLUTION_LENGTH) return undefined;
  try {
    return solutionHeader.safeParse(JSON.parse(Buffer.from(header, 'base64').toString())).data;
  } catch {
    return undefined;
  }
}
