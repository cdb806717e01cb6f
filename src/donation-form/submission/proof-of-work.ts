import type { SolvedChallenge } from './solve-challenge.ts';

const TIMEOUT = 5_000;
/** Milliseconds for the difference to the server's clock. */
const EXPIRY_MARGIN = 60_000;

/** Computes the proof that the endpoint requires during suspected card testing, in advance. */
export class ProofOfWork {
  readonly #challengeUrl: string;
  #solved: Promise<SolvedChallenge | undefined> = Promise.resolve(undefined);

  constructor(endpointUrl: string, formId: string) {
    this.#challengeUrl = `${endpointUrl}challenge?form=${encodeURIComponent(formId)}`;
  }

  prepareProof(): void {
    this.#solved = this.#solved.then((solved) =>
      isUsable(solved) ? solved : computeProof(this.#challengeUrl),
    );
  }

  /** Returns the proof and discards it, because each proof is valid only once. */
  async consumeProof(): Promise<string | undefined> {
    const pending = this.#solved;
    this.#solved = Promise.resolve(undefined);
    const solved = await pending;
    return isUsable(solved) ? solved.proof : undefined;
  }

  async createRequiredProof(): Promise<string | undefined> {
    return (await computeProof(`${this.#challengeUrl}&required=true`))?.proof;
  }
}

function isUsable(solved: SolvedChallenge | undefined): solved is SolvedChallenge {
  return solved !== undefined && Date.now() < solved.expiresAt - EXPIRY_MARGIN;
}

async function computeProof(url: string): Promise<SolvedChallenge | undefined> {
  try {
    const response = await fetch(url, {
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT),
    });
    return response.status === 200
      ? await (
          await import('./solve-challenge.ts')
        ).solveChallenge((await response.json()) as object)
      : undefined;
  } catch {
    return undefined;
  }
}
