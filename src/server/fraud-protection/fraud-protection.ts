import type { DonationOutcome } from '@donation-form/core/schemas';
import type { Database } from '../database/database.ts';
import { hashSha256 } from '../lib/hash.ts';
import type { Logger } from '../lib/logger.ts';
import { toMailbox } from '../lib/normalize-email.ts';
import { Problem } from '../lib/problem.ts';
import { createAttackDetector } from './attack-detector.ts';
import { type Challenge, createChallenges } from './challenges.ts';
import { type Client, isPrivateAddress, resolveClient } from './client-address.ts';
import { createDailySecrets, type GetDailySecret } from './daily-secret.ts';
import { type EndCharge, PendingCharges, type SubjectCount } from './pending-charges.ts';
import { type Count, createRateCounter, type RateCounter } from './rate-counter.ts';
import {
  CHALLENGE_LIMITS,
  type ChallengeCost,
  COUNT_WINDOW,
  type Limits,
  MAX_DECLINES_DURING_ATTACK,
  REJECTION_LIMITS,
  REQUESTS_PER_MINUTE,
  type Subject,
} from './thresholds.ts';

/**
 * An attempt adds 1 point to the same counter, so a decline must add more than the most attempts.
 */
const DECLINE_POINTS = 10_000;

/** In milliseconds. */
const CLEANUP_INTERVAL = 60_000;

export interface FraudProtectionOptions {
  readonly database: Database;
  readonly trustedProxies: number;
  readonly maxConcurrentCharges: number;
  /** Default: {@link CHALLENGE_COST}. */
  readonly challengeCost?: ChallengeCost | undefined;
  /** Milliseconds after which this server uses its own counts and secrets. Default: 250. */
  readonly databaseTimeout?: number | undefined;
  readonly log: Logger;
  readonly now: () => number;
}

/** Takes `undefined` if creating the donation failed. */
type EndAdmission = (outcome: DonationOutcome | undefined) => Promise<void>;

interface DonorSignals {
  readonly client: Client;
  readonly email: string | undefined;
  readonly form: string;
}

interface DonationAttempt extends DonorSignals {
  readonly keyHash: string;
  readonly solution: string | undefined;
  readonly honeypotFilled: boolean;
}

/**
 * Blocks card testing without getting in the way of real donors. Stores their identifiers only as
 * hashes, for minutes.
 */
