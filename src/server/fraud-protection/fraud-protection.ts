import type { Outcome } from '@donation-form/core/schemas';
import type { Logger } from '../lib/logger.ts';
import { sha256 } from '../lib/hash.ts';
import { Problem } from '../lib/problem.ts';
import type { Database } from '../database/database.ts';
import { AttackDetector } from './attack-detector.ts';
import { Challenges, type Challenge } from './challenges.ts';
import { clientOf, isPrivate, type Client } from './client-address.ts';
import { openCounts, type Count, type Counts } from './rate-counter.ts';
import {
  A_MINUTE,
  ASKED,
  REFUSED,
  REFUSED_IN_ATTACK,
  WINDOW,
  type ChallengeCost,
  type Figures,
  type Subject,
} from './thresholds.ts';
import { DailySecrets } from './daily-secret.ts';

/**
 * One count holds attempts and declines: a decline weighs so many attempts, which are more than are
 * let pass.
 */
const DECLINE = 10_000;

/** How often the shared counts that have ended are deleted, in milliseconds. */
const CLEANING = 60_000;

export interface FraudProtectionOptions {
  readonly store: Database;
  /** How many proxies of ours stand before this server. */
  readonly trustedProxies: number;
  /** Work that a challenge asks for; `CHALLENGE_COST` by default. */
  readonly challengeCost?: ChallengeCost | undefined;
  /**
   * Timeout for what several servers share in the database, in milliseconds; 250 by default. After
   * that this server goes by its own counts and secrets.
   */
  readonly databaseTimeout?: number | undefined;
  readonly log: Logger;
  readonly now: () => number;
}

/** Who gives, and by which form. */
export interface DonorSignals {
  readonly client: Client;
  readonly email: string | undefined;
  readonly form: string;
}

/** A gift that is to be given for the first time. */
export interface Attempt extends DonorSignals {
  /** SHA-256 of the idempotency key. */
  readonly keyHash: string;
  /** The header with a solved challenge. */
  readonly solution: string | undefined;
  /** Something was entered where no person enters anything. */
  readonly isTrapped: boolean;
}

/** What was counted of one subject. */
interface Counted extends Figures {
  readonly subject: Subject;
  /** In how many milliseconds it is forgotten. */
  readonly endsIn: number;
}

/**
 * Keeps out who tries stolen cards, and lets honest donors pass. It knows donors by hashes only,
 * and forgets them within minutes.
 */
