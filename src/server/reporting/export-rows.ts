import type { Kysely } from 'kysely';
import type { DonationPayload, Tables } from '../database/schema.ts';
import { listLedgerEntries } from './ledger-entries.ts';
import type { Period } from '../lib/period.ts';
import { toLedgerRow, isReportable } from './ledger-rows.ts';

/** What an export tells, line by line. */
export type ExportLine =
  /**
   * Which custom fields and consents any of the gifts in the table has, by their ids: each is a
   * column.
   * @param omitted how many custom fields have none, since pages and links may make up any number
   *   of them: these stand in {@link OTHER_FIELDS}.
   */
  | {
      readonly kind: 'columns';
      readonly customFields: readonly string[];
      readonly omitted: number;
      readonly consents: readonly string[];
    }
  | { readonly kind: 'row'; readonly row: Readonly<Record<string, string>> }
  | { readonly kind: 'end'; readonly gifts: number };

/**
 * The gifts and renewals of a time with everything that the database keeps of them, for those whose
 * record it is.
 */
export async function* exportDonations(
  db: Kysely<Tables>,
  organization: string,
  period: Period,
  timeZone: string,
): AsyncGenerator<ExportLine> {
  const columns = await collectColumns(db, organization, period);
  const known = new Set(columns.customFields);
  yield { kind: 'columns', ...columns };
  let gifts = 0;
  for await (const page of listLedgerEntries(db, organization, period)) {
    for (const entry of page.filter(isReportable)) {
      yield {
        kind: 'row',
        row: { ...toLedgerRow(entry, timeZone), ...toDonorColumns(entry.first.payload, known) },
      };
      gifts += 1;
    }
  }
  yield { kind: 'end', gifts };
}

/** How many custom fields get a column of their own: those that most gifts have. */
const MAX_FIELDS = 100;
/** The column of all others, as `id: value; id: value`. */
export const OTHER_FIELDS = 'other_fields';

/**
 * Custom fields and consents as they stand in a row.
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
 * The column of an export that says whether a consent was given.
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
 * The column of an export with the words of a consent, as the donor saw them.
 *
 * @example
 * ```ts
 * import { formatConsentTextColumn } from 'donation-form-server';
 *
 * console.log(formatConsentTextColumn('news')); // consent news, words
 * ```
 */
export const formatConsentTextColumn = (id: string): string => `consent ${id}, words`;

/** @param known the custom fields that have a column of their own. */
function toDonorColumns(
  payload: DonationPayload,
  known: ReadonlySet<string>,
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
        .filter(({ id }) => known.has(id))
        .map(({ id, value }) => [formatFieldColumn(id), value]),
    ),
    [OTHER_FIELDS]: customFields
      .filter(({ id }) => !known.has(id))
      .map(({ id, value }) => `${id}: ${value}`)
      .join('; '),
    ...Object.fromEntries(
      (consents ?? []).flatMap(({ id, words, given }) => [
        [formatConsentColumn(id), given ? 'yes' : 'no'],
        [formatConsentTextColumn(id), words],
      ]),
    ),
  };
}

async function collectColumns(
  db: Kysely<Tables>,
  organization: string,
  period: Period,
): Promise<{
  readonly customFields: string[];
  readonly omitted: number;
  readonly consents: string[];
}> {
  const counts = new Map<string, number>();
  const consents = new Set<string>();
  for await (const page of listLedgerEntries(db, organization, period)) {
    for (const {
      first: { payload },
    } of page.filter(isReportable)) {
      const { customFields: fields = [], consents: asked = [] } = payload;
      for (const { id } of fields) counts.set(id, (counts.get(id) ?? 0) + 1);
      for (const { id } of asked) consents.add(id);
    }
  }
  const customFields = [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, MAX_FIELDS)
    .map(([id]) => id);
  return {
    customFields: customFields.sort(),
    omitted: counts.size - customFields.length,
    consents: [...consents].sort(),
  };
}
