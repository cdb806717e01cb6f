import {
  formatConsentColumn,
  formatConsentTextColumn,
  formatFieldColumn,
  OTHER_FIELDS,
  type ExportLine,
} from './export-rows.ts';
import { DONATION_COLUMNS, PAYMENT_COLUMNS } from './ledger-columns.ts';

const DONOR_COLUMNS = [
  'organization',
  'first_name',
  'last_name',
  'email',
  'phone',
  'address1',
  'address2',
  'city',
  'state',
  'postal',
  'country',
  'anonymous',
  'comment',
  'tribute',
  'tribute_name',
  'tribute_message',
  'tribute_notify',
  'form',
  'page',
  'language',
  'utm_campaign',
  'utm_source',
  'utm_medium',
  'utm_content',
  'utm_term',
  'utm_id',
  'ad_click_id',
];

/** Columns that depend on the exported donations. */
export type ExportColumns = Extract<ExportLine, { readonly kind: 'columns' }>;

/** Lists the columns of an export, in order. */
export function listExportColumns({ customFields, omitted, consents }: ExportColumns): string[] {
  return [
    ...DONATION_COLUMNS,
    ...PAYMENT_COLUMNS,
    ...DONOR_COLUMNS,
    ...customFields.map(formatFieldColumn),
    ...(omitted > 0 ? [OTHER_FIELDS] : []),
    ...consents.flatMap((id) => [formatConsentColumn(id), formatConsentTextColumn(id)]),
  ];
}
