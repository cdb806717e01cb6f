/** The most allowed attempts, and the fewest declines that are not allowed. */
export interface Limits {
  readonly attempts: number;
  readonly declines: number;
}

/** An IP address, the /64 network of an IPv6 address, or an email. */
export type Subject = 'address' | 'network' | 'email';

/**
 * Lifetime of a count from the first attempt, in seconds, after which rejected donors can try
 * again.
 */
export const COUNT_WINDOW = 600;

/**
 * Limits for a proof of work, which browsers complete in the background, so the limits are low. A
 * /64 network can cover a site whose devices also have their own addresses.
 */
export const CHALLENGE_LIMITS: Readonly<Record<Subject, Limits>> = {
  address: { attempts: 30, declines: 2 },
  network: { attempts: 60, declines: 4 },
  email: { attempts: 60, declines: 2 },
};

/**
 * Limits for rejection until the counts expire. Those for declines are low, because providers
 * decline nearly all of a card tester's cards, but only 3% to 10% of those of donors who share an
 * address. Those for attempts are high, because all donors at an event or on a mobile network can
 * share an address.
 */
export const REJECTION_LIMITS: Readonly<Record<Subject, Limits>> = {
  address: { attempts: 1_000, declines: 12 },
  network: { attempts: 2_000, declines: 24 },
  email: { attempts: 300, declines: 12 },
};

/** Declines at which an attack rejects a subject, if they are at least half of its attempts. */
export const MAX_DECLINES_DURING_ATTACK = 3;

/**
 * Declines on a form at which all of its donors must solve a proof of work. A form that is not
 * under attack has as many after about 300 donations.
 */
export const MAX_FORM_DECLINES = 20;
/** Declines on all forms at which all donors must solve one: testers may switch between forms. */
export const MAX_TOTAL_DECLINES = 60;

/**
 * Requests per minute to each server from one IPv4 address or /64 network. 60 waiting donors make
 * 720 lookups.
 */
export const REQUESTS_PER_MINUTE = { lookups: 1_200, challenges: 300, reports: 120 } as const;

/** In seconds. Donors need enough time to fill in the form. */
export const CHALLENGE_LIFETIME = 1_800;

export interface ChallengeCost {
  /** PBKDF2 rounds per try. */
  readonly rounds: number;
  /** A challenge requires a random number of tries between these. */
  readonly minTries: number;
  readonly maxTries: number;
}

/**
 * At most 1,000,000 rounds in total, because the server chooses the number of tries.
 * docs/reference/fraud-limits.md has the measurements.
 */
export const CHALLENGE_COST: ChallengeCost = { rounds: 20_000, minTries: 25, maxTries: 50 };
