import type { Kysely } from 'kysely';
import type { DonationPayload, Tables } from '../database/schema.ts';
import type { Period } from '../lib/period.ts';
import { iterateLedgerEntryPages, type LedgerEntry } from './ledger-entries.ts';
import { isReportedInLedger, toLedgerRow } from './ledger-rows.ts';
import { DONATION_COLUMNS, PAYMENT_COLUMNS } from './report.ts';

/** One line of an export: the list of columns, a row, or the end of the export. */
export type ExportLine =
  /** IDs that have their own columns. `omitted` counts the fields in {@link OTHER_FIELDS}. */
  | {
      readonly kind: 'columns';
      readonly customFields: readonly string[];
      readonly omitted: number;
      readonly consents: readonly string[];
    }
  | { readonly kind: 'row'; readonly row: Readonly<Record<string, string>> }
  | { readonly kind: 'end'; readonly donations: number };

interface ExportFilter {
  readonly isIncluded?: (entry: LedgerEntry) => boolean;
  /** Only of this donor. */
  readonly donorKey?: string | undefined;
}

export async function* iterateExportLines(
  db: Kysely<Tables>,
  organization: string,
  period: Period,
  timeZone: string,
  { isIncluded = isReportedInLedger, donorKey }: ExportFilter = {},
): AsyncGenerator<ExportLine> {
  const entries = () => iterateLedgerEntryPages(db, organization, period, donorKey);
  const columns = await collectColumns(entries(), isIncluded);
  const fieldIds = new Set(columns.customFields);
  yield { kind: 'columns', ...columns };
  let donations = 0;
  for await (const page of entries()) {
    for (const entry of page.filter(isIncluded)) {
      yield {
        kind: 'row',
        row: {
          ...toLedgerRow(entry, timeZone),
          ...toDonorColumns(entry.donation.payload, fieldIds),
        },
      };
      donations += 1;
    }
  }
  yield { kind: 'end', donations };
}

/** Custom fields with their own columns. The most frequently used have priority. */
const MAX_FIELD_COLUMNS = 100;
/** Column with all other custom fields, in the format `id: value; id: value`. */
export const OTHER_FIELDS = 'other_fields';

/**
 * Returns the column name for a custom field.
 *
 * @example
 * ```ts
 * import { formatFieldColumn } from 'donation-form-server';
 *
 * console.log(formatFieldColumn('12')); // field 12
 * ```
 */
export const formatFieldColumn = (id: string): string => `field ${id}`;
/**
 * Returns the name of the column that contains the donor's choice for a consent.
 *
 * @example
 * ```ts
 * import { formatConsentColumn } from 'donation-form-server';
 *
 * console.log(formatConsentColumn('news')); // consent news
 * ```
 */
export const formatConsentColumn = (id: string): string => `consent ${id}`;
/**
 * Returns the name of the column that contains a consent's text, as the donor saw it.
 *
 * @example
 * ```ts
 * import { formatConsentTextColumn } from 'donation-form-server';
 *
 * console.log(formatConsentTextColumn('news')); // consent news, text
 * ```
 */
export const formatConsentTextColumn = (id: string): string => `consent ${id}, text`;

const DONOR_COLUMNS: Readonly<Record<string, (payload: DonationPayload) => string | undefined>> = {
  organization: ({ donor }) => donor.organization,
  first_name: ({ donor }) => donor.firstName,
  last_name: ({ donor }) => donor.lastName,
  email: ({ donor }) => donor.email,
  phone: ({ donor }) => donor.phone,
  address1: ({ donor }) => donor.address1,
  address2: ({ donor }) => donor.address2,
  city: ({ donor }) => donor.city,
  state: ({ donor }) => donor.state,
  postal: ({ donor }) => donor.postal,
  country: ({ donor }) => donor.country,
  anonymous: ({ gift }) => (gift.anonymous === true ? 'yes' : 'no'),
  gift_aid: ({ giftAid }) => giftAid?.scope,
  comment: ({ gift }) => gift.comment,
  tribute: ({ gift }) => gift.tribute?.kind,
  tribute_name: ({ gift }) => gift.tribute?.name,
  tribute_message: ({ gift }) => gift.tribute?.message,
  tribute_notify: ({ gift }) => gift.tribute?.notifyEmail,
  form: ({ form }) => form.id,
  page: ({ form }) => form.page,
  language: ({ form }) => form.language,
  utm_campaign: ({ tracking }) => tracking?.utmCampaign,
  utm_source: ({ tracking }) => tracking?.utmSource,
  utm_medium: ({ tracking }) => tracking?.utmMedium,
  utm_content: ({ tracking }) => tracking?.utmContent,
  utm_term: ({ tracking }) => tracking?.utmTerm,
  utm_id: ({ tracking }) => tracking?.utmId,
  ad_click_id: ({ tracking }) => tracking?.adClickId,
};

type ExportColumns = Extract<ExportLine, { readonly kind: 'columns' }>;

export function listExportColumns({ customFields, omitted, consents }: ExportColumns): string[] {
  return [
    ...DONATION_COLUMNS,
    ...PAYMENT_COLUMNS,
    ...Object.keys(DONOR_COLUMNS),
    ...customFields.map(formatFieldColumn),
    ...(omitted > 0 ? [OTHER_FIELDS] : []),
    ...consents.flatMap((id) => [formatConsentColumn(id), formatConsentTextColumn(id)]),
  ];
}

/** @param fieldIds IDs of the custom fields that have their own columns. */
function toDonorColumns(payload: DonationPayload, fieldIds: ReadonlySet<string>) {
  const { customFields = [], consents = [] } = payload;
  return {
    ...Object.fromEntries(
      Object.entries(DONOR_COLUMNS).map(([name, getValue]) => [name, getValue(payload) ?? '']),
    ),
    ...Object.fromEntries(
      customFields
        .filter(({ id }) => fieldIds.has(id))
        .map(({ id, value }) => [formatFieldColumn(id), value]),
    ),
    [OTHER_FIELDS]: customFields
      .filter(({ id }) => !fieldIds.has(id))
      .map(({ id, value }) => `${id}: ${value}`)
      .join('; '),
    ...Object.fromEntries(
      consents.flatMap(({ id, text, given }) => [
        [formatConsentColumn(id), given ? 'yes' : 'no'],
        [formatConsentTextColumn(id), text],
      ]),
    ),
  };
}

async function collectColumns(
  pages: AsyncIterable<readonly LedgerEntry[]>,
  isIncluded: (entry: LedgerEntry) => boolean,
): Promise<Omit<ExportColumns, 'kind'>> {
  const counts = new Map<string, number>();
  const consents = new Set<string>();
  for await (const page of pages) {
    for (const { donation } of page.filter(isIncluded)) {
      const { payload } = donation;
      for (const { id } of payload.customFields ?? []) counts.set(id, (counts.get(id) ?? 0) + 1);
      for (const { id } of payload.consents ?? []) consents.add(id);
    }
  }
  const customFields = [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, MAX_FIELD_COLUMNS)
    .map(([id]) => id);
  return {
    customFields: customFields.sort(),
    omitted: counts.size - customFields.length,
    consents: [...consents].sort(),
  };
}
