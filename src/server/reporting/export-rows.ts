import type { Kysely } from 'kysely';
import type { DonationPayload, Tables } from '../database/schema.ts';
import { iterateLedgerEntryPages, type LedgerEntry } from './ledger-entries.ts';
import type { Period } from '../lib/period.ts';
import { toLedgerRow, isReportedInLedger } from './ledger-rows.ts';

/** One line of an export: the list of columns, a row, or the end of the export. */
export type ExportLine =
  /**
   * IDs of the custom fields and consents that have their own columns. `omitted` is the number of
   * custom fields in the {@link OTHER_FIELDS} column. The export limits the number of columns,
   * because pages and links can send any number of custom fields.
   */
  | {
      readonly kind: 'columns';
      readonly customFields: readonly string[];
      readonly omitted: number;
      readonly consents: readonly string[];
    }
  | { readonly kind: 'row'; readonly row: Readonly<Record<string, string>> }
  | { readonly kind: 'end'; readonly donations: number };

/**
 * Yields a period's donations and renewals, with donors, custom fields, and tracking.
 * @param isIncluded function that returns true for the entries to export. Defaults to
 *   {@link isReportedInLedger}.
 */
export async function* iterateExportLines(
  db: Kysely<Tables>,
  organization: string,
  period: Period,
  timeZone: string,
  isIncluded: (entry: LedgerEntry) => boolean = isReportedInLedger,
): AsyncGenerator<ExportLine> {
  const columns = await collectColumns(db, organization, period, isIncluded);
  const fieldIds = new Set(columns.customFields);
  yield { kind: 'columns', ...columns };
  let donations = 0;
  for await (const page of iterateLedgerEntryPages(db, organization, period)) {
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

/**
 * Maximum number of custom fields that have their own columns. The most frequently used fields have
 * priority.
 */
const MAX_FIELD_COLUMNS = 100;
/**
 * Name of the column that contains all other custom fields, in the format `id: value; id: value`.
 */
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

/** @param fieldIds IDs of the custom fields that have their own columns. */
function toDonorColumns(
  payload: DonationPayload,
  fieldIds: ReadonlySet<string>,
): Record<string, string> {
  const {
    donor,
    gift: { anonymous, comment, tribute },
    form,
    tracking,
    customFields = [],
    consents,
  } = payload;
  return {
    organization: donor.organization ?? '',
    first_name: donor.firstName ?? '',
    last_name: donor.lastName ?? '',
    email: donor.email ?? '',
    phone: donor.phone ?? '',
    address1: donor.address1 ?? '',
    address2: donor.address2 ?? '',
    city: donor.city ?? '',
    state: donor.state ?? '',
    postal: donor.postal ?? '',
    country: donor.country ?? '',
    anonymous: anonymous === true ? 'yes' : 'no',
    comment: comment ?? '',
    tribute: tribute?.kind ?? '',
    tribute_name: tribute?.name ?? '',
    tribute_message: tribute?.message ?? '',
    tribute_notify: tribute?.notifyEmail ?? '',
    form: form.id,
    page: form.page ?? '',
    language: form.language,
    utm_campaign: tracking?.utmCampaign ?? '',
    utm_source: tracking?.utmSource ?? '',
    utm_medium: tracking?.utmMedium ?? '',
    utm_content: tracking?.utmContent ?? '',
    utm_term: tracking?.utmTerm ?? '',
    utm_id: tracking?.utmId ?? '',
    ad_click_id: tracking?.adClickId ?? '',
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
      (consents ?? []).flatMap(({ id, text, given }) => [
        [formatConsentColumn(id), given ? 'yes' : 'no'],
        [formatConsentTextColumn(id), text],
      ]),
    ),
  };
}

async function collectColumns(
  db: Kysely<Tables>,
  organization: string,
  period: Period,
  isIncluded: (entry: LedgerEntry) => boolean,
): Promise<{
  readonly customFields: string[];
  readonly omitted: number;
  readonly consents: string[];
}> {
  const counts = new Map<string, number>();
  const consents = new Set<string>();
  for await (const page of iterateLedgerEntryPages(db, organization, period)) {
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
