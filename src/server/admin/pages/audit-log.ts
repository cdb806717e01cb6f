import type { CsvRow } from '../../reporting/csv.ts';
import { ActionError, formatIssuesOnOneLine } from '../actions/action-error.ts';
import { auditQuerySchema } from '../actions/input-schemas.ts';
import { listStaff } from '../actions/staff.ts';
import { performAction } from '../actions/staff-actions.ts';
import { listTokens } from '../actions/tokens.ts';
import {
  type AuditItem,
  getAuditTimeZone,
  toAuditItem,
  toAuditQuery,
} from '../read-models/audit-items.ts';
import { formatActor, renderAuditLogPage } from '../views/audit-log.ts';
import type { AdminPageContext } from './page-context.ts';
import type { PageRoutes } from './page-routes.ts';
import { sendCsv } from './send-download.ts';

const formatJson = (values: object | null): string => (values ? JSON.stringify(values) : '');

/** Columns of the export. */
const CELLS: Readonly<Record<string, (item: AuditItem) => string>> = {
  Time: ({ at }) => at,
  Who: formatActor,
  Actor: ({ actorId }) => actorId,
  'IP address': ({ address }) => address,
  Action: ({ action }) => action,
  Organization: ({ organization }) => organization,
  Subject: ({ subject }) => subject,
  Before: ({ before }) => formatJson(before),
  After: ({ after }) => formatJson(after),
  Result: ({ result }) => result,
};

/** Adds the audit log and its export. */
export function addAuditLogPage(routes: PageRoutes): void {
  routes.addPage('/audit-log', 'staff:manage', async (c, context) => {
    const query = readQuery(c);
    const { items } = await performAction('audit.list', query, context.actor, context);
    return renderAuditLogPage(
      { ...c.get('context'), page: '/audit-log' },
      {
        items,
        query,
        actors: [...(await listStaff(context)), ...(await listTokens(context))].map(
          ({ id, name }) => [id, name],
        ),
        timeZone: getAuditTimeZone(context),
      },
    );
  });

  routes.addRoute('GET', '/audit-log/export', 'staff:manage', (c, context) => {
    const { data, error } = auditQuerySchema.safeParse(readQuery(c));
    if (error) throw new ActionError(400, formatIssuesOnOneLine(error));
    const entries = context.auditLog.iterateEntries(toAuditQuery(data, context));
    const rows = (async function* iterateRows(): AsyncGenerator<CsvRow> {
      for await (const entry of entries) yield toRow(toAuditItem(entry));
    })();
    return sendCsv(
      rows,
      'audit-log.csv',
      { columns: Object.keys(CELLS), numberColumns: [] },
      context.log,
    );
  });
}

/** Ignores empty fields, which the form sends. */
function readQuery(c: AdminPageContext): Record<string, string> {
  return Object.fromEntries(Object.entries(c.req.query()).filter(([, value]) => value !== ''));
}

function toRow(item: AuditItem): CsvRow {
  return Object.fromEntries(
    Object.entries(CELLS).map(([column, format]) => [column, format(item)]),
  );
}
