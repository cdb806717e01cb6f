import type { z } from 'zod';
import type { AuditEntryRow } from '../../database/schema.ts';
import { parsePeriod } from '../../lib/period.ts';
import type { AuditQuery } from '../../staff/audit-log.ts';
import type { ActorContext } from '../access/actor-context.ts';
import type { auditQuerySchema } from '../actions/input-schemas.ts';

/** An entry of the audit log. `at` is ISO 8601. */
export interface AuditItem extends Omit<AuditEntryRow, 'at' | 'before' | 'after' | 'result'> {
  readonly at: string;
  readonly before: object | null;
  readonly after: object | null;
  /** `unknown` while an action runs, and if the server stopped before the action ended. */
  readonly result: 'done' | 'failed' | 'unknown';
}

/** @throws {InvalidPeriodError} */
export function toAuditQuery(
  { from = '1970-01-01', to = '9999-12-31', ...query }: z.output<typeof auditQuerySchema>,
  context: ActorContext,
): AuditQuery {
  return {
    ...query,
    ...parsePeriod(from, to, getAuditTimeZone(context)),
    permitted: context.permitted,
  };
}

export function toAuditItem({ at, before, after, result, ...entry }: AuditEntryRow): AuditItem {
  const parse = (json: string | null) => (json === null ? null : (JSON.parse(json) as object));
  return {
    ...entry,
    at: new Date(at).toISOString(),
    before: parse(before),
    after: parse(after),
    result: result ?? 'unknown',
  };
}

export function getAuditTimeZone({ organizations }: Pick<ActorContext, 'organizations'>): string {
  return organizations.all[0]!.timeZone;
}
