import { pipeline, Readable } from 'node:stream';
import { describeError } from '../../lib/describe-error.ts';
import { isReference } from '../../donations/reference.ts';
import type { Organization } from '../../organizations/organization.ts';
import { createCsvFormatter, iterateCells, type CsvRow } from '../../reporting/csv.ts';
import { createEntryMatcher } from '../../reporting/donation-filter.ts';
import { listExportColumns } from '../../reporting/export-columns.ts';
import { iterateExportLines, type ExportLine } from '../../reporting/export-rows.ts';
import { findDonations } from '../../reporting/find-donations.ts';
import { NUMBER_COLUMNS } from '../../reporting/ledger-columns.ts';
import type { StaffActionsOptions } from '../actions/staff-action.ts';
import { buildDonationUrl, buildGiftUrl } from '../read-models/donation-links.ts';
import { toDonationRow } from '../read-models/donation-rows.ts';
import { IncomeCache, isInTestMode } from '../read-models/income-cache.ts';
import { listPeriodChoices } from '../read-models/list-periods.ts';
import {
  buildListUrl,
  LIST_FIELDS,
  MAX_SEARCH_LENGTH,
  parseListQuery,
  type ListQuery,
} from '../read-models/list-query.ts';
import { getOrganizationName } from '../actions/organizations.ts';
import type { DonationListData } from '../views/donation-list.ts';
import type { DonationTableOptions } from '../views/donation-table.ts';
import type { IncomeSection } from '../views/income.ts';
import type { OverviewData } from '../views/overview.ts';
import { TextSealer } from '../access/sealed-text.ts';

const PAGE_SIZE = 50;
const LATEST_DONATIONS = 10;

type Parameters = Readonly<Record<string, string>>;

export interface DonationListPagesOptions extends Pick<
  StaffActionsOptions,
  'repository' | 'organizations' | 'database' | 'log' | 'now'
> {
  /** The admin key, which encrypts searches in URLs. */
  readonly key: string | undefined;
}

/** Loads one organization's donations and income for the admin pages. */
export class DonationListPages {
  readonly #options: DonationListPagesOptions;
  readonly #sealer: TextSealer;
  readonly #incomeCache: IncomeCache;

  constructor(options: DonationListPagesOptions) {
    this.#options = options;
    this.#sealer = new TextSealer(options.key ?? '');
    this.#incomeCache = new IncomeCache(options);
  }

  /** Finds an organization by ID. Returns the first organization for an undefined or unknown ID. */
  findOrganization(id: string | undefined): Organization {
    const { organizations } = this.#options;
    return organizations.find(id ?? '') ?? organizations.all[0]!;
  }

  async loadIncome(organization: Organization): Promise<Omit<IncomeSection, 'organizations'>> {
    const { id, timeZone } = organization;
    return { organization: id, timeZone, ...(await this.#incomeCache.getIncome(organization)) };
  }

  async loadLatestDonations(organization: Organization): Promise<OverviewData['latest']> {
    const { entries } = await findDonations(this.#options.database.db, {
      organization: organization.id,
      period: { from: 0, to: Number.MAX_SAFE_INTEGER },
      filter: {},
      limit: LATEST_DONATIONS,
      maxEntriesCounted: 0,
    });
    return { ...createTableOptions(organization), rows: entries.map(toDonationRow) };
  }

  /** Loads a page of the donation list. @param parameters URL parameters. */
  async findDonations(parameters: Parameters): Promise<DonationListData> {
    const { database, organizations, now } = this.#options;
    const organization = this.findOrganization(parameters.organization);
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

  /**
   * Returns the URL of the donation list for a submitted filter form, with the search encrypted. If
   * the search is a known reference, returns the URL of its donation instead.
   */
  async createSearchUrl(fields: Parameters): Promise<string> {
    const search = (fields.search ?? '').trim();
    const reference = search.toUpperCase();
    if (isReference(reference)) {
      const { reviewDecisions } = this.#options.repository;
      const history = await reviewDecisions.findDonationHistory(reference);
      if (history) return buildDonationUrl(reference, reference !== history.donation.reference);
    }
    const known = Object.fromEntries(LIST_FIELDS.map((name) => [name, fields[name] ?? '']));
    return buildListUrl('/donations', {
      ...known,
      search: search === '' ? '' : this.#sealer.sealText(search.slice(0, MAX_SEARCH_LENGTH)),
    });
  }

  /**
   * Sends all donations in a list as CSV, oldest first.
   * @param parameters URL parameters of the list.
   */
  async exportDonations(parameters: Parameters): Promise<Response> {
    const { database, log } = this.#options;
    const organization = this.findOrganization(parameters.organization);
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
        'Cache-Control': 'no-store',
      },
    });
  }

  #parseQuery(parameters: Parameters, { timeZone }: Organization): ListQuery {
    const { search: sealed = '' } = parameters;
    const search = sealed === '' ? '' : this.#sealer.openText(sealed);
    const query = parseListQuery(
      { ...parameters, search: search ?? '' },
      { now: this.#options.now(), timeZone },
    );
    if (search !== undefined) return query;
    return {
      ...query,
      problem: 'The server can no longer decrypt the search in this link. Please search again.',
    };
  }
}

function createTableOptions(organization: Organization): DonationTableOptions {
  return {
    timeZone: organization.timeZone,
    isTest: isInTestMode(organization),
    usesPlatform: organization.platform.isNone !== true,
    getGiftUrl: (id) => buildGiftUrl(organization, id),
  };
}

async function* iterateRows(lines: AsyncIterable<ExportLine>): AsyncGenerator<CsvRow> {
  for await (const line of lines) if (line.kind === 'row') yield line.row;
}
