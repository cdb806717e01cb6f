/** Parts of queries that find the few unfinished rows among millions of donations. */
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from './schema.ts';

/** The plus keeps SQLite from using the index on `created_at`, which would read all donations. */
export const OLDEST_FIRST = sql`+created_at`;

/** Needs one index lookup for each organization. */
const STORED_ORGANIZATIONS = sql<{ id: string }>`WITH RECURSIVE ids (id) AS (
    SELECT min(organization) FROM donations
    UNION ALL
    SELECT (SELECT min(organization) FROM donations WHERE organization > ids.id)
    FROM ids WHERE ids.id IS NOT NULL
  ) SELECT id FROM ids WHERE id IS NOT NULL`;

export async function listStoredOrganizations(
  db: Pick<Kysely<Tables>, 'getExecutor'>,
): Promise<string[]> {
  const { rows } = await STORED_ORGANIZATIONS.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Matches rows of the organizations, or of all. A query by status needs it, because the indexes
 * start with the organization.
 */
export function isOfOrganizations(ids: readonly string[] | undefined): RawBuilder<boolean> {
  if (ids?.length === 0) return sql<boolean>`1 = 0`;
  return sql<boolean>`organization IN (${ids ? sql.join(ids) : STORED_ORGANIZATIONS})`;
}
