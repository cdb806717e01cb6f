import { countUndeliveredMessages, listQuotas } from '../../observability/queries.ts';
import type { Organization } from '../../organizations/organization.ts';
import { findDonations } from '../../reporting/find-donations.ts';
import { getTimeZone, listOrganizations, selectOrganization } from '../actions/organizations.ts';
import type { AdminContext } from '../admin-context.ts';
import { toDonationRow } from '../read-models/donation-rows.ts';
import { IncomeCache } from '../read-models/income-cache.ts';
import { getOverview } from '../read-models/overview.ts';
import { type OverviewData, renderOverviewPage } from '../views/overview.ts';
import { createTableOptions } from './donation-list.ts';
import type { PageRoutes } from './page-routes.ts';

const LATEST_DONATIONS = 10;

/** Adds the overview and the forms that pause and resume organizations. */
export function addOverviewPage(routes: PageRoutes, context: AdminContext): void {
  const incomeCache = new IncomeCache(context);

  routes.addPage('/', async (c) => {
    const organization = selectOrganization(c.req.query('organization'), context);
    const data = await loadOverviewData(context, incomeCache, organization);
    return renderOverviewPage(
      { ...c.get('context'), organization: organization.id, page: '/' },
      data,
    );
  });

  for (const name of ['pause', 'resume'] as const)
    routes.addActionForm(`/organizations/:id/${name}`, `organizations.${name}`, {
      formatOutput: ({ result }) => result,
    });
}

/** @param organization organization for the income and the latest donations. */
async function loadOverviewData(
  context: AdminContext,
  incomeCache: IncomeCache,
  organization: Organization,
): Promise<OverviewData> {
  const { database, organizations, now } = context;
  const { id: organizationId, timeZone } = organization;
  const [overview, summaries, quotas, webhookCounts, income, latest] = await Promise.all([
    getOverview(
      database.db,
      organizations.all.map(({ id }) => id),
      now(),
    ),
    listOrganizations(context),
    listQuotas(organizations.all),
    countUndeliveredMessages(database, organizations.all),
    incomeCache.getIncome(organization),
    findDonations(database.db, {
      organization: organizationId,
      period: { from: 0, to: Number.MAX_SAFE_INTEGER },
      filter: {},
      limit: LATEST_DONATIONS,
      maxEntriesCounted: 0,
    }),
  ]);
  const backoffs = summaries.flatMap(({ id, name }) =>
    quotas
      .filter((quota) => quota.organization === id)
      .flatMap(({ backoffUntil }) =>
        backoffUntil
          ? [
              {
                organization: name,
                until: backoffUntil.getTime(),
                timeZone: getTimeZone(id, context),
              },
            ]
          : [],
      ),
  );
  const failedWebhooks = summaries
    .map(({ id, name }) => ({
      organization: name,
      count: webhookCounts
        .filter((count) => count.organization === id && count.status !== 'pending')
        .reduce((sum, { count }) => sum + count, 0),
    }))
    .filter(({ count }) => count > 0);
  return {
    overview,
    organizations: summaries,
    backoffs,
    failedWebhooks,
    getTimeZone: (id) => getTimeZone(id, context),
    usesPlatform: organizations.all.some(({ platform }) => platform.isNone !== true),
    income: { ...income, organization: organizationId, timeZone, organizations: summaries },
    latest: {
      ...createTableOptions(organization),
      rows: latest.entries.map(toDonationRow),
    },
    now: now(),
  };
}
