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
  const { database, formRegistry, now } = options;
  const organization = lists.findOrganization(organizationId);
  const getTimeZone = (id: string): string => formRegistry.findOrganization(id)?.timeZone ?? 'UTC';
  const [overview, organizations, quotas, webhookCounts, income, latest] = await Promise.all([
    getOverview(
      database.db,
      formRegistry.organizations.map(({ id }) => id),
      now(),
    ),
    listOrganizations(options),
    listQuotas(formRegistry),
    countUndeliveredMessages(database, formRegistry),
    lists.loadIncome(organization),
    lists.loadLatestDonations(organization),
  ]);
  const backoffs = organizations.flatMap(({ id, name }) =>
    quotas
      .filter((quota) => quota.organization === id)
      .flatMap(({ backoffUntil }) =>
        backoffUntil
          ? [{ organization: name, until: backoffUntil.getTime(), timeZone: getTimeZone(id) }]
          : [],
      ),
  );
  const failedWebhooks = organizations
    .map(({ id, name }) => ({
      organization: name,
      count: webhookCounts
        .filter((count) => count.organization === id && count.status !== 'pending')
        .reduce((sum, { count }) => sum + count, 0),
    }))
    .filter(({ count }) => count > 0);
  return {
    overview,
    organizations,
    backoffs,
    failedWebhooks,
    getTimeZone,
    usesPlatform: formRegistry.organizations.some(({ platform }) => platform.isNone !== true),
    income: { ...income, organizations },
    latest,
    now: now(),
  };
}
