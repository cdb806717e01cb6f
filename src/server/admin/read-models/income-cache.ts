import type { Database } from '../../database/database.ts';
import { countIncome, type IncomeReport } from '../../reporting/income.ts';
import type { Organization } from '../../organizations/organization.ts';

/** Cache duration as a multiple of the counting time, so that counting takes at most 2%. */
const CACHE_RATIO = 50;

export interface OrganizationIncome {
  readonly report: IncomeReport;
  readonly isTest: boolean;
}

export class IncomeCache {
  readonly #database: Database;
  readonly #now: () => number;
  readonly #entries = new Map<
    string,
    { readonly income: Promise<OrganizationIncome>; staleAt: number }
  >();

  constructor({ database, now }: { readonly database: Database; readonly now: () => number }) {
    this.#database = database;
    this.#now = now;
  }

  /** Returns an organization's income. Concurrent requests share one calculation. */
  getIncome(organization: Organization): Promise<OrganizationIncome> {
    const { id } = organization;
    const cached = this.#entries.get(id);
    if (cached && this.#now() < cached.staleAt) return cached.income;
    const startedAt = performance.now();
    const entry = { income: this.#countIncome(organization), staleAt: Infinity };
    this.#entries.set(id, entry);
    entry.income.then(
      ({ report }) => {
        entry.staleAt = report.asOf + CACHE_RATIO * (performance.now() - startedAt);
      },
      () => this.#entries.delete(id),
    );
    return entry.income;
  }

  /** Counts test donations if all forms are in test mode, and real donations otherwise. */
  async #countIncome(organization: Organization): Promise<OrganizationIncome> {
    const { id, timeZone } = organization;
    const isTest = isInTestMode(organization);
    const report = await countIncome(this.#database.db, {
      organization: id,
      timeZone,
      isTest,
      now: this.#now(),
    });
    return { report, isTest };
  }
}

export function isInTestMode({ forms }: Pick<Organization, 'forms'>): boolean {
  return forms.every(({ en }) => en.definition.isTest);
}
