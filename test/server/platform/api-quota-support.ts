import assert from 'node:assert/strict';
import { CallDeferredError } from '../../../src/server/platform/api-quota.ts';
import type { TestServer } from '../support.ts';

export const SECOND = 1_000;
export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const START = Date.UTC(2026, 10, 21, 10, 0, 0);

/** Creates a platform that responds with given headers and counts its calls. */
export function createPlatform(headers: () => Record<string, string> = () => ({})): {
  readonly fetch: typeof fetch;
  readonly calls: () => number;
} {
  let calls = 0;
  return {
    fetch: async () => {
      calls += 1;
      return Response.json({}, { headers: headers() });
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
      await call('https://platform.example');
    } catch (error) {
      if (error instanceof CallDeferredError) return { callCount, until: error.retryAt.getTime() };
      throw error;
    }
  }
  return { callCount: maximum, until: undefined };
}

/**
 * Runs jobs and advances the clock until a condition holds.
 * @returns the elapsed seconds on that clock.
 */
export async function runJobsUntil(
  server: TestServer,
  isDone: () => Promise<boolean>,
  advance: () => void,
  maximum = 600,
): Promise<number> {
  for (let seconds = 0; seconds < maximum; seconds += 1) {
    await server.handler.runJobs();
    if (await isDone()) return seconds;
    advance();
  }
  return assert.fail(`it did not come true within ${maximum} s`);
}
