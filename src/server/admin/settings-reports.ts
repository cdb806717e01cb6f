import { Hono } from 'hono';
import type { IgnoredSettingStats } from '../reporting/ignored-setting-stats.ts';

const USUAL_DAYS = 30;
const MOST_DAYS = 90;

/** What forms ignored of their settings. */
export function reportRoutes({
  ignoredSettings,
}: {
  readonly ignoredSettings: IgnoredSettingStats;
}): Hono {
  const app = new Hono();
  app.get('/ignored-settings', async (c) => {
    const written = c.req.query('days') ?? String(USUAL_DAYS);
    const days = Number(written);
    if (!/^\d{1,2}$/.test(written) || days < 1 || days > MOST_DAYS)
      return c.json(
        { message: `days is '${written}'; expected a number from 1 to ${MOST_DAYS}.` },
        400,
      );
    return c.json({ days, items: await ignoredSettings.report(days) });
  });
  return app;
}
