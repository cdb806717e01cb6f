import { Hono } from 'hono';
import { getEnumName, GIFT_STATUSES, type GiftStatus } from '../data/enumerations.ts';
import type { Donor, Gift } from '../data/records.ts';
import type { SandboxStore } from '../data/store.ts';
import { type FieldValues, parseQuery } from '../fundraising/query.ts';
import type { QueryOptions } from '../fundraising/query-options.ts';
import { sortByGift } from '../fundraising/sort-gifts.ts';
import { parseJsonBody, parseNonNegativeInteger } from '../lib/request-parsing.ts';
import { formatDay, formatDollars } from './formats.ts';

/** Display name that public clients use for the status of a gift with a lost dispute. */
const CHARGEBACK = 'ChargeBack';

/** Name and numeric value of the gift query type. Clients can send either value. */
const GIFT_QUERY_TYPES = ['Gift', 3];

interface GiftOfDonor {
  readonly gift: Gift;
  readonly donor: Donor | undefined;
}

/** Functions that return a gift's column values, keyed by the column's display name. */
const COLUMNS: Readonly<Record<string, (row: GiftOfDonor) => string>> = {
  Id: ({ gift }) => String(gift.id),
  Date: ({ gift }) => formatDay(gift.created),
  'Project(s)': ({ gift }) => gift.allocations.map(({ name }) => name).join(', '),
  Amount: ({ gift }) => formatDollars(gift.total),
  'Tender Type Info': ({ gift }) => TENDER_TYPES[gift.method],
  'Donor Id': ({ gift }) => String(gift.donorId),
  'Donor First Name': ({ donor }) => donor?.firstName ?? '',
  'Donor Last Name': ({ donor }) => donor?.lastName ?? '',
  'Donor Email': ({ donor }) => donor?.email ?? '',
  'Donor Phone': ({ donor }) => donor?.phone ?? '',
  'Billing Address Line 1': ({ donor }) => donor?.address?.address1 ?? '',
  'Billing Address Line 2': () => '',
  'Billing Address City': ({ donor }) => donor?.address?.city ?? '',
  'Billing Address State': ({ donor }) => donor?.address?.state ?? '',
  'Billing Address Postal': ({ donor }) => donor?.address?.postal ?? '',
  'Billing Address Country': ({ donor }) => donor?.address?.country ?? '',
  Status: ({ gift }) => getStatusName(gift.status),
  'Transaction Id': ({ gift }) => gift.reference,
};

const TENDER_TYPES: Readonly<Record<Gift['method'], string>> = {
  card: 'Visa x4242',
  bank: 'ACH Checking x0556',
  wallet: 'Visa x7923',
  check: 'Check',
};

const GIFT_QUERY: QueryOptions = {
  parameters: [
    { name: 'Id', type: 'number', operators: ['Is', 'GreaterThan', 'GreaterThanOrEqual'] },
    { name: 'Transaction Id', type: 'string', operators: ['Is', 'IsAnyOf'] },
    {
      name: 'Create Date',
      type: 'date',
      operators: ['Is', 'LessThan', 'LessThanOrEqual', 'GreaterThan', 'GreaterThanOrEqual'],
    },
    {
      name: 'Status',
      type: 'enum',
      operators: ['Is', 'IsAnyOf', 'IsNoneOf'],
      values: [...Object.keys(GIFT_STATUSES), CHARGEBACK],
    },
  ],
  columns: Object.keys(COLUMNS),
};

/**
 * Creates the gift query route that public clients call. Each item in the response has a `metadata`
 * array in the order of the selected columns.
 */
export function createGiftQueryRoutes({ store }: { readonly store: SandboxStore }): Hono {
  const app = new Hono();

  app.post('/query', async (c) => {
    const body = await parseJsonBody(c);
    const skip = parseNonNegativeInteger('skip', String(body.skip));
    const take = parseNonNegativeInteger('take', String(body.take));
    const { matches, columns = GIFT_QUERY.columns } = parseQuery(body, GIFT_QUERY_TYPES, {
      options: GIFT_QUERY,
      acceptsValues: true,
    });
    const rows = listRows(store).filter(({ gift }) => matches(getFieldValues(gift)));
    const sorted = sortByGift(rows, ({ gift }) => gift, {
      sortBy: body.sortBy,
      isDescending: body.descending === true,
    });
    return c.json({
      items: sorted.slice(skip, skip + take).map((row) => toItem(row, columns)),
      total: rows.length,
    });
  });
  return app;
}

function listRows(store: SandboxStore): GiftOfDonor[] {
  const donors = new Map(store.listDonors().map((donor) => [donor.id, donor]));
  return store.listGifts().map((gift) => ({ gift, donor: donors.get(gift.donorId) }));
}

const getFieldValues = (gift: Gift): FieldValues => ({
  Id: gift.id,
  'Transaction Id': gift.reference,
  'Create Date': gift.created.slice(0, 10),
  Status: getStatusName(gift.status),
});

function getStatusName(status: GiftStatus): string {
  return status === GIFT_STATUSES['Disputed (Lost)']
    ? CHARGEBACK
    : getEnumName(GIFT_STATUSES, status);
}

function toItem(row: GiftOfDonor, columns: readonly string[]): object {
  return {
    id: row.gift.id,
    isAnonymous: row.gift.isAnonymous,
    metadata: columns.map((column) => COLUMNS[column]!(row)),
    projects: row.gift.allocations.map(({ name, amount }) => ({
      name,
      amount: formatDollars(amount),
    })),
  };
}
