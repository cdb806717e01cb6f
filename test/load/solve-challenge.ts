import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Challenge } from 'altcha-lib/types';

/**
 * Solves a challenge without a browser.
 * @returns the value of the header Challenge-Solution.
 */
export async function createChallengeSolution(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error('the challenge was not solved in 90 seconds');
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}
