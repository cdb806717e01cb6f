import { isIP } from 'node:net';
import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import { formatCount } from '@donation-form/core/i18n';
import type { Connection } from '../../http/context.ts';
import { hashSha256, isEqualInConstantTime } from '../../lib/hash.ts';
import { type Actor, ADMIN_KEY_ACTOR, ANONYMOUS_ACTOR } from '../../staff/actor.ts';
import { ActionError } from '../actions/staff-action.ts';
import type { AdminContext } from '../admin-context.ts';

/** Duration of the rate-limit window, in milliseconds. */
const WINDOW = 600_000;
/** Maximum number of wrong keys per IP address and window. */
const MAX_PER_ADDRESS = 5;
/** Maximum number of wrong keys per window, counting all IP addresses together. */
const MAX_TOTAL = 50;

interface FailedAttempt {
  readonly ipAddress: string;
  readonly keyHash: string;
  readonly at: number;
}

export interface AdminEnv {
  Bindings: Connection;
  Variables: { actor: Actor };
}

/** After too many wrong keys, `retryAfter` is the wait in seconds. */
export type KeyVerification = 'valid' | 'invalid' | { readonly retryAfter: number };

/**
 * Verifies the admin key for the API and the sign-in page. Rate-limits failed sign-ins to prevent
 * brute force. Each server counts its own.
 */
export class AdminKeyVerifier {
  readonly #key: string;
  readonly #context: Pick<AdminContext, 'log' | 'now'>;
  #failedAttempts: readonly FailedAttempt[] = [];

  constructor(key: string, context: Pick<AdminContext, 'log' | 'now'>) {
    this.#key = key;
    this.#context = context;
  }

  /** @param ipAddress the client's IP address, or an empty string if it is unknown. */
  verifyKey(candidate: string, ipAddress: string, route: string): KeyVerification {
    const { log, now } = this.#context;
    // Accept the correct key even if a script at the same IP address has caused a lockout.
    if (isEqualInConstantTime(candidate, this.#key)) return 'valid';
    const retryAfter = Math.ceil(this.#getRetryDelay(ipAddress, now()) / 1_000);
    if (retryAfter > 0) {
      log.warn({ route, status: 429 }, 'admin sign-in blocked: too many wrong keys');
      return { retryAfter };
    }
    log.warn({ route, status: 401 }, 'admin sign-in failed: wrong key');
    this.#recordFailure({ ipAddress, keyHash: hashSha256(candidate), at: now() });
    return 'invalid';
  }

  /** Returns the time until an IP address can try again, in milliseconds. */
  #getRetryDelay(ipAddress: string, now: number): number {
    this.#failedAttempts = this.#failedAttempts.filter(({ at }) => at > now - WINDOW);
    const limiting = [
      this.#failedAttempts
        .filter((attempt) => attempt.ipAddress === ipAddress)
        .at(-MAX_PER_ADDRESS),
      this.#failedAttempts.at(-MAX_TOTAL),
    ];
    return Math.max(...limiting.map((attempt) => (attempt ? attempt.at + WINDOW - now : 0)));
  }

  /**
   * Records a wrong key. Counts each key once per IP address, so a script that keeps sending an old
   * key does not lock people out of the admin page.
   */
  #recordFailure(failed: FailedAttempt): void {
    const isKnown = this.#failedAttempts.some(
      ({ ipAddress, keyHash }) => ipAddress === failed.ipAddress && keyHash === failed.keyHash,
    );
    if (!isKnown) this.#failedAttempts = [...this.#failedAttempts, failed];
  }
}

/** Formats the message for a client with too many failed sign-ins. `retryAfter` is in seconds. */
export function formatLockoutMessage(retryAfter: number): string {
  const wait = formatCount(Math.ceil(retryAfter / 60), 'minute');
  return `Too many attempts with a wrong key. Wait ${wait}, then try again.`;
}

/** Requires the admin key as a bearer token. Without a verifier, rejects every request. */
export function requireAdminKey(verifier: AdminKeyVerifier | undefined) {
  return createMiddleware<AdminEnv>(async (c, next) => {
    if (!verifier)
      throw new ActionError(
        403,
        'The configuration has no admin key. Add "key": { "env": "ADMIN_KEY" } to "admin", ' +
          'set that environment variable, and restart the server.',
      );
    const [scheme, token = ''] = (c.req.header('Authorization') ?? '').split(' ');
    const verification =
      scheme === 'Bearer'
        ? verifier.verifyKey(token, c.env.address ?? '', routePath(c))
        : 'invalid';
    if (verification === 'valid') {
      c.set('actor', ADMIN_KEY_ACTOR);
      return next();
    }
    if (verification === 'invalid')
      throw new ActionError(
        401,
        'The admin key is missing or wrong. Send the Authorization: Bearer <key> header with ' +
          'the key that "admin.key" in the configuration specifies.',
      );
    return c.json({ message: formatLockoutMessage(verification.retryAfter) }, 429, {
      'Retry-After': String(verification.retryAfter),
    });
  });
}

/** Matches names that an attacker cannot register: single labels, and domains for local use. */
const PRIVATE_HOSTNAME = /^(?:[^.]+|.+\.(?:localhost|local|internal))$/;

/**
 * Requires the admin key if the request's host name is public. This blocks DNS rebinding attacks,
 * which reach private servers through a visitor's browser.
 */
export function requireAdminKeyForPublicHosts(verifier: AdminKeyVerifier | undefined) {
  const requireKey = requireAdminKey(verifier);
  return createMiddleware<AdminEnv>(async (c, next) => {
    c.set('actor', ANONYMOUS_ACTOR);
    const { hostname } = new URL(c.req.url);
    const isPrivateHost = isIP(hostname) > 0 || PRIVATE_HOSTNAME.test(hostname);
    return isPrivateHost ? next() : requireKey(c, next);
  });
}
