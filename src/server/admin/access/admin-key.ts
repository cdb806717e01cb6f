import { isIP } from 'node:net';
import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import type { Connection } from '../../http/context.ts';
import { isEqualInConstantTime } from '../../lib/hash.ts';
import type { Logger } from '../../lib/logger.ts';
import { LoginThrottle } from './login-throttle.ts';

export interface AdminKeyVerifierOptions {
  /** The admin key. */
  readonly key: string;
  readonly log: Logger;
  readonly now: () => number;
}

/** IP address and route of a request with an admin key. */
export interface KeyAttempt {
  /** The client's IP address, or an empty string if it is unknown. */
  readonly ipAddress: string;
  /** The request's route pattern, for the log. */
  readonly route: string;
}

/**
 * Result of verifying an admin key. After too many wrong keys, `retryAfter` is the wait in seconds.
 */
export type KeyVerification = 'valid' | 'invalid' | { readonly retryAfter: number };

/** Verifies the admin key for the API and the sign-in page, with one shared rate limit. */
export class AdminKeyVerifier {
  readonly #options: AdminKeyVerifierOptions;
  readonly #throttle: LoginThrottle;

  constructor(options: AdminKeyVerifierOptions) {
    this.#options = options;
    this.#throttle = new LoginThrottle(options.now);
  }

  verifyKey(candidate: string, { ipAddress, route }: KeyAttempt): KeyVerification {
    const { key, log } = this.#options;
    // Accept the correct key even if a script at the same IP address has caused a lockout.
    if (isEqualInConstantTime(candidate, key)) return 'valid';
    const retryAfter = Math.ceil(this.#throttle.getRetryDelay(ipAddress) / 1_000);
    if (retryAfter > 0) {
      log.warn({ route, status: 429 }, 'admin sign-in blocked: too many wrong keys');
      return { retryAfter };
    }
    log.warn({ route, status: 401 }, 'admin sign-in failed: wrong key');
    this.#throttle.recordFailure(ipAddress, candidate);
    return 'invalid';
  }
}

/**
 * Formats the message for a client with too many failed sign-ins.
 * @param retryAfter wait before the next attempt, in seconds.
 */
export function formatLockoutMessage(retryAfter: number): string {
  const minutes = Math.ceil(retryAfter / 60);
  const wait = `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  return `Too many attempts with a wrong key. Wait ${wait}, then try again.`;
}

/**
 * Requires the admin key as a bearer token.
 * @param verifier verifier of the admin key. Undefined if the configuration has no key, in which
 * case the server rejects every request.
 */
export function requireAdminKey(verifier: AdminKeyVerifier | undefined) {
  return createMiddleware<{ Bindings: Connection }>(async (c, next) => {
    if (!verifier)
      return c.json(
        {
          message:
            'The configuration has no admin key. Add "key": { "env": "ADMIN_KEY" } to "admin", ' +
            'set that environment variable, and restart the server.',
        },
        403,
      );
    const [scheme, token = ''] = (c.req.header('Authorization') ?? '').split(' ');
    const verification =
      scheme === 'Bearer'
        ? verifier.verifyKey(token, { ipAddress: c.env.address ?? '', route: routePath(c) })
        : 'invalid';
    if (verification === 'valid') return next();
    if (verification === 'invalid')
      return c.json(
        {
          message:
            'The admin key is missing or wrong. Send the Authorization: Bearer <key> header with ' +
            'the key that "admin.key" in the configuration specifies.',
        },
        401,
      );
    return c.json({ message: formatLockoutMessage(verification.retryAfter) }, 429, {
      'Retry-After': String(verification.retryAfter),
    });
  });
}

/**
 * Matches host names that an attacker cannot register and point to this machine: single-label names
 * and names in domains reserved for local use.
 */
const PRIVATE_HOSTNAME = /^(?:[^.]+|.+\.(?:localhost|local|internal))$/;

/**
 * Requires the admin key if the request's host name is public. This blocks DNS rebinding attacks,
 * which reach private servers through a visitor's browser.
 */
export function requireAdminKeyForPublicHosts(verifier: AdminKeyVerifier | undefined) {
  const requireKey = requireAdminKey(verifier);
  return createMiddleware<{ Bindings: Connection }>(async (c, next) => {
    const { hostname } = new URL(c.req.url);
    const isPrivateHost = isIP(hostname) > 0 || PRIVATE_HOSTNAME.test(hostname);
    return isPrivateHost ? next() : requireKey(c, next);
  });
}
