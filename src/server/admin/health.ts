import { Hono } from 'hono';
import type { Exposition } from '../observability/metrics-endpoint.ts';
import type { ReadinessCheck } from '../observability/readiness.ts';

export interface HealthOptions {
  readonly scrape: () => Promise<Exposition>;
  readonly readiness: Pick<ReadinessCheck, 'checkReadiness'>;
}

/** Creates the routes for metrics and readiness. Their responses contain no donor data. */
export function createHealthRoutes({ scrape, readiness }: HealthOptions): Hono {
  const app = new Hono();
  app.get('/metrics', async (c) => {
    const { contentType, text } = await scrape();
    return c.body(text, 200, { 'Content-Type': contentType, 'Cache-Control': 'no-store' });
  });
  app.get('/readyz', async (c) => {
    const report = await readiness.checkReadiness();
    return c.json(report, report.ready ? 200 : 503, { 'Cache-Control': 'no-store' });
  });
  return app;
}
