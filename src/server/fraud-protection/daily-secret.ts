import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Database } from '../database/database.ts';

const DAY = 86_400_000;
const OWN_FOR = 10_000;

/**
 * A random secret for each day, the same on all servers that share a store, and gone two days
 * later.
 */
export class DailySecrets {
  readonly #store: Database;
  readonly #known = new Map<number, { readonly secret: Promise<string>; readonly until: number }>();

  readonly #timeout: number;

  /**
   * @param timeout for the shared secret, in milliseconds; after that this server uses a secret of
   *   its own for a while.
   */
  constructor(store: Database, timeout: number) {
    this.#store = store;
    this.#timeout = timeout;
  }

  /** @param time in milliseconds since 1970. */
  at(time: number): Promise<string> {
    const day = Math.floor(time / DAY);
    const known = this.#known.get(day);
    if (known && Date.now() < known.until) return known.secret;
    for (const old of this.#known.keys()) if (old < day - 1) this.#known.delete(old);
    const fresh = newSecret();
    if (!this.#store.isShared) return this.#keep(day, Promise.resolve(fresh), Infinity);
    const shared = Promise.race([
      this.#share(day, fresh),
      setTimeout(this.#timeout, undefined, { ref: false }),
    ]).catch(() => undefined);
    return this.#keep(
      day,
      shared.then((found) => {
        if (found === undefined) void this.#keep(day, Promise.resolve(fresh), Date.now() + OWN_FOR);
        return found ?? fresh;
      }),
      Infinity,
    );
  }

  #keep(day: number, secret: Promise<string>, until: number): Promise<string> {
    this.#known.set(day, { secret, until });
    return secret;
  }

  /** The secret that the servers have for a day: the one that was kept first. */
  async #share(day: number, fresh: string): Promise<string> {
    const { db } = this.#store;
    await db
      .insertInto('daily_secrets')
      .values({ day, secret: fresh })
      .onConflict((conflict) => conflict.column('day').doNothing())
      .execute();
    await db
      .deleteFrom('daily_secrets')
      .where('day', '<', day - 1)
      .execute();
    return (
      await db
        .selectFrom('daily_secrets')
        .select('secret')
        .where('day', '=', day)
        .executeTakeFirstOrThrow()
    ).secret;
  }
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
