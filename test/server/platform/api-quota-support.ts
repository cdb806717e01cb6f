import assert from 'node:assert/strict';
import type { Database } from '../../../src/server/database/database.ts';
import {
  ApiQuota,
  type ApiQuotaOptions,
  CallDeferredError,
} from '../../../src/server/platform/api-quota.ts';
import { Outage } from '../donations/faults.ts';
import { formWithPayments } from '../payments/support.ts';
import { startServer, type TestServer, type TestServerOptions } from '../support.ts';

export const SECOND = 1_000;
export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const START = Date.UTC(2026, 10, 21, 10, 0, 0);
export const PLEDGE = { payment: { provider: 'offline' } };
export const PLATFORM_URL = 'https://platform.example';

export const createQuota = (database: Database, options: Partial<ApiQuotaOptions> = {}): ApiQuota =>
  new ApiQuota({ database, organization: 'o', now: () => START, ...options });

/** Creates a platform that responds with given headers and counts its calls. */
export function createPlatform(headers: Record<string, string> = {}): {
  readonly fetch: typeof fetch;
  readonly calls: () => number;
} {
  let calls = 0;
  return {
    fetch: async () => {
      calls += 1;
      return Response.json({}, { headers });
    },
    calls: () => calls,
  };
}

/**
 * Calls until the quota defers a call.
 * @returns the number of calls made, and when the next one is allowed.
 */
export async function useUpQuota(
  call: typeof fetch,
  maximum = 5_000,
): Promise<{ callCount: number; until: number | undefined }> {
  for (let callCount = 0; callCount < maximum; callCount += 1) {
    try {
      await call(PLATFORM_URL);
    } catch (error) {
      if (error instanceof CallDeferredError) return { callCount, until: error.retryAt.getTime() };
      throw error;
    }
  }
  return { callCount: maximum, until: undefined };
}

/** Starts a server that accepts pledges. */
export const startPledgeServer = (options: TestServerOptions): Promise<TestServer> =>
  startServer({ form: formWithPayments, hourlyLimit: 10_000, ...options });

/**
 * Runs jobs and advances the clock until a condition holds.
 * @returns the elapsed seconds on that clock.
 */
export async function runJobsUntil(
  server: TestServer,
  isDone: () => Promise<boolean>,
  advance: () => unknown,
  maximum = 600,
): Promise<number> {
  for (let seconds = 0; seconds < maximum; seconds += 1) {
    await server.handler.runJobs();
    if (await isDone()) return seconds;
    advance();
  }
  return assert.fail(`it did not come true within ${maximum} s`);
}

/** Runs jobs and advances the clock until the platform has a number of gifts. */
export const runJobsUntilRecorded = (
  server: TestServer,
  count: number,
  ...rest: [advance: () => unknown, maximum?: number]
): Promise<number> =>
  runJobsUntil(server, async () => (await server.listActivities()).length === count, ...rest);

/** Makes a pledge of each of several donors. */
export async function pledge(server: TestServer, count: number, advance: () => unknown) {
  for (let index = 0; index < count; index += 1) {
    advance();
    const donor = { lastName: `Souza ${index}`, email: `${index}@example.org` };
    const { status } = await server.submitDonation({ ...PLEDGE, donor });
    assert.equal(status, 'processing');
  }
}

/** Asserts that the platform recorded each gift once, in the order of the donations. */
export async function assertRecordedInOrder(server: TestServer, count: number): Promise<void> {
  const activities = await server.listActivities();
  assert.deepEqual(
    activities.map(({ displayText }) => /Souza (\d+)/.exec(displayText)?.[1]),
    Array.from({ length: count }, (_, index) => String(count - 1 - index)),
  );
}

/** Donates while the platform is down, and checks that all gifts are recorded in order later. */
export async function testPlatformOutage(count: number): Promise<void> {
  let time = START;
  const outage = new Outage(({ url }) => url.includes('/sandbox/gifts'));
  await using server = await startPledgeServer({
    now: () => time,
    intercept: outage.intercept,
  });
  await pledge(server, count, () => (time += 10));
  outage.isDown = false;
  const { outbox } = server.repository;
  await runJobsUntil(
    server,
    async () => (await outbox.findNextDueTime('lanternwell')) === undefined,
    () => (time += MINUTE),
  );
  await assertRecordedInOrder(server, count);
}
