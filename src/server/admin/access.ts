import { isIP } from 'node:net';
import { createMiddleware } from 'hono/factory';
import { routePath } from 'hono/route';
import type { Logger } from '../lib/logger.ts';
import { isSame } from '../lib/hash.ts';
import type { Connection } from '../http/context.ts';
import { LoginThrottle } from './login-throttle.ts';

export interface AccessOptions {
  /** The operator's key. */
  readonly key: string;
  readonly log: Logger;
  readonly now: () => number;
}

/** Who shows a key. */
export interface Visitor {
  /** The network address; empty where it is not known. */
  readonly address: string;
  /** The pattern of the path that was asked for. */
  readonly route: string;
}

/**
 * What a key comes to: the operator's, another one, or not looked at for so many seconds, since too
 * many others came from its address.
 */
export type Attempt = 'right' | 'wrong' | { readonly wait: number };

/**
 * The operator's key, for commands and the log-in alike: wrong ones are counted together, and each
 * is logged.
 */
export class Access {
  readonly #options: AccessOptions;
  readonly #tries: LoginThrottle;

  constructor(options: AccessOptions) {
    this.#options = options;
    this.#tries = new LoginThrottle(options.now);
  }

  try(given: string, { address, route }: Visitor): Attempt {
    const { key, log } = this.#options;
    const wait = Math.ceil(this.#tries.waitOf(address) / 1_000);
    if (wait === 0 && isSame(given, key)) return 'right';
    log.warn(
      { route, status: wait > 0 ? 429 : 401 },
      wait > 0
        ? 'too many wrong keys of the operator were shown, so none is looked at'
        : 'a wrong key of the operator was shown',
    );
    if (wait > 0) return { wait };
    this.#tries.fail(address, given);
    return 'wrong';
  }
}

/** What somebody reads whose key is not looked at. @param wait in seconds. */
export function tooManyTries(wait: number): string {
  const minutes = Math.ceil(wait / 60);
  return `Too many wrong keys came from this address. Please wait ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}, then try again.`;
}

/**
 * Lets only those pass who have the operator's key: what stands behind it names donors and gifts or
 * changes something.
 * @param access absent where the configuration names no key: then nobody passes.
 */
export function operatorsOnly(access: Access | undefined) {
  return createMiddleware<{ Bindings: Connection }>(async (c, next) => {
    if (!access)
      return c.json(
        {
          message:
            'The configuration names no operator\'s key. Add "key": { "env": "OPERATOR_KEY" } to "operator", set the variable and start the server again.',
        },
        403,
      );
    const [scheme, given = ''] = (c.req.header('Authorization') ?? '').split(' ');
    const attempt =
      scheme === 'Bearer'
        ? access.try(given, { address: c.env.address ?? '', route: routePath(c) })
        : 'wrong';
    if (attempt === 'right') return next();
    if (attempt === 'wrong')
      return c.json(
        {
          message:
            'The operator\'s key is missing or another one. Expected the header Authorization: Bearer <key>, with the key that "operator.key" of the configuration names.',
        },
        401,
      );
    return c.json({ message: tooManyTries(attempt.wait) }, 429, {
      'Retry-After': String(attempt.wait),
    });
  });
}

/**
 * Names that no stranger can let point to this machine: those without a dot, and those that are
 * kept for networks of one's own.
 */
const OWN_NAME = /^(?:[^.]+|.+\.(?:localhost|local|internal))$/;

/**
 * Asks for the operator's key where the server is called by a public name: so does a page that
 * reaches it by DNS rebinding, through the browser of somebody who may.
 */
export function keyByPublicName(access: Access | undefined) {
  const withKey = operatorsOnly(access);
  return createMiddleware<{ Bindings: Connection }>(async (c, next) => {
    const { hostname } = new URL(c.req.url);
    return isIP(hostname) > 0 || OWN_NAME.test(hostname) ? next() : withKey(c, next);
  });
}
