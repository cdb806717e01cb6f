/**
 * Sends requests for a while from a process of its own: 32 donors, each on a connection of its own,
 * each the next as soon as the last was answered.
 */
import { randomBytes } from 'node:crypto';
import { Pool } from 'undici';
import { gift } from './donors.ts';
import { ORIGIN, addressOf, type SeenForm } from './world.ts';

export interface LoadOrder {
  /** The donors take turns. */
  readonly addresses: readonly string[];
  readonly seen: SeenForm;
  readonly donors: number;
  readonly milliseconds: number;
  /** Ends after this many, where it is sooner. */
  readonly most?: number;
}

export interface LoadResult {
  readonly answered: number;
  /** Answers of another status than 200 and 202, and requests without an answer. */
  readonly failed: number;
  readonly milliseconds: number;
  /** How long answers took, in milliseconds. */
  readonly median: number;
  readonly p99: number;
}

async function load({
  addresses,
  seen,
  donors,
  milliseconds,
  most = Infinity,
}: LoadOrder): Promise<LoadResult> {
  const pools = addresses.map(
    (address) =>
      new Pool(address, { connections: Math.ceil(donors / addresses.length), pipelining: 1 }),
  );
  const times: number[] = [];
  const body = JSON.stringify(gift(0, seen, undefined));
  const began = performance.now();
  const until = began + milliseconds;
  let sent = 0;
  let failed = 0;
  await Promise.all(
    Array.from({ length: donors }, async (_, donor) => {
      const pool = pools[donor % pools.length]!;
      while (sent < most && performance.now() < until) {
        sent += 1;
        const from = performance.now();
        const status = await pool
          .request({
            method: 'POST',
            path: '/donations',
            headers: [
              'Content-Type',
              'application/json',
              'Idempotency-Key',
              randomBytes(18).toString('base64url'),
              'Origin',
              ORIGIN,
              'X-Forwarded-For',
              addressOf(sent),
            ],
            body: body.replace('Souza 0', `Souza ${sent}`).replace('ana.0@', `ana.${sent}@`),
          })
          .then(
            async (answer) => {
              await answer.body.dump();
              return answer.statusCode;
            },
            () => 0,
          );
        times.push(performance.now() - from);
        if (status !== 200 && status !== 202) failed += 1;
      }
    }),
  );
  const took = performance.now() - began;
  await Promise.all(pools.map((pool) => pool.close()));
  times.sort((a, b) => a - b);
  const at = (part: number): number => times[Math.floor((times.length - 1) * part)] ?? 0;
  return {
    answered: times.length - failed,
    failed,
    milliseconds: took,
    median: at(0.5),
    p99: at(0.99),
  };
}

process.on(
  'message',
  (order: LoadOrder) => void load(order).then((result) => process.send!(result)),
);
process.on('disconnect', () => process.exit());
