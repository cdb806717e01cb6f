import { formatCount } from '@donation-form/core/i18n';
import { listPendingMigrations } from './database-state.ts';

/**
 * Describes this release's pending migrations in a sentence that starts with a space.
 * @param appliedMigrations names of the migrations that the database already has.
 * @returns an empty string if the tables are up to date.
 */
export function describePendingMigrations(appliedMigrations: readonly string[]): string {
  const count = listPendingMigrations({ appliedMigrations }).length;
  if (count === 0) return '';
  return ` The server will run ${formatCount(count, 'migration')} when it starts.`;
}