export class FraudProtection {
  readonly #options: FraudProtectionOptions;
  readonly #getSecret: GetDailySecret;
  readonly #challenges: ReturnType<typeof createChallenges>;
  readonly #donorCounter: RateCounter;
  readonly #attackDetector: ReturnType<typeof createAttackDetector>;
  readonly #pendingCharges = new PendingCharges(REJECTION_LIMITS);
  /** Each server counts separately. */
  readonly #requestCounters = {
    lookups: createRateCounter('lookups', 60),
    challenges: createRateCounter('challenges', 60),
    reports: createRateCounter('reports', 60),
  } satisfies Record<keyof typeof REQUESTS_PER_MINUTE, RateCounter>;
  /** By key hash. */
  readonly #admissions = new Map<string, Promise<unknown>>();
  readonly #cleanupTimer: NodeJS.Timeout | undefined;
  #hasWarnedAboutProxy = false;

  constructor(options: FraudProtectionOptions) {
    const { database, challengeCost: cost, databaseTimeout: timeout = 250, log, now } = options;
    const { lowPriorityPool: pool } = database;
    const sharedCounts = pool && { pool, timeout };
    this.#options = options;
    this.#getSecret = createDailySecrets(database, timeout);
    this.#challenges = createChallenges(this.#getSecret, sharedCounts, now, cost);
    this.#donorCounter = createRateCounter('donor', COUNT_WINDOW, sharedCounts);
    const declineCounter = createRateCounter('declines', COUNT_WINDOW, sharedCounts);
    this.#attackDetector = createAttackDetector(declineCounter, options.maxConcurrentCharges, log);
    if (database.isShared)
      this.#cleanupTimer = setInterval(
        () => void this.#deleteExpiredCounts(),
        CLEANUP_INTERVAL,
      ).unref();
  }

  /**
   * Identifies the client by its address. Warns once if requests seem to come through a proxy that
   * is not configured.
   * @param connected address of the peer, which is the donor's browser or a proxy.
   * @param forwarded value of the `X-Forwarded-For` header.
   */
  identifyClient(connected: string | undefined, forwarded: string | undefined): Client {
    const { trustedProxies, log } = this.#options;
    if (
      trustedProxies === 0 &&
      forwarded !== undefined &&
      !this.#hasWarnedAboutProxy &&
      isPrivateAddress(connected)
    ) {
      this.#hasWarnedAboutProxy = true;
      log.warn(
        'requests come through a proxy, but "listen.trustedProxies" is 0, so all donors count as ' +
          'one client; set "listen.trustedProxies" to the number of proxies in front of this server',
      );
    }
    return resolveClient(connected, forwarded, trustedProxies);
  }

  /**
   * Admits a donation unless it looks like card testing. Concurrent requests with one key count
   * once.
   * @returns a function that the caller must call once the donation has an outcome or has failed.
   * @throws {Problem} `challenge-required` or `too-many-requests`. Nothing was saved or charged,
   *   and the client can reuse the idempotency key.
   */
  async admitDonation(attempt: DonationAttempt): Promise<EndAdmission> {
    const { keyHash, form } = attempt;
    const first = this.#admissions.get(keyHash);
    if (first) {
      await first;
      return () => Promise.resolve();
    }
    const isOverCapacity = this.#attackDetector.isAtCapacity(form);
    this.#attackDetector.countChargeStart(form);
    const leave = (): void => {
      this.#admissions.delete(keyHash);
      this.#attackDetector.countChargeEnd(form);
    };
    const admission = this.#countAttempt(attempt, isOverCapacity);
    this.#admissions.set(keyHash, admission);
    let endCharge: EndCharge;
    try {
      // Resumes before the repeated requests, so this request creates the donation.
      endCharge = await admission;
    } catch (error) {
      leave();
      throw error;
    }
    return async (outcome) => {
      try {
        await this.countDecline(attempt, outcome);
      } finally {
        endCharge(getResult(outcome));
        leave();
      }
    };
  }

  async countDecline(donor: DonorSignals, outcome: DonationOutcome | undefined): Promise<void> {
    if (getResult(outcome) !== 'declined') return;
    await Promise.all([
      this.#attackDetector.countDecline(donor.form),
      this.#addPoints(donor, DECLINE_POINTS),
    ]);
  }

  /**
   * @param isRequired true if the server rejected a donation because its solution was missing.
   * @returns `undefined` if the client does not need a challenge.
   * @throws {Problem} `too-many-requests`.
   */
  async issueChallenge(
    client: Client,
    form: string,
    isRequired: boolean,
  ): Promise<Challenge | undefined> {
    await this.admitRequest('challenges', client);
    const needsChallenge =
      isRequired ||
      this.#attackDetector.isAtCapacity(form) ||
      (await this.#attackDetector.isUnderAttack(form)) ||
      (await this.#queryCounts({ client, form, email: undefined }, this.#donorCounter.read)).some(
        ({ subject, attempts, declines }) =>
          exceedsLimits({ attempts: attempts + 1, declines }, CHALLENGE_LIMITS[subject]),
      );
    return needsChallenge ? this.#challenges.createChallenge() : undefined;
  }

  /**
   * Counts and limits requests that create no donation.
   * @throws {Problem} `too-many-requests`.
   */
  async admitRequest(
    kind: keyof typeof REQUESTS_PER_MINUTE,
    { address, network = address }: Client,
  ): Promise<void> {
    if (network === undefined) return;
    const { count, expiresIn } = await this.#requestCounters[kind].add(
      await this.#hashSubject('network', network),
      1,
    );
    if (count > REQUESTS_PER_MINUTE[kind]) throw createTooManyRequestsProblem(expiresIn);
  }

  stopCleanup(): void {
    clearInterval(this.#cleanupTimer);
  }

  /** @returns a function to call when the charge has ended. */
  async #countAttempt(attempt: DonationAttempt, isOverCapacity: boolean): Promise<EndCharge> {
    if (attempt.honeypotFilled) throw createTooManyRequestsProblem(COUNT_WINDOW * 1_000);
    const counted = await this.#addPoints(attempt, 1);
    try {
      const isUnderAttack = await this.#attackDetector.isUnderAttack(attempt.form);
      enforceRejectionLimits(counted, isUnderAttack);
      const needsChallenge =
        isUnderAttack ||
        isOverCapacity ||
        counted.some((subject) => exceedsLimits(subject, CHALLENGE_LIMITS[subject.subject]));
      if (needsChallenge && !(await this.#challenges.redeemSolution(attempt.solution)))
        throw new Problem(
          'challenge-required',
          'No charge was made. Solve the challenge from GET ' +
            '/challenge?form=ID&required=true and repeat the request with the same ' +
            'Idempotency-Key and a Challenge-Solution header.',
        );
      return await this.#pendingCharges.startCharge(counted, (counts) =>
        enforceRejectionLimits(counts, isUnderAttack),
      );
    } catch (error) {
      // Rejected requests would lower a card tester's decline rate.
      await this.#addPoints(attempt, -1);
      throw error;
    }
  }

  #addPoints(donor: DonorSignals, points: number): Promise<SubjectCount[]> {
    return this.#queryCounts(donor, (key) => this.#donorCounter.add(key, points));
  }

  #queryCounts(
    { client: { address, network }, email }: DonorSignals,
    query: (key: string) => Promise<Count>,
  ): Promise<SubjectCount[]> {
    const values: Readonly<Record<Subject, string | undefined>> = {
      address,
      network,
      email: email && toMailbox(email),
    };
    return Promise.all(
      Object.entries(values).flatMap(([subject, value]) =>
        value === undefined ? [] : [this.#queryCount(subject as Subject, value, query)],
      ),
    );
  }

  async #queryCount(
    subject: Subject,
    value: string,
    query: (key: string) => Promise<Count>,
  ): Promise<SubjectCount> {
    const key = await this.#hashSubject(subject, value);
    const { count, expiresIn } = await query(key);
    const points = Math.max(count, 0);
    return {
      subject,
      key,
      attempts: points % DECLINE_POINTS,
      declines: Math.floor(points / DECLINE_POINTS),
      expiresIn,
    };
  }

  /** The key changes daily with the secret. */
  async #hashSubject(subject: Subject, value: string): Promise<string> {
    return hashSha256(`${await this.#getSecret(this.#options.now())} ${subject} ${value}`).slice(
      0,
      22,
    );
  }

  async #deleteExpiredCounts(): Promise<void> {
    await this.#options.database.db
      .deleteFrom('rateLimits')
      .where('expire', '<', this.#options.now())
      .execute()
      .catch(() => undefined);
  }
}

