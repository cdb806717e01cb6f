/**
 * Sends donations for a while from a separate process. Each donor has its own connection and sends
 * the next donation as soon as the previous one gets a response.
 */
import { randomBytes } from 'node:crypto';
import { Pool } from 'undici';
import { createDonationRequest } from './donors.ts';
import { ORIGIN, getDonorIp, type FetchedForm } from './world.ts';

export interface LoadOptions {
  /** URLs of the servers, which the donors use in turn. */
  readonly urls: readonly string[];
  readonly form: FetchedForm;
  readonly donors: number;
  readonly milliseconds: number;
  /** Stops after this many requests, even before the time is up. */
  readonly maxRequests?: number;
}

export interface LoadResult {
  /** Responses with status 200 or 202. */
  readonly succeeded: number;
  /** Other responses, and requests without a response. */
  readonly failed: number;
  readonly milliseconds: number;
  /** Response times in milliseconds. */
  readonly median: number;
  readonly p99: number;
}

async function sendDonations({
  urls,
  form,
  donors,
  milliseconds,
  maxRequests = Infinity,
}: LoadOptions): Promise<LoadResult> {
  const pools = urls.map(
    (url) => new Pool(url, { connections: Math.ceil(donors / urls.length), pipelining: 1 }),
  );
  const times: number[] = [];
  const body = JSON.stringify(createDonationRequest(0, form, { provider: 'offline' }));
  const start = performance.now();
  const end = start + milliseconds;
  let sent = 0;
  let failed = 0;
  await Promise.all(
    Array.from({ length: donors }, async (_, donor) => {
      const pool = pools[donor % pools.length]!;
      while (sent < maxRequests && performance.now() < end) {
        sent += 1;
        const sentAt = performance.now();
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
              getDonorIp(sent),
            ],
            body: body.replace('Souza 0', `Souza ${sent}`).replace('ana.0@', `ana.${sent}@`),
          })
          .then(
            async (response) => {
              await response.body.dump();
              return response.statusCode;
            },
            () => 0,
          );
        times.push(performance.now() - sentAt);
        if (status !== 200 && status !== 202) failed += 1;
      }
    }),
  );
  const duration = performance.now() - start;
  await Promise.all(pools.map((pool) => pool.close()));
  times.sort((a, b) => a - b);
  const getQuantile = (part: number): number => times[Math.floor((times.length - 1) * part)] ?? 0;
  return {
    succeeded: times.length - failed,
    failed,
    milliseconds: duration,
    median: getQuantile(0.5),
    p99: getQuantile(0.99),
  };
}

process.on(
  'message',
  (options: LoadOptions) => void sendDonations(options).then((result) => process.send!(result)),
);
process.on('disconnect', () => process.exit());
