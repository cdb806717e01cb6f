/**
 * Limits for one subject: the number of attempts that is still allowed, and the number of declines
 * that is not. Beyond them, a proof of work is required, or attempts are rejected.
 */
export interface Limits {
  readonly attempts: number;
  readonly declines: number;
}

/** Types of subjects: an IP address, the /64 network of an IPv6 address, or an email. */
export type Subject = 'address' | 'network' | 'email';

/**
 * Lifetime of a count from its first attempt, in seconds. After that, rejected donors can try
 * again.
 */
export const COUNT_WINDOW = 600;

/**
 * Limits beyond which a proof of work is required. They are low, because browsers solve it in the
 * background. The limits of a /64 network are higher, because it can cover an entire site, in which
 * each device also has its own IPv6 address.
 */
export const CHALLENGE_LIMITS: Readonly<Record<Subject, Limits>> = {
  address: { attempts: 30, declines: 2 },
  network: { attempts: 60, declines: 4 },
  email: { attempts: 60, declines: 2 },
};

/**
 * Limits beyond which attempts are rejected until the counts expire. The limits for declines are
 * low: nearly all cards of a card tester are declined, but only 3% to 10% of those of donors who
 * share an address. The limits for attempts are high, because an event or a mobile network can
 * share one address.
 */
export const REJECTION_LIMITS: Readonly<Record<Subject, Limits>> = {
  address: { attempts: 1_000, declines: 12 },
  network: { attempts: 2_000, declines: 24 },
  email: { attempts: 300, declines: 12 },
};

/**
 * Number of declines from which a subject's attempts are rejected during an attack, if at least
 * half of them were declined.
 */
export const MAX_DECLINES_DURING_ATTACK = 3;

/**
 * Number of declines on a form from which all its donors need a proof of work. A form that is not
 * under attack reaches it at about 300 donations.
 */
export const MAX_FORM_DECLINES = 20;
/**
 * Number of declines on all forms from which all donors need a proof of work. It catches card
 * testers who switch between forms.
 */
export const MAX_TOTAL_DECLINES = 60;
/**
 * Number of concurrent charges per form and server from which a proof of work is required. Detects
 * a flood before its first declines. At 2 seconds per charge, it allows 32 donations per second.
 */
export const MAX_CONCURRENT_CHARGES = 64;

/**
 * Maximum number of requests per minute and server from one IPv4 address or /64 network. For
 * comparison, a school with 60 donors who wait for their results makes 720 lookups.
 */
export const REQUESTS_PER_MINUTE = { lookups: 1_200, challenges: 300, reports: 120 } as const;

/** Lifetime of a challenge, in seconds. Long enough to fill in a form. */
export const CHALLENGE_LIFETIME = 1_800;

/** Cost of solving a challenge. */
export interface ChallengeCost {
  /** Number of PBKDF2 rounds per try. */
  readonly rounds: number;
  /** Minimum number of tries. */
  readonly minTries: number;
  readonly maxTries: number;
}

/**
 * Default cost: at most 1,000,000 rounds in total (20,000 rounds times 50 tries). The server
 * chooses the number of tries, so the cost has an upper limit. docs/fraud-protection.md has the
 * measurements.
 */
export const CHALLENGE_COST: ChallengeCost = { rounds: 20_000, minTries: 25, maxTries: 50 };
