import { MAX_DONOR_FIELD_LENGTHS } from '@donation-form/core/donor';
import {
  FILTER_METHODS,
  FILTER_STATUSES,
  type DonationFilter,
} from '../../reporting/donation-filter.ts';
import type { ListPosition } from '../../reporting/newest-entries.ts';
import type { Period } from '../../lib/period.ts';
import { resolvePeriod } from './list-periods.ts';

/**
 * Fields of the donation list's filter form, and names of the list's URL parameters. In URLs,
 * `search` is encrypted.
 */
export const LIST_FIELDS = [
  'search',
  'status',
  'period',
  'from',
  'to',
  'frequency',
  'method',
  'form',
  'platform',
  'organization',
] as const;
export type ListField = (typeof LIST_FIELDS)[number];
export type ListFields = Readonly<Partial<Record<ListField, string>>>;

/** Maximum length of a search, in characters. Equals the maximum length of an email. */
export const MAX_SEARCH_LENGTH = MAX_DONOR_FIELD_LENGTHS.email;

/** A parsed query for the donation list. */
export interface ListQuery {
  /** Entered values, for display in the form. */
  readonly fields: ListFields;
  readonly period: Period;
  readonly filter: DonationFilter;
  readonly after: ListPosition | undefined;
  /** Error message that explains why the server ignored a field. */
  readonly problem: string | undefined;
}

/**
 * Parses the URL parameters of a donation list. Ignores unknown values.
 * @param parameters URL parameters, with `search` decrypted.
 */
export function parseListQuery(
  parameters: Readonly<Record<string, string>>,
  time: { readonly now: number; readonly timeZone: string },
): ListQuery {
  const fields: ListFields = Object.fromEntries(
    LIST_FIELDS.map((name) => [name, (parameters[name] ?? '').trim().slice(0, MAX_SEARCH_LENGTH)]),
  );
  const { search = '', period: periodName = '', from = '', to = '', form = '', platform } = fields;
  const period = resolvePeriod(periodName, { from, to }, time);
  return {
    fields,
    period: period ?? resolvePeriod('', { from, to }, time)!,
    filter: {
      search: search === '' ? undefined : search,
      status: findValue(FILTER_STATUSES, fields.status),
      frequency: findValue(['once', 'recurring'], fields.frequency),
      method: findValue(FILTER_METHODS, fields.method),
      form: form === '' ? undefined : form,
      isOnPlatform: PLATFORM_CHOICES[platform ?? ''],
    },
    after: parsePosition(parameters.after ?? ''),
    problem: period
      ? undefined
      : 'Ignored the invalid period. Choose a last day on or after the first day.',
  };
}

const PLATFORM_CHOICES: Readonly<Record<string, boolean>> = { yes: true, no: false };

function findValue<Value extends string>(
  values: readonly Value[],
  value: string | undefined,
): Value | undefined {
  return values.find((candidate) => candidate === value);
}

function parsePosition(text: string): ListPosition | undefined {
  const [, time, reference] = /^(\d{1,15})_([\w-]{1,20})$/.exec(text) ?? [];
  return time === undefined ? undefined : { time: Number(time), reference: reference! };
}

/**
 * Builds the URL of a donation list or its export.
 * @param fields form fields, with `search` encrypted.
 */
export function buildListUrl(
  path: '/donations' | '/donations/export',
  fields: ListFields,
  after?: ListPosition,
): string {
  const query = new URLSearchParams();
  for (const name of LIST_FIELDS) if (fields[name]) query.set(name, fields[name]);
  if (after) query.set('after', `${after.time}_${after.reference}`);
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}
