import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { Challenge } from 'altcha-lib/types';

/** Milliseconds after which a challenge is given up: it takes a slow phone two seconds. */
const LONGEST = 30_000;

/** A challenge that was solved. */
export interface SolvedChallenge {
  /** Challenge and solution, JSON in base64. */
  readonly proof: string;
  /** When it ends, in milliseconds since 1970. */
  readonly until: number;
}

/**
 * Solves a challenge: PBKDF2, which the browser computes beside the page, without a worker of ours
 * that strict policies forbid.
 * @returns `undefined` where that takes too long.
 */
export async function createProof(given: object): Promise<SolvedChallenge | undefined> {
  const challenge = given as Challenge;
  const solution = await solveChallenge({ challenge, deriveKey, timeout: LONGEST });
  return solution
    ? {
        proof: btoa(JSON.stringify({ challenge, solution })),
        until: (challenge.parameters.expiresAt ?? 0) * 1_000,
      }
    : undefined;
}
