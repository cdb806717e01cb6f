import { isReference } from '../../donations/reference.ts';
import type { CsvRow } from '../../reporting/csv.ts';
import { createEntryMatcher, findSearchedDonorKey } from '../../reporting/donation-filter.ts';
import {
  type ExportLine,
  iterateExportLines,
  listExportColumns,
} from '../../reporting/export-rows.ts';
import { NUMBER_COLUMNS } from '../../reporting/report.ts';
import type { ActorContext } from '../access/actor-context.ts';
import { TextSealer } from '../access/sealed-text.ts';
import { findRequestedOrganization, selectOrganization } from '../actions/organizations.ts';
import { buildDonationUrl } from '../read-models/donation-links.ts';
import { buildListUrl, LIST_FIELDS, MAX_SEARCH_LENGTH } from '../read-models/list-query.ts';
import {
  type ListParameters,
  loadDonationList,
  parseSealedQuery,
} from '../read-models/load-donation-list.ts';
import { renderDonationListPage } from '../views/donation-list.ts';
import type { PageFields } from './page-context.ts';
import type { PageRoutes } from './page-routes.ts';
import { sendCsv } from './send-download.ts';

type Columns = Extract<ExportLine, { kind: 'columns' }>;

/** @param key the admin key, which encrypts searches in URLs. */
export function addDonationListPage(routes: PageRoutes, key: string): void {
  const sealer = new TextSealer(key);

  routes.addPage('/donations', 'donations:read', async (c, context) => {
    const data = await loadDonationList(c.req.query(), context, sealer);
    const { id: organization } = data.organization;
    return renderDonationListPage({ ...c.get('context'), organization, page: '/donations' }, data);
  });

  routes.addDownload('/donations/export', 'records:export', 'donations.export', (c, context) =>
    exportDonations(c.req.query(), context, sealer),
  );

  routes.addForm('/donations/search', 'donations:read', async (c, context) =>
    c.redirect(await createSearchUrl(c.get('fields'), context, sealer), 303),
  );
}

/** Returns the URL of the list, with an encrypted search, or of the donation searched for. */
async function createSearchUrl(
  fields: PageFields,
  context: ActorContext,
  sealer: TextSealer,
): Promise<string> {
  const { repository, isPermitted } = context;
  const { id: organization } = selectOrganization(fields.organization, context);
  const search = (fields.search ?? '').trim();
  const reference = search.toUpperCase();
  if (isReference(reference)) {
    const history = await repository.reviewDecisions.findDonationHistory(reference);
    if (history && isPermitted(history.donation.organization))
      return buildDonationUrl(reference, reference !== history.donation.reference);
  }
  const known = Object.fromEntries(LIST_FIELDS.map((name) => [name, fields[name] ?? '']));
  return buildListUrl('/donations', {
    ...known,
    search: search === '' ? '' : sealer.sealText(search.slice(0, MAX_SEARCH_LENGTH), organization),
  });
}

/** Sends all donations in a list as CSV, oldest first. */
async function exportDonations(
  parameters: ListParameters,
  context: ActorContext,
  sealer: TextSealer,
): Promise<Response> {
  const { database, log, now } = context;
  const organization = findRequestedOrganization(parameters.organization, context);
  const { id, timeZone } = organization;
  const { period, filter } = parseSealedQuery(parameters, organization, now(), sealer);
  const lines = iterateExportLines(database.db, id, period, timeZone, {
    isIncluded: await createEntryMatcher(database.db, id, filter),
    donorKey: await findSearchedDonorKey(database, id, filter),
  });
  const first = await lines.next();
  const options = {
    columns: listExportColumns(first.value as Columns),
    numberColumns: NUMBER_COLUMNS,
  };
  return sendCsv(iterateRows(lines), `donations-${id}.csv`, options, log);
}

async function* iterateRows(lines: AsyncIterable<ExportLine>): AsyncGenerator<CsvRow> {
  for await (const line of lines) if (line.kind === 'row') yield line.row;
}
