import { isIP } from 'node:net';
import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import { formatCount } from '@donation-form/core/i18n';
import { hashSha256, isEqualInConstantTime } from '../../lib/hash.ts';
import { type Actor, ADMIN_KEY_ACTOR, ANONYMOUS_ACTOR } from '../../staff/actor.ts';
import { isApiToken } from '../../staff/api-tokens.ts';
import { ActionError } from '../actions/action-error.ts';
import type { AdminContext } from '../admin-context.ts';
import { type ClientEnv, identifyClient } from './client.ts';

/** Duration of the rate-limit window, in milliseconds. */
const WINDOW = 600_000;
/** Maximum number of wrong keys per IP address and window. */
const MAX_PER_ADDRESS = 5;
/** Maximum number of wrong keys per window, counting all IP addresses together. */
const MAX_TOTAL = 50;

interface FailedAttempt {
  readonly client: string;
  readonly keyHash: string;
  readonly at: number;
}

export interface AdminEnv extends ClientEnv {
  Variables: ClientEnv['Variables'] & { actor: Actor };
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

  /** @param client as {@link identifyClient} returns it. */
  verifyKey(candidate: string, client: string, route: string): KeyVerification {
    // Accept the correct key even if a script at the same IP address has caused a lockout.
    if (isEqualInConstantTime(candidate, this.#key)) return 'valid';
    return this.rejectKey(candidate, client, route);
  }

  /** Counts a wrong key, or a wrong API token. */
  rejectKey(candidate: string, client: string, route: string): Exclude<KeyVerification, 'valid'> {
    const { log, now } = this.#context;
    const retryAfter = Math.ceil(this.#getRetryDelay(client, now()) / 1_000);
    if (retryAfter > 0) {
      log.warn({ route, status: 429 }, 'admin sign-in blocked: too many wrong keys');
      return { retryAfter };
    }
    log.warn({ route, status: 401 }, 'admin sign-in failed: wrong key');
    this.#recordFailure({ client, keyHash: hashSha256(candidate), at: now() });
    return 'invalid';
  }

  /** Returns the time until an IP address can try again, in milliseconds. */
  #getRetryDelay(client: string, now: number): number {
    this.#failedAttempts = this.#failedAttempts.filter(({ at }) => at > now - WINDOW);
    const limiting = [
      this.#failedAttempts.filter((attempt) => attempt.client === client).at(-MAX_PER_ADDRESS),
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
      ({ client, keyHash }) => client === failed.client && keyHash === failed.keyHash,
    );
    if (!isKnown) this.#failedAttempts = [...this.#failedAttempts, failed];
  }
}

/** Formats the message for a client with too many failed sign-ins. `retryAfter` is in seconds. */
export function formatLockoutMessage(retryAfter: number): string {
  const wait = formatCount(Math.ceil(retryAfter / 60), 'minute');
  return `Too many attempts with a wrong key. Wait ${wait}, then try again.`;
}

type CredentialsContext = Pick<AdminContext, 'staff' | 'apiTokens'>;

/**
 * Requires an API token or, until the first person exists, the admin key as a bearer token. Without
 * a verifier, rejects every request.
 */
export function requireCredentials(
  verifier: AdminKeyVerifier | undefined,
  context: CredentialsContext,
) {
  return createMiddleware<AdminEnv>(async (c, next) => {
    if (!verifier)
      throw new ActionError(
        403,
        'The configuration has no admin key. Add "key": { "env": "ADMIN_KEY" } to "admin", ' +
          'set that environment variable, and restart the server.',
      );
    const [scheme, token = ''] = (c.req.header('Authorization') ?? '').split(' ');
    const client = c.get('client');
    const source = [identifyClient(client), routePath(c)] as const;
    let verification: KeyVerification = 'invalid';
    if (scheme === 'Bearer' && isApiToken(token)) {
      const actor = await context.apiTokens.findActor(token);
      if (actor) c.set('actor', { ...actor, address: client.address });
      verification = actor ? 'valid' : verifier.rejectKey(token, ...source);
    } else if (scheme === 'Bearer') {
      verification = verifier.verifyKey(token, ...source);
      if (verification === 'valid') {
        await assertAcceptsAdminKey(context.staff);
        c.set('actor', { ...ADMIN_KEY_ACTOR, address: client.address });
      }
    }
    if (verification === 'valid') return next();
    if (verification === 'invalid')
      throw new ActionError(
        401,
        'The API token or admin key is missing, wrong, or revoked. Send the Authorization: Bearer ' +
          '<token> header with a token from the staff page or, until the first person is added, ' +
          'with the key that "admin.key" in the configuration specifies.',
      );
    return c.json({ message: formatLockoutMessage(verification.retryAfter) }, 429, {
      'Retry-After': String(verification.retryAfter),
    });
  });
}

/** Says what to do instead of using the admin key. */
export const ADMIN_KEY_REFUSED =
  'The server no longer accepts the admin key, because people sign in on their own. Sign in with ' +
  'your email, or run “donation-form staff add” on the server for a link.';

/** @throws {ActionError} 403 once the first person exists. */
async function assertAcceptsAdminKey(staff: CredentialsContext['staff']): Promise<void> {
  if (await staff.hasEverHadPeople())
    throw new ActionError(
      403,
      'The server no longer accepts the admin key, because people sign in on their own. Create an ' +
        'API token on the staff page, and set DONATION_FORM_TOKEN to it (see docs/server/staff.md).',
    );
}

/** Matches names that an attacker cannot register: single labels, and domains for local use. */
const PRIVATE_HOSTNAME = /^(?:[^.]+|.+\.(?:localhost|local|internal))$/;

/**
 * Requires credentials if the request's host name is public. This blocks DNS rebinding attacks,
 * which reach private servers through a visitor's browser.
 */
export function requireCredentialsForPublicHosts(
  ...credentials: Parameters<typeof requireCredentials>
) {
  const requireKey = requireCredentials(...credentials);
  return createMiddleware<AdminEnv>(async (c, next) => {
    c.set('actor', ANONYMOUS_ACTOR);
    const { hostname } = new URL(c.req.url);
    const isPrivateHost = isIP(hostname) > 0 || PRIVATE_HOSTNAME.test(hostname);
    return isPrivateHost ? next() : requireKey(c, next);
  });
}
