/** Maximum attempts and declines before a proof of work or a rejection. */
export interface Limits {
  readonly attempts: number;
  readonly declines: number;
}

/** Subjects that are counted: an IP address, the /64 of an IPv6 address, or an email. */
export type Subject = 'address' | 'network' | 'email';

/** Lifetime of counts from the first attempt, in seconds. Rejected donors can then try again. */
export const COUNT_WINDOW = 600;

/**
 * Limits above which a proof of work is required. Browsers solve it in the background, so the limits
 * are low. A /64 covers an entire site, in which each device also has its own IPv6 address.
 */
export const CHALLENGE_LIMITS: Readonly<Record<Subject, Limits>> = {
  address: { attempts: 30, declines: 2 },
  network: { attempts: 60, declines: 4 },
  email: { attempts: 60, declines: 2 },
};

/**
 * Limits above which attempts are rejected until the counts expire. Declines distinguish card testers,
 * whose cards are nearly all declined, from donors behind a shared address (3% to 10%). The limits
 * for attempts are high because an event or a mobile network can share one address.
 */
export const REJECTION_LIMITS: Readonly<Record<Subject, Limits>> = {
  address: { attempts: 1_000, declines: 12 },
  network: { attempts: 2_000, declines: 24 },
  email: { attempts: 300, declines: 12 },
};

/**
 * Number of declines at which a subject is rejected during an attack, if at least half of its
 * attempts were declined.
 */
export const MAX_DECLINES_DURING_ATTACK = 3;

/**
 * Number of declines from which all donors on a form need a proof of work. A form that is not under
 * attack reaches it at about 300 donations.
 */
export const MAX_FORM_DECLINES = 20;
/**
 * Number of declines on all forms together from which all donors need a proof of work. Needed because
 * a card tester can switch between forms.
 */
export const MAX_TOTAL_DECLINES = 60;
/**
 * Number of concurrent charges per form and server above which a proof of work is required. Detects
 * a flood before any declines are known. At 2 seconds per charge, allows 32 donations per second.
 */
export const MAX_CONCURRENT_CHARGES = 64;

/**
 * Maximum requests per minute and server from one IPv4 address or /64. A school with 60 donors who
 * wait for their results makes 720 lookups.
 */
export const REQUESTS_PER_MINUTE = { lookups: 1_200, challenges: 300, reports: 120 } as const;

/** Lifetime of a challenge, in seconds. Long enough to fill in a form. */
export const CHALLENGE_LIFETIME = 1_800;

/** Cost of solving a challenge. */
export interface ChallengeCost {
  /** Rounds of PBKDF2 per try. */
  readonly rounds: number;
  /** Minimum number of tries. */
  readonly minTries: number;
  readonly maxTries: number;
}

/**
 * Default cost: at most 1,000,000 rounds in total; docs/fraud-protection.md has the measurements.
 * The server chooses the number of tries, so the cost has an upper limit.
 */
export const CHALLENGE_COST: ChallengeCost = { rounds: 20_000, minTries: 25, maxTries: 50 };
