import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Database } from '../database/database.ts';

const DAY = 86_400_000;
const FALLBACK_DURATION = 10_000;

/** Returns the secret of a day. @param time any time on the day, in milliseconds since 1970. */
export type GetDailySecret = (time: number) => Promise<string>;

/**
 * One random secret a day, shared by all servers and deleted after two days.
 * @param timeout milliseconds after which this server temporarily uses its own secret.
 */
export function createDailySecrets(database: Database, timeout: number): GetDailySecret {
  const cachedSecrets = new Map<number, { secret: Promise<string>; until: number }>();
  const cacheSecret = (day: number, secret: Promise<string>, until = Infinity): Promise<string> => {
    cachedSecrets.set(day, { secret, until });
    return secret;
  };
  return (time) => {
    const day = Math.floor(time / DAY);
    const known = cachedSecrets.get(day);
    if (known && Date.now() < known.until) return known.secret;
    for (const old of cachedSecrets.keys()) if (old < day - 1) cachedSecrets.delete(old);
    const fresh = randomBytes(32).toString('base64url');
    if (!database.isShared) return cacheSecret(day, Promise.resolve(fresh));
    const shared = Promise.race([
      loadSharedSecret(database, day, fresh),
      setTimeout(timeout, undefined, { ref: false }),
    ]).catch(() => undefined);
    const secret = shared.then((found) => {
      if (found === undefined)
        void cacheSecret(day, Promise.resolve(fresh), Date.now() + FALLBACK_DURATION);
      return found ?? fresh;
    });
    return cacheSecret(day, secret);
  };
}

/** If several servers insert a secret, all use the first one. */
async function loadSharedSecret({ db }: Database, day: number, fresh: string): Promise<string> {
  await db
    .insertInto('dailySecrets')
    .values({ day, secret: fresh })
    .onConflict((conflict) => conflict.column('day').doNothing())
    .execute();
  await db
    .deleteFrom('dailySecrets')
    .where('day', '<', day - 1)
    .execute();
  const { secret } = await db
    .selectFrom('dailySecrets')
    .select('secret')
    .where('day', '=', day)
    .executeTakeFirstOrThrow();
  return secret;
}
