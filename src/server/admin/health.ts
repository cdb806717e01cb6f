import { Hono } from 'hono';
import type { ReadinessCheck } from '../observability/readiness.ts';
import type { Exposition } from '../observability/metrics-endpoint.ts';

export interface WatchOptions {
  readonly scrape: () => Promise<Exposition>;
  readonly readiness: Pick<ReadinessCheck, 'ask'>;
}

/** For what watches the server: nothing here names a donor. */
export function watchRoutes({ scrape, readiness }: WatchOptions): Hono {
  const app = new Hono();
  app.get('/metrics', async (c) => {
    const { contentType, text } = await scrape();
    return c.body(text, 200, { 'Content-Type': contentType, 'Cache-Control': 'no-store' });
  });
  app.get('/readyz', async (c) => {
    const answer = await readiness.ask();
    return c.json(answer, answer.ready ? 200 : 503, { 'Cache-Control': 'no-store' });
  });
  return app;
}