export class FraudProtection {
  readonly #options: FraudProtectionOptions;
  readonly #secrets: DailySecrets;
  readonly #challenges: Challenges;
  readonly #givers: Counts;
  readonly #alarms: AttackDetector;
  /** Who asks how often; each server counts for itself. */
  readonly #asking = {
    questions: openCounts('questions', 60),
    challenges: openCounts('challenges', 60),
    reports: openCounts('reports', 60),
  } satisfies Record<keyof typeof A_MINUTE, Counts>;
  /**
   * Attempts that are under way, by the hash of their key: all requests with one key are one
   * attempt.
   */
  readonly #admissions = new Map<string, Promise<void>>();
  readonly #cleaning: NodeJS.Timeout | undefined;
  #isProxyNamed = false;

  constructor(options: FraudProtectionOptions) {
    const { store, challengeCost: cost, databaseTimeout: timeout = 250, log, now } = options;
    const { lowPriorityPool: pool } = store;
    const sharedCounts = pool && { pool, timeout };
    this.#options = options;
    this.#secrets = new DailySecrets(store, timeout);
    this.#challenges = new Challenges({ secrets: this.#secrets, cost, sharedCounts, now });
    this.#givers = openCounts('giver', WINDOW, sharedCounts);
    this.#alarms = new AttackDetector(openCounts('alarm', WINDOW, sharedCounts), log);
    if (store.isShared) this.#cleaning = setInterval(() => void this.#clean(), CLEANING).unref();
  }

  /** @param connected the address of who connected. @param forwarded the header X-Forwarded-For. */
  clientOf(connected: string | undefined, forwarded: string | undefined): Client {
    const { trustedProxies, log } = this.#options;
    if (
      trustedProxies === 0 &&
      forwarded !== undefined &&
      !this.#isProxyNamed &&
      isPrivate(connected)
    ) {
      this.#isProxyNamed = true;
      log.warn(
        'requests come through a proxy (they have X-Forwarded-For, and from a private address), and "listen.trustedProxies" of the configuration is 0: all donors count as one client. Say how many proxies of yours stand before this server',
      );
    }
    return clientOf(connected, forwarded, trustedProxies);
  }

  /**
   * Lets a gift be given, unless that looks like somebody who tries cards.
   * @param give gives it; it may be called for several requests with one key.
   * @throws {Problem} challenge-required, too-many-requests: then nothing was kept or charged,
   *   and the same key can be used again.
   */
  async admit(attempt: Attempt, give: () => Promise<Outcome>): Promise<Outcome> {
    const { keyHash, form } = attempt;
    const first = this.#admissions.get(keyHash);
    if (first) {
      await first;
      return give();
    }
    const isCrowded = this.#alarms.begin(form);
    const admission = this.#admit(attempt, isCrowded);
    this.#admissions.set(keyHash, admission);
    try {
      await admission;
      return await this.watch(attempt, give());
    } finally {
      this.#admissions.delete(keyHash);
      this.#alarms.end(form);
    }
  }

  /** Counts what becomes of a gift whose payment was under way. */
  async watch(giver: DonorSignals, outcome: Promise<Outcome>): Promise<Outcome> {
    const { state, reason } = await outcome;
    if (state === 'declined' && reason === 'card-declined')
      await Promise.all([this.#alarms.declined(giver.form), this.#count(giver, DECLINE)]);
    return outcome;
  }

  /**
   * A challenge for who is asked for one.
   * @param isRequired a gift was refused without one.
   * @throws {Problem} too-many-requests.
   */
  async challenge(
    client: Client,
    form: string,
    isRequired: boolean,
  ): Promise<Challenge | undefined> {
    await this.limit('challenges', client);
    const isAsked =
      isRequired ||
      this.#alarms.isFull(form) ||
      (await this.#alarms.isAttacked(form)) ||
      (await this.#read({ client, form, email: undefined })).some((one) =>
        exceeds({ ...one, attempts: one.attempts + 1 }, ASKED[one.subject]),
      );
    return isAsked ? this.#challenges.create() : undefined;
  }

  /** Counts a call that costs little. @throws {Problem} too-many-requests. */
  async limit(kind: keyof typeof A_MINUTE, { address, network = address }: Client): Promise<void> {
    if (network === undefined) return;
    const { count, endsIn } = await this.#asking[kind].add(
      await this.#keyOf('network', network),
      1,
    );
    if (count > A_MINUTE[kind]) throw tooMany(endsIn);
  }

  /** Deletes no more what has ended. */
  stop(): void {
    clearInterval(this.#cleaning);
  }

  async #admit(attempt: Attempt, isCrowded: boolean): Promise<void> {
    if (attempt.isTrapped) throw tooMany(WINDOW * 1_000);
    const counted = await this.#count(attempt, 1);
    try {
      const isAttacked = await this.#alarms.isAttacked(attempt.form);
      const refused = counted.find(
        (one) =>
          exceeds(one, REFUSED[one.subject]) ||
          (isAttacked && one.declines >= REFUSED_IN_ATTACK && one.declines * 2 >= one.attempts),
      );
      if (refused) throw tooMany(refused.endsIn);
      const isAsked =
        isAttacked || isCrowded || counted.some((one) => exceeds(one, ASKED[one.subject]));
      if (isAsked && !(await this.#challenges.isSolved(attempt.solution)))
        throw new Problem(
          'challenge-required',
          'Nothing was kept or charged. Solve GET /challenge?form=ID&required=true and send the same gift again with the same Idempotency-Key and the header Challenge-Solution.',
        );
    } catch (error) {
      // What was not let pass is no attempt: otherwise a tester could make the declines a small
      // part of them.
      await this.#count(attempt, -1);
      throw error;
    }
  }

  #count(giver: DonorSignals, points: number): Promise<Counted[]> {
    return this.#each(giver, (key) => this.#givers.add(key, points));
  }

  #read(giver: DonorSignals): Promise<Counted[]> {
    return this.#each(giver, (key) => this.#givers.read(key));
  }

  #each(
    { client: { address, network }, email }: DonorSignals,
    look: (key: string) => Promise<Count>,
  ): Promise<Counted[]> {
    const values: Readonly<Record<Subject, string | undefined>> = {
      address,
      network,
      email: email && mailboxOf(email),
    };
    return Promise.all(
      Object.entries(values).flatMap(([subject, value]) =>
        value === undefined ? [] : [this.#look(subject as Subject, value, look)],
      ),
    );
  }

  async #look(
    subject: Subject,
    value: string,
    look: (key: string) => Promise<Count>,
  ): Promise<Counted> {
    const { count, endsIn } = await look(await this.#keyOf(subject, value));
    const points = Math.max(count, 0);
    return { subject, attempts: points % DECLINE, declines: Math.floor(points / DECLINE), endsIn };
  }

  /** What somebody is counted under. Tomorrow it is another one. */
  async #keyOf(subject: Subject, value: string): Promise<string> {
    return sha256(`${await this.#secrets.at(this.#options.now())} ${subject} ${value}`).slice(
      0,
      22,
    );
  }

  async #clean(): Promise<void> {
    await this.#options.store.db
      .deleteFrom('rate_limits')
      .where('expire', '<', this.#options.now())
      .execute()
      .catch(() => undefined);
  }
}

function exceeds({ attempts, declines }: Figures, most: Figures): boolean {
  return attempts > most.attempts || declines >= most.declines;
}

/** @param wait milliseconds. */
function tooMany(wait: number): Problem {
  return new Problem(
    'too-many-requests',
    'There were too many attempts. Nothing was kept or charged. Wait as long as the header Retry-After says, and send the same gift again with the same Idempotency-Key.',
    { retryAfter: Math.max(Math.ceil(wait / 1_000), 1) },
  );
}

/** One mailbox has many addresses: what follows a plus sign names none. */
function mailboxOf(email: string): string {
  return email.toLowerCase().replace(/\+[^@]*@/, '@');
}
