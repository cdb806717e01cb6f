import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Database } from '../database/database.ts';

const DAY = 86_400_000;
const FALLBACK_DURATION = 10_000;

/** One random secret a day, shared by all servers and deleted after two days. */
export class DailySecrets {
  readonly #database: Database;
  readonly #cachedSecrets = new Map<
    number,
    { readonly secret: Promise<string>; readonly until: number }
  >();

  readonly #timeout: number;

  /** @param timeout milliseconds after which this server temporarily uses its own secret. */
  constructor(database: Database, timeout: number) {
    this.#database = database;
    this.#timeout = timeout;
  }

  /** @param time any time on the day, in milliseconds since 1970. */
  getSecret(time: number): Promise<string> {
    const day = Math.floor(time / DAY);
    const known = this.#cachedSecrets.get(day);
    if (known && Date.now() < known.until) return known.secret;
    for (const old of this.#cachedSecrets.keys())
      if (old < day - 1) this.#cachedSecrets.delete(old);
    const fresh = createSecret();
    if (!this.#database.isShared) return this.#cacheSecret(day, Promise.resolve(fresh), Infinity);
    const shared = Promise.race([
      this.#loadSharedSecret(day, fresh),
      setTimeout(this.#timeout, undefined, { ref: false }),
    ]).catch(() => undefined);
    return this.#cacheSecret(
      day,
      shared.then((found) => {
        if (found === undefined)
          void this.#cacheSecret(day, Promise.resolve(fresh), Date.now() + FALLBACK_DURATION);
        return found ?? fresh;
      }),
      Infinity,
    );
  }

  #cacheSecret(day: number, secret: Promise<string>, until: number): Promise<string> {
    this.#cachedSecrets.set(day, { secret, until });
    return secret;
  }

  /** If several servers insert a secret, all use the first one. */
  async #loadSharedSecret(day: number, fresh: string): Promise<string> {
    const { db } = this.#database;
    await db
      .insertInto('dailySecrets')
      .values({ day, secret: fresh })
      .onConflict((conflict) => conflict.column('day').doNothing())
      .execute();
    await db
      .deleteFrom('dailySecrets')
      .where('day', '<', day - 1)
      .execute();
    return (
      await db
        .selectFrom('dailySecrets')
        .select('secret')
        .where('day', '=', day)
        .executeTakeFirstOrThrow()
    ).secret;
  }
}

function createSecret(): string {
  return randomBytes(32).toString('base64url');
}
