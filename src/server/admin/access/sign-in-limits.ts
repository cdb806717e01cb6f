import { createHmac } from 'node:crypto';
import type { Database } from '../../database/database.ts';
import { createRateCounter, type RateCounter } from '../../fraud-protection/rate-counter.ts';
import { toMailbox } from '../../lib/normalize-email.ts';

/** In seconds, the same as the links' lifetime. */
const WINDOW = 1_800;
/** Milliseconds after which this server counts in memory. */
const DATABASE_TIMEOUT = 1_000;

/** Attempts within the window, over all servers together. */
const MAX_ATTEMPTS = {
  /** Links that one address asks for. An office can share an address. */
  address: 30,
  /** Links for one email. Strangers can ask for them too, so they must not fill a mailbox. */
  email: 5,
  /** The same from browsers in which its person has signed in, which strangers cannot use up. */
  browser: 5,
  /** Codes tried for one link, a chance of 5 in a million, or emails tried for an invitation. */
  code: 5,
  /** Passkey challenges for one address, each of which is stored for 5 minutes. */
  challenge: 300,
} as const;

export const TOO_MANY_ATTEMPTS =
  'Too many attempts. Use a link that you have already received, or wait half an hour and try again.';

type LimitedAttempt = keyof typeof MAX_ATTEMPTS;

/** Limits attempts to sign in. Counts over all servers, without storing addresses or emails. */
export class SignInLimits {
  readonly #counter: RateCounter;
  readonly #key: string;

  /** @param key secret of the hashes under which the attempts are counted. */
  constructor({ lowPriorityPool: pool }: Database, key: string) {
    this.#counter = createRateCounter(
      'sign-in',
      WINDOW,
      pool && { pool, timeout: DATABASE_TIMEOUT },
    );
    this.#key = key;
  }

  /** Counts an attempt. Returns false if there were too many. */
  async countAttempt(kind: LimitedAttempt, subject: string): Promise<boolean> {
    const { count } = await this.#counter.add(this.#hashSubject(kind, subject), 1);
    return count <= MAX_ATTEMPTS[kind];
  }

  /** Proves that a browser's person has signed in with an email. */
  signEmail(email: string): string {
    return this.#hashSubject('browser', email);
  }

  #hashSubject(kind: LimitedAttempt, subject: string): string {
    const normalized = kind === 'email' || kind === 'browser' ? toMailbox(subject) : subject;
    return createHmac('sha256', this.#key)
      .update(`sign-in ${kind} ${normalized}`)
      .digest('base64url')
      .slice(0, 22);
  }
}
