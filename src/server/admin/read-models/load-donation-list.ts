import type { Organization } from '../../organizations/organization.ts';
import { findSearchedDonorKey } from '../../reporting/donation-filter.ts';
import { findDonations } from '../../reporting/find-donations.ts';
import type { ActorContext } from '../access/actor-context.ts';
import type { TextSealer } from '../access/sealed-text.ts';
import { getOrganizationName, selectOrganization } from '../actions/organizations.ts';
import { createTableOptions, toDonationRow } from './donation-rows.ts';
import { buildListUrl, listPeriodChoices, parseListQuery } from './list-query.ts';

const PAGE_SIZE = 50;

/** URL parameters of the list, in which the search is encrypted. */
export type ListParameters = Readonly<Record<string, string>>;
export type DonationListData = Awaited<ReturnType<typeof loadDonationList>>;

export async function loadDonationList(
  parameters: ListParameters,
  context: ActorContext,
  sealer: TextSealer,
) {
  const { database, organizations, now } = context;
  const organization = selectOrganization(parameters.organization, context);
  const { id, timeZone, forms } = organization;
  const query = parseSealedQuery(parameters, organization, now(), sealer);
  const { entries, ...found } = await findDonations(database.db, {
    ...query,
    donorKey: await findSearchedDonorKey(database, id, query.filter),
    organization: id,
    limit: PAGE_SIZE,
  });
  const urlFields = { ...query.fields, search: parameters.search ?? '', organization: id };
  return {
    ...createTableOptions(organization),
    organizations: organizations.all.map((one) => ({ id: one.id, name: getOrganizationName(one) })),
    organization: { id, name: getOrganizationName(organization) },
    forms: forms.map(({ en }) => en.definition.id),
    periods: listPeriodChoices(now(), timeZone),
    fields: query.fields,
    problem: query.problem,
    found,
    rows: entries.map(toDonationRow),
    isFirstPage: query.after === undefined,
    /** URLs of the first page, the next page (if there is one), and the export. */
    urls: {
      first: buildListUrl('/donations', urlFields),
      next: found.next && buildListUrl('/donations', urlFields, found.next),
      export: buildListUrl('/donations/export', urlFields),
    },
  };
}

export function parseSealedQuery(
  parameters: ListParameters,
  { id, timeZone }: Organization,
  now: number,
  sealer: TextSealer,
) {
  const { search: sealed = '' } = parameters;
  const search = sealed === '' ? '' : sealer.openText(sealed, id);
  const query = parseListQuery({ ...parameters, search: search ?? '' }, { now, timeZone });
  if (search !== undefined) return query;
  return {
    ...query,
    problem: 'The server can no longer decrypt the search in this link. Please search again.',
  };
}
