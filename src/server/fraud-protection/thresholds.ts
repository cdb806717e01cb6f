/** From how many attempts and declines on somebody is asked for a proof of work, or refused. */
export interface Figures {
  readonly attempts: number;
  readonly declines: number;
}

/** Who is counted: an address, the /64 of an IPv6 address, an e-mail address. */
export type Subject = 'address' | 'network' | 'email';

/**
 * How long is counted, from the first attempt on, in seconds: the time in which a school class
 * gives, and after which a donor who was refused may try again.
 */
export const WINDOW = 600;

/**
 * From here on a proof of work is asked for. It is solved unseen, so these are low: a donor whose
 * card was declined twice has met it.
 * A /64 is a whole site with IPv6, where each device is an address too. Nobody fills in sixty forms
 * under one e-mail address in ten minutes.
 */
export const ASKED: Readonly<Record<Subject, Figures>> = {
  address: { attempts: 30, declines: 2 },
  network: { attempts: 60, declines: 4 },
  email: { attempts: 60, declines: 2 },
};

/**
 * From here on it is refused for the rest of the time. Donors behind one address are told from a
 * tester by their declines: of 60 gifts, 3 to 10 in a hundred are declined,
 * of a tester's cards nearly all. The attempts stand so high because a hall of donors, or a whole
 * country's mobile network, may share one address.
 */
export const REFUSED: Readonly<Record<Subject, Figures>> = {
  address: { attempts: 1_000, declines: 12 },
  network: { attempts: 2_000, declines: 24 },
  email: { attempts: 300, declines: 12 },
};

/**
 * While a form is suspicious, who has had this many declines is refused already where they are half
 * of the attempts: a school's are not.
 */
export const REFUSED_IN_ATTACK = 3;

/**
 * From so many declines on, in the same time, a form is suspicious: all who give by it are asked
 * for a proof of work. A form has so many honest ones at about 300 gifts.
 */
export const FORM_DECLINES = 20;
/** From so many declines on all forms are: a tester may go from one to the next. */
export const SERVER_DECLINES = 60;
/**
 * From so many gifts on that one form charges at once on one server, a proof of work is asked for,
 * until some have ended: before their declines are known, nothing else tells a flood. At two
 * seconds a charge these are 32 gifts a second.
 */
export const MOST_AT_ONCE = 64;

/**
 * How often one address, or one /64, may ask in a minute, on one server. A school of 60 donors
 * whose gifts are all being checked asks 720 times.
 */
export const A_MINUTE = { questions: 1_200, challenges: 300, reports: 120 } as const;

/**
 * How long a challenge can be solved and sent, in seconds: as long as somebody takes to fill in a
 * form.
 */
export const CHALLENGE_LIFE = 1_800;

/** Work that a challenge asks for. */
export interface ChallengeCost {
  /** Rounds of PBKDF2 for each try. */
  readonly rounds: number;
  /** Tries. */
  readonly fewest: number;
  readonly most: number;
}

/**
 * What a challenge costs: so many rounds of PBKDF2 for each try, and between so many tries. The
 * most is 1,000,000 rounds: see docs/guard.md for what was measured.
 * The tries are a number that the server chose, so that no donor is unlucky.
 */
export const CHALLENGE_COST: ChallengeCost = { rounds: 20_000, fewest: 25, most: 50 };
