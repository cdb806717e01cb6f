import { pipeline, Readable } from 'node:stream';
import { isReference } from '../../donations/reference.ts';
import { describeError } from '../../lib/describe-error.ts';
import type { Organization } from '../../organizations/organization.ts';
import { createCsvFormatter, type CsvRow, iterateCells } from '../../reporting/csv.ts';
import { createEntryMatcher } from '../../reporting/donation-filter.ts';
import {
  type ExportLine,
  iterateExportLines,
  listExportColumns,
} from '../../reporting/export-rows.ts';
import { findDonations } from '../../reporting/find-donations.ts';
import { NUMBER_COLUMNS } from '../../reporting/report.ts';
import { TextSealer } from '../access/sealed-text.ts';
import { getOrganizationName, selectOrganization } from '../actions/organizations.ts';
import type { AdminContext } from '../admin-context.ts';
import { buildDonationUrl } from '../read-models/donation-links.ts';
import { createTableOptions, toDonationRow } from '../read-models/donation-rows.ts';
import {
  buildListUrl,
  LIST_FIELDS,
  listPeriodChoices,
  type ListQuery,
  MAX_SEARCH_LENGTH,
  parseListQuery,
} from '../read-models/list-query.ts';
import { type DonationListData, renderDonationListPage } from '../views/donation-list.ts';
import type { PageRoutes } from './page-routes.ts';

const PAGE_SIZE = 50;

type Parameters = Readonly<Record<string, string>>;

/** @param key the admin key, which encrypts searches in URLs. */
export function addDonationListPage(routes: PageRoutes, context: AdminContext, key: string): void {
  const list = new DonationList(context, key);

  routes.addPage('/donations', async (c) => {
    const data = await list.findDonations(c.req.query());
    const { id: organization } = data.organization;
    return renderDonationListPage({ ...c.get('context'), organization, page: '/donations' }, data);
  });

  routes.app.get('/donations/export', (c) => list.exportDonations(c.req.query()));

  routes.addForm('/donations/search', async (c) =>
    c.redirect(await list.createSearchUrl(c.get('fields')), 303),
  );
}

class DonationList {
  readonly #context: AdminContext;
  readonly #sealer: TextSealer;

  constructor(context: AdminContext, key: string) {
    this.#context = context;
    this.#sealer = new TextSealer(key);
  }

  async findDonations(parameters: Parameters): Promise<DonationListData> {
    const { database, organizations, now } = this.#context;
    const organization = selectOrganization(parameters.organization, this.#context);
    const { id, timeZone, forms } = organization;
    const query = this.#parseQuery(parameters, organization);
    const { entries, ...found } = await findDonations(database.db, {
      ...query,
      organization: id,
      limit: PAGE_SIZE,
    });
    const urlFields = { ...query.fields, search: parameters.search ?? '', organization: id };
    return {
      ...createTableOptions(organization),
      organizations: organizations.all.map((one) => ({
        id: one.id,
        name: getOrganizationName(one),
      })),
      organization: { id, name: getOrganizationName(organization) },
      forms: forms.map(({ en }) => en.definition.id),
      periods: listPeriodChoices(now(), timeZone),
      fields: query.fields,
      problem: query.problem,
      found,
      rows: entries.map(toDonationRow),
      isFirstPage: query.after === undefined,
      urls: {
        first: buildListUrl('/donations', urlFields),
        next: found.next && buildListUrl('/donations', urlFields, found.next),
        export: buildListUrl('/donations/export', urlFields),
      },
    };
  }

  /** Returns the URL of the list, with an encrypted search, or of the donation searched for. */
  async createSearchUrl(fields: Parameters): Promise<string> {
    const search = (fields.search ?? '').trim();
    const reference = search.toUpperCase();
    if (isReference(reference)) {
      const { reviewDecisions } = this.#context.repository;
      const history = await reviewDecisions.findDonationHistory(reference);
      if (history) return buildDonationUrl(reference, reference !== history.donation.reference);
    }
    const known = Object.fromEntries(LIST_FIELDS.map((name) => [name, fields[name] ?? '']));
    return buildListUrl('/donations', {
      ...known,
      search: search === '' ? '' : this.#sealer.sealText(search.slice(0, MAX_SEARCH_LENGTH)),
    });
  }

  /** Sends all donations in a list as CSV, oldest first. */
  async exportDonations(parameters: Parameters): Promise<Response> {
    const { database, log } = this.#context;
    const organization = selectOrganization(parameters.organization, this.#context);
    const { id, timeZone } = organization;
    const { period, filter } = this.#parseQuery(parameters, organization);
    const matches = await createEntryMatcher(database.db, id, filter);
    const lines = iterateExportLines(database.db, id, period, timeZone, matches);
    const first = await lines.next();
    const columns = listExportColumns(first.value as Extract<ExportLine, { kind: 'columns' }>);
    const csv = createCsvFormatter({ columns, numberColumns: NUMBER_COLUMNS, hasMark: true });
    pipeline(iterateCells(iterateRows(lines), columns), csv, (error) => {
      // The error interrupts the download. Log it unless the browser canceled the download.
      if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE')
        log.error(describeError(error), 'export aborted');
    });
    return new Response(Readable.toWeb(csv) as ReadableStream, {
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="donations-${id}.csv"`,
      },
    });
  }

  #parseQuery(parameters: Parameters, { timeZone }: Organization): ListQuery {
    const { search: sealed = '' } = parameters;
    const search = sealed === '' ? '' : this.#sealer.openText(sealed);
    const query = parseListQuery(
      { ...parameters, search: search ?? '' },
      { now: this.#context.now(), timeZone },
    );
    if (search !== undefined) return query;
    return {
      ...query,
      problem: 'The server can no longer decrypt the search in this link. Please search again.',
    };
  }
}

async function* iterateRows(lines: AsyncIterable<ExportLine>): AsyncGenerator<CsvRow> {
  for await (const line of lines) if (line.kind === 'row') yield line.row;
}
