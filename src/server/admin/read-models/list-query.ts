import { Temporal } from 'temporal-polyfill';
import { MAX_DONOR_FIELD_LENGTHS } from '@donation-form/core/donor';
import { ALL_TIME, InvalidPeriodError, parsePeriod, type Period } from '../../lib/period.ts';
import {
  type DonationFilter,
  FILTER_METHODS,
  FILTER_STATUSES,
} from '../../reporting/donation-filter.ts';
import type { ListPosition } from '../../reporting/find-donations.ts';

/** Fields of the filter form and URL parameters of the list. In URLs, `search` is encrypted. */
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

/** Parses the URL parameters, with `search` decrypted. Ignores unknown values. */
export function parseListQuery(
  parameters: Readonly<Record<string, string>>,
  time: { readonly now: number; readonly timeZone: string },
) {
  const fields: ListFields = Object.fromEntries(
    LIST_FIELDS.map((name) => [name, (parameters[name] ?? '').trim().slice(0, MAX_SEARCH_LENGTH)]),
  );
  const { search = '', period: periodName = '', from = '', to = '', form = '', platform } = fields;
  const period = resolvePeriod(periodName, { from, to }, time);
  const filter: DonationFilter = {
    search: search === '' ? undefined : search,
    status: findValue(FILTER_STATUSES, fields.status),
    frequency: findValue(['once', 'recurring'], fields.frequency),
    method: findValue(FILTER_METHODS, fields.method),
    form: form === '' ? undefined : form,
    isOnPlatform: PLATFORM_CHOICES[platform ?? ''],
  };
  return {
    /** Entered values, for display in the form. */
    fields,
    period: period ?? ALL_TIME,
    filter,
    after: parsePosition(parameters.after ?? ''),
    /** Message that explains why the server ignored a field. */
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

const MONTHS = 12;
const YEARS = 5;

/** Value of the menu choice for custom dates. The user then enters the first and last day. */
export const CHOSEN_DAYS = 'days';

/**
 * Lists the choices in the period menu. The value is for forms and URLs: `month`, `2026-10`, `2026`,
 * or empty for all time.
 */
export function listPeriodChoices(
  now: number,
  timeZone: string,
): (readonly [value: string, label: string])[] {
  const today = getToday(now, timeZone);
  const months = Array.from({ length: MONTHS }, (_, index) =>
    today.subtract({ months: index }).toPlainYearMonth().toString(),
  );
  const years = Array.from({ length: YEARS }, (_, index) => String(today.year - index));
  return [
    ['', 'Any time'],
    ['today', 'Today'],
    ['week', 'This week'],
    ['month', 'This month'],
    [CHOSEN_DAYS, 'Custom dates'],
    ...months.map((month) => [month, formatMonth(month)] as const),
    ...years.map((year) => [year, year] as const),
  ];
}

/** Formats a month such as `2026-10` as `October 2026`. */
function formatMonth(month: string): string {
  return new Date(`${month}-01T00:00Z`).toLocaleDateString('en-US', {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'long',
  });
}

/** Converts a choice in the period menu to a period. Returns `undefined` for invalid input. */
export function resolvePeriod(
  value: string,
  days: { readonly from: string; readonly to: string },
  { now, timeZone }: { readonly now: number; readonly timeZone: string },
): Period | undefined {
  const today = getToday(now, timeZone);
  const resolve = (first: Temporal.PlainDate, last: Temporal.PlainDate): Period =>
    parsePeriod(first.toString(), last.toString(), timeZone);
  try {
    if (value === '') return ALL_TIME;
    if (value === CHOSEN_DAYS) return resolveDays(days, timeZone);
    if (value === 'today') return resolve(today, today);
    if (value === 'week') return resolve(today.subtract({ days: today.dayOfWeek - 1 }), today);
    const name = value === 'month' ? today.toPlainYearMonth().toString() : value;
    const [, year, month] = /^(\d{4})(?:-(\d\d))?$/.exec(name) ?? [];
    if (year === undefined) return undefined;
    const first = Temporal.PlainDate.from(`${year}-${month ?? '01'}-01`, { overflow: 'reject' });
    return resolve(
      first,
      first.add(month === undefined ? { years: 1 } : { months: 1 }).subtract({ days: 1 }),
    );
  } catch (error) {
    if (error instanceof RangeError || error instanceof InvalidPeriodError) return undefined;
    throw error;
  }
}

function resolveDays(
  { from, to }: { readonly from: string; readonly to: string },
  timeZone: string,
): Period {
  if (from !== '' && to !== '') return parsePeriod(from, to, timeZone);
  if (from !== '') return { ...ALL_TIME, from: parsePeriod(from, from, timeZone).from };
  if (to !== '') return { ...ALL_TIME, to: parsePeriod(to, to, timeZone).to };
  return ALL_TIME;
}

function getToday(now: number, timeZone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
}
