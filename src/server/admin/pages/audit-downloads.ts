import { createMiddleware } from 'hono/factory';
import { describeIntent } from '../actions/audit-description.ts';
import type { AdminContext } from '../admin-context.ts';
import type { PageEnv } from './page-context.ts';
import type { PageRoutes } from './page-routes.ts';

/** Paths of downloads with donor data, and their names in the audit log. */
const DOWNLOADS = {
  '/donations/export': 'donations.export',
  '/donations/:reference/receipts/:number': 'receipts.download',
  '/donations/:reference/statement': 'statements.show',
  '/receipts/export': 'receipts.export',
  '/receipts/archive': 'receipts.download',
  '/statements/archive': 'statements.download',
};

/** Records the downloads of the pages in the audit log. */
export function auditDownloads({ app }: PageRoutes, context: AdminContext): void {
  for (const [path, action] of Object.entries(DOWNLOADS))
    app.use(
      path,
      createMiddleware<PageEnv>(async (c, next) => {
        const { auditLog } = context;
        const actor = c.get('actor');
        const input = { ...c.req.query(), ...c.req.param() };
        const intent = await describeIntent(input, context);
        const entry = await auditLog.begin({ ...intent, actor, action });
        await next();
        await auditLog.finish(entry, c.res.ok ? 'done' : 'failed');
      }),
    );
}
