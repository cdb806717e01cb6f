import { Hono } from 'hono';
import type { IgnoredSettingStats } from '../reporting/ignored-setting-stats.ts';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 90;

/** Creates the route for the report on settings that forms ignored. */
export function createSettingsReportRoutes({
  ignoredSettingStats,
}: {
  readonly ignoredSettingStats: IgnoredSettingStats;
}): Hono {
  const app = new Hono();
  app.get('/settings-report', async (c) => {
    const daysParameter = c.req.query('days') ?? String(DEFAULT_DAYS);
    const days = Number(daysParameter);
    if (!/^\d{1,2}$/.test(daysParameter) || days < 1 || days > MAX_DAYS)
      return c.json(
        { message: `days is '${daysParameter}'; expected an integer from 1 to ${MAX_DAYS}.` },
        400,
      );
    return c.json({ days, items: await ignoredSettingStats.writeAndListCounts(days) });
  });
  return app;
}
