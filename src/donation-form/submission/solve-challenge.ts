import { solveChallenge as solveAltchaChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';
import type { Challenge } from 'altcha-lib/types';
import { stringifyJson } from '../page/stringify-json.ts';

/** Milliseconds. A slow phone takes 2 seconds. */
const MAX_DURATION = 30_000;

export interface SolvedChallenge {
  /** Challenge and solution as base64-encoded JSON. */
  readonly proof: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/**
 * Browsers compute PBKDF2 off the main thread, without a worker, which a strict policy would block.
 */
export async function solveChallenge(challengeJson: object): Promise<SolvedChallenge | undefined> {
  const challenge = challengeJson as Challenge;
  const solution = await solveAltchaChallenge({ challenge, deriveKey, timeout: MAX_DURATION });
  return solution
    ? {
        proof: btoa(stringifyJson({ challenge, solution })),
        expiresAt: (challenge.parameters.expiresAt ?? 0) * 1_000,
      }
    : undefined;
}
