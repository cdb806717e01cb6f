/**
 * Limits for one subject: the highest number of attempts that is allowed, and the lowest number of
 * declines that is not allowed.
 */
export interface Limits {
  readonly attempts: number;
  readonly declines: number;
}

/** Type of subject: an IP address, the /64 network of an IPv6 address, or an email. */
export type Subject = 'address' | 'network' | 'email';

/**
 * Lifetime of a count, starting with the first attempt, in seconds. After this time, rejected
 * donors can try again.
 */
export const COUNT_WINDOW = 600;

/**
 * Limits beyond which the server requires a proof of work. These limits are low, because browsers
 * complete the proof in the background. The limits for a /64 network are higher, because such a
 * network can cover an entire site in which each device also has its own IPv6 address.
 */
export const CHALLENGE_LIMITS: Readonly<Record<Subject, Limits>> = {
  address: { attempts: 30, declines: 2 },
  network: { attempts: 60, declines: 4 },
  email: { attempts: 60, declines: 2 },
};

/**
 * Limits beyond which the server rejects attempts until the counts expire. The limits for declines
 * are low, because payment providers decline nearly all of a card tester's cards, but only 3% to
 * 10% of the cards of donors who share an address. The limits for attempts are high, because all
 * donors at an event or on a mobile network can share one address.
 */
export const REJECTION_LIMITS: Readonly<Record<Subject, Limits>> = {
  address: { attempts: 1_000, declines: 12 },
  network: { attempts: 2_000, declines: 24 },
  email: { attempts: 300, declines: 12 },
};

/**
 * Number of declines at which the server rejects a subject's attempts during an attack, if at least
 * half of the subject's attempts were declined.
 */
export const MAX_DECLINES_DURING_ATTACK = 3;

/**
 * Number of declines on a form at which the server requires a proof of work from all of the form's
 * donors. A form that is not under attack reaches this number after about 300 donations.
 */
export const MAX_FORM_DECLINES = 20;
/**
 * Number of declines on all forms at which the server requires a proof of work from all donors.
 * This limit catches card testers who switch between forms.
 */
export const MAX_TOTAL_DECLINES = 60;

/**
 * Maximum number of requests per minute to each server from one IPv4 address or /64 network. For
 * comparison, 60 donors at a school who are waiting for their results make 720 lookups per minute.
 */
export const REQUESTS_PER_MINUTE = { lookups: 1_200, challenges: 300, reports: 120 } as const;

/** Lifetime of a challenge, in seconds. Donors need enough time to fill in the form. */
export const CHALLENGE_LIFETIME = 1_800;

/** Cost of solving a challenge. */
export interface ChallengeCost {
  /** Number of PBKDF2 rounds per try. */
  readonly rounds: number;
  /** Minimum number of tries that a challenge requires. */
  readonly minTries: number;
  readonly maxTries: number;
}

/**
 * Default cost: at most 1,000,000 rounds in total (20,000 rounds times 50 tries). The server
 * chooses the number of tries, so the cost cannot exceed this maximum. docs/reference/fraud-limits.md has
 * the measurements.
 */
export const CHALLENGE_COST: ChallengeCost = { rounds: 20_000, minTries: 25, maxTries: 50 };
