import { countUndeliveredMessages, listQuotas } from '../../observability/queries.ts';
import type { StaffActionsOptions } from '../actions/staff-action.ts';
import { listOrganizations } from '../actions/organizations.ts';
import { getOverview } from '../read-models/overview.ts';
import type { OverviewData } from '../views/overview.ts';
import type { DonationListPages } from './donation-list-pages.ts';

/**
 * Loads the data for the overview page.
 * @param organizationId ID of the organization for the income and latest donations. Defaults to the
 * first organization.
 */
export async function loadOverviewData(
  options: StaffActionsOptions,
  lists: DonationListPages,
  organizationId: string | undefined,
): Promise<OverviewData> {
  const { database, organizations, now } = options;
  const organization = lists.findOrganization(organizationId);
  const getTimeZone = (id: string): string => organizations.find(id)?.timeZone ?? 'UTC';
  const [overview, summaries, quotas, webhookCounts, income, latest] = await Promise.all([
    getOverview(
      database.db,
      organizations.all.map(({ id }) => id),
      now(),
    ),
    listOrganizations(options),
    listQuotas(organizations.all),
    countUndeliveredMessages(database, organizations.all),
    lists.loadIncome(organization),
    lists.loadLatestDonations(organization),
  ]);
  const backoffs = summaries.flatMap(({ id, name }) =>
    quotas
      .filter((quota) => quota.organization === id)
      .flatMap(({ backoffUntil }) =>
        backoffUntil
          ? [{ organization: name, until: backoffUntil.getTime(), timeZone: getTimeZone(id) }]
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
    getTimeZone,
    usesPlatform: organizations.all.some(({ platform }) => platform.isNone !== true),
    income: { ...income, organizations: summaries },
    latest,
    now: now(),
  };
}
