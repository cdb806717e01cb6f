import { randomInt } from 'node:crypto';
import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { z } from 'zod';
import type { GetDailySecret } from './daily-secret.ts';
import { createRateCounter, type SharedCounterOptions } from './rate-counter.ts';
import { CHALLENGE_COST, CHALLENGE_LIFETIME, type ChallengeCost } from './thresholds.ts';

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
export function createChallenges(
  getSecret: GetDailySecret,
  sharedCounts: SharedCounterOptions | undefined,
  now: () => number,
  cost: ChallengeCost = CHALLENGE_COST,
) {
  const usedChallenges = createRateCounter('used', CHALLENGE_LIFETIME, sharedCounts);
  /** Derives the secrets from the day on which the challenge was issued. */
  const getSigningSecrets = async (expiresAt: number) => {
    const secret = await getSecret((expiresAt - CHALLENGE_LIFETIME) * 1_000);
    return {
      hmacSignatureSecret: `challenge ${secret}`,
      hmacKeySignatureSecret: `solution ${secret}`,
    };
  };
  return {
    createChallenge: async (): Promise<Challenge> => {
      const expiresAt = Math.floor(now() / 1_000) + CHALLENGE_LIFETIME;
      return createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost: cost.rounds,
        counter: randomInt(cost.minTries, cost.maxTries + 1),
        deriveKey,
        expiresAt,
        ...(await getSigningSecrets(expiresAt)),
      });
    },

    /**
     * Returns true for the first valid solution to a challenge of any server with this database.
     * @param header untrusted base64-encoded JSON.
     */
    redeemSolution: async (header: string | undefined): Promise<boolean> => {
      const given = parseSolutionHeader(header);
      if (!given) return false;
      const { challenge, solution } = given;
      const left = challenge.parameters.expiresAt - now() / 1_000;
      if (left < 0 || left > CHALLENGE_LIFETIME + MAX_CLOCK_SKEW) return false;
      try {
        const { verified } = await verifySolution({
          challenge: challenge as unknown as Challenge,
          solution: solution as Parameters<typeof verifySolution>[0]['solution'],
          deriveKey,
          ...(await getSigningSecrets(challenge.parameters.expiresAt)),
        });
        return verified && (await usedChallenges.add(challenge.signature, 1)).count === 1;
      } catch {
        return false;
      }
    },
  };
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
