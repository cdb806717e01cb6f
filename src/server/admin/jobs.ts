import { DEFAULT_TIMEOUT_SECONDS } from '../jobs/default-timeout.ts';
import { Hono } from 'hono';
import { z } from 'zod';
import type { JobRunSummary, RunDueJobsOptions } from '../background-jobs.ts';
import { formatIssuesOnOneLine } from './command-schemas.ts';

const runJobsSchema = z.strictObject({ timeoutSeconds: z.int().positive() });

/**
 * Creates the route that runs background jobs. With SQLite, only the server that has the database
 * file open can run jobs.
 */
export function createJobRoutes({
  runJobs,
}: {
  readonly runJobs: (options: RunDueJobsOptions) => Promise<JobRunSummary>;
}): Hono {
  const app = new Hono();
  app.post('/api/jobs/run', async (c) => {
    const { data, error } = runJobsSchema.safeParse(await c.req.json().catch(() => undefined));
    if (!data) return c.json({ message: `No jobs were run. ${formatIssuesOnOneLine(error)}` }, 422);
    // The listener closes idle connections after a minute, so the run must be shorter.
    const timeoutSeconds = Math.min(data.timeoutSeconds, DEFAULT_TIMEOUT_SECONDS);
    return c.json(await runJobs({ timeoutSeconds }));
  });
  return app;
}
