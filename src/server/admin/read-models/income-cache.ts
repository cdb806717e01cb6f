import type { Database } from '../../database/database.ts';
import type { Organization } from '../../organizations/organization.ts';
import { countIncome } from '../../reporting/income.ts';
import type { AdminContext } from '../admin-context.ts';

/** Cache duration as a multiple of the counting time, so that counting takes at most 2%. */
const CACHE_RATIO = 50;

/**
 * Creates a function that counts and caches an organization's income. Concurrent requests share one
 * calculation.
 */
export function createIncomeCache({ database, now }: Pick<AdminContext, 'database' | 'now'>) {
  type CachedIncome = ReturnType<typeof countOrganizationIncome>;
  const entries = new Map<string, { readonly income: CachedIncome; staleAt: number }>();
  return (organization: Organization): CachedIncome => {
    const { id } = organization;
    const cached = entries.get(id);
    if (cached && now() < cached.staleAt) return cached.income;
    const startedAt = performance.now();
    const income = countOrganizationIncome(organization, database, now());
    const entry = { income, staleAt: Infinity };
    entries.set(id, entry);
    income.then(
      ({ report }) => {
        entry.staleAt = report.asOf + CACHE_RATIO * (performance.now() - startedAt);
      },
      () => entries.delete(id),
    );
    return income;
  };
}

/** Counts test donations if all forms are in test mode, and real donations otherwise. */
async function countOrganizationIncome(organization: Organization, { db }: Database, now: number) {
  const { id, timeZone } = organization;
  const isTest = isInTestMode(organization);
  const report = await countIncome(db, { organization: id, timeZone, isTest, now });
  return { report, isTest };
}

export function isInTestMode({ forms }: Pick<Organization, 'forms'>): boolean {
  return forms.every(({ en }) => en.definition.isTest);
}