function getResult(outcome: DonationOutcome | undefined): Parameters<EndCharge>[0] {
  if (outcome?.status === 'failed' && outcome.reason === 'card-declined') return 'declined';
  return outcome?.status === 'succeeded' ? 'accepted' : undefined;
}

/** @throws {Problem} if a subject exceeds a limit. */
function enforceRejectionLimits(counts: readonly SubjectCount[], isUnderAttack: boolean): void {
  const refused = counts.find(
    (one) =>
      exceedsLimits(one, REJECTION_LIMITS[one.subject]) ||
      (isUnderAttack &&
        one.declines >= MAX_DECLINES_DURING_ATTACK &&
        one.declines * 2 >= one.attempts),
  );
  if (refused) throw createTooManyRequestsProblem(refused.expiresIn);
}

function exceedsLimits({ attempts, declines }: Limits, limits: Limits): boolean {
  return attempts > limits.attempts || declines >= limits.declines;
}

/** @param wait milliseconds until the next attempt is allowed. */
function createTooManyRequestsProblem(wait: number): Problem {
  return new Problem(
    'too-many-requests',
    'Too many attempts, so no charge was made. Wait as specified in the Retry-After header ' +
      'and repeat the request with the same Idempotency-Key.',
    { retryAfter: Math.max(Math.ceil(wait / 1_000), 1) },
  );
}
