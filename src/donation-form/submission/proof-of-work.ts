import type { SolvedChallenge } from './solve-challenge.ts';

/** How long the endpoint has to say whether it wants a proof, in milliseconds. */
const PATIENCE = 5_000;
/** How long before its end a proof is not sent any more, in milliseconds: clocks differ. */
const MARGIN = 60_000;

/**
 * The proof of work that an endpoint asks for where somebody may be trying cards. It is made while
 * the donor fills in the form.
 */
export class ProofOfWork {
  readonly #address: string;
  #made: Promise<SolvedChallenge | undefined> = Promise.resolve(undefined);

  /**
   * @param base the endpoint's address, ending in a slash.
   * @param form the id of the form's definition.
   */
  constructor(base: string, form: string) {
    this.#address = `${base}challenge?form=${encodeURIComponent(form)}`;
  }

  /** Asks whether a proof is wanted, and makes it, unless one is there. */
  prepare(): void {
    this.#made = this.#made.then((made) => (isFresh(made) ? made : make(this.#address)));
  }

  /** The proof to send with a gift, each once. */
  async take(): Promise<string | undefined> {
    const made = this.#made;
    this.#made = Promise.resolve(undefined);
    const found = await made;
    return isFresh(found) ? found.proof : undefined;
  }

  /**
   * A proof for an endpoint that refused a gift without one.
   * @returns `undefined` where none can be made.
   */
  async demand(): Promise<string | undefined> {
    return (await make(`${this.#address}&required=true`))?.proof;
  }
}

function isFresh(made: SolvedChallenge | undefined): made is SolvedChallenge {
  return made !== undefined && Date.now() < made.until - MARGIN;
}

async function make(address: string): Promise<SolvedChallenge | undefined> {
  try {
    const response = await fetch(address, {
      credentials: 'omit',
      cache: 'no-store',
      signal: AbortSignal.timeout(PATIENCE),
    });
    return response.status === 200
      ? await (await import('./solve-challenge.ts')).createProof((await response.json()) as object)
      : undefined;
  } catch {
    return undefined;
  }
}
