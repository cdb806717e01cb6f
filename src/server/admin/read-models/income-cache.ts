import type { Database } from '../../database/database.ts';
import type { Organization } from '../../organizations/organization.ts';
import { countIncome } from '../../reporting/income.ts';
import type { AdminContext } from '../admin-context.ts';

/** Cache duration as a multiple of the counting time, so that counting takes at most 2%. */
const CACHE_RATIO = 50;

/** Counts and caches each organization's income. Concurrent requests share one calculation. */
export class IncomeCache {
  readonly #context: Pick<AdminContext, 'database' | 'now'>;
  readonly #entries = new Map<
    string,
    { readonly income: ReturnType<typeof countOrganizationIncome>; staleAt: number }
  >();

  constructor(context: Pick<AdminContext, 'database' | 'now'>) {
    this.#context = context;
  }

  getIncome(organization: Organization): ReturnType<typeof countOrganizationIncome> {
    const { id } = organization;
    const { database, now } = this.#context;
    const cached = this.#entries.get(id);
    if (cached && now() < cached.staleAt) return cached.income;
    const startedAt = performance.now();
    const income = countOrganizationIncome(organization, database, now());
    const entry = { income, staleAt: Infinity };
    this.#entries.set(id, entry);
    income.then(
      ({ report }) => {
        entry.staleAt = report.asOf + CACHE_RATIO * (performance.now() - startedAt);
      },
      () => this.#entries.delete(id),
    );
    return income;
  }
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
