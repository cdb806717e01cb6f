import type { Expression, Kysely, SqlBool } from 'kysely';
import { NEVER } from '../database/claims.ts';
import type { EventRow, EventState, Donation, GiftState, Tables } from '../database/schema.ts';
import { donorNameOf, eventSum, sumOf } from './donation-detail.ts';
import { errorInWords, kindInWords, reasonInWords } from './labels.ts';

const DAY = 86_400_000;
/** How many gifts one list names. */
const MOST_GIFTS = 500;
/** How many entries each list of the page names. */
const MOST_LINES = 50;
/** How far back failed payments are listed. */
const FAILED_DAYS = 7;

const UNDER_WAY: readonly GiftState[] = ['charging', 'action', 'pending'];

/**
 * The states that a list can be narrowed to: a payment's, and those of what the platform is to
 * know.
 */
export const LIST_STATES = [
  'charging',
  'action',
  'pending',
  'charged',
  'declined',
  'held',
  'waiting',
  'recorded',
  'by-hand',
] as const satisfies readonly (GiftState | EventState)[];
export type ListState = (typeof LIST_STATES)[number];

/** A gift in a list. */
export interface ListedGift {
  /** ISO 8601. */
  readonly givenAt: string;
  readonly reference: string;
  readonly organization: string;
  readonly donor: string;
  /** Major units and currency. */
  readonly total: string;
  readonly frequency: string;
  readonly payment: GiftState;
  /** Of what the platform is to know of it, what needs most; `null`: it is told nothing. */
  readonly platform: EventState | null;
  readonly why: string;
}

export interface ListQuery {
  readonly state?: ListState | undefined;
  readonly organization?: string | undefined;
  readonly days: number;
}

/**
 * Gifts of the last days, the newest last.
 * @param now milliseconds since 1970.
 * @returns whether older ones were left out, since there were too many.
 */
export async function listGifts(
  db: Kysely<Tables>,
  { state, organization, days }: ListQuery,
  now: number,
): Promise<{ readonly items: readonly ListedGift[]; readonly isCut: boolean }> {
  let query = db
    .selectFrom('donations')
    .selectAll()
    .where('created_at', '>', now - days * DAY);
  if (organization !== undefined) query = query.where('organization', '=', organization);
  if (state !== undefined) {
    query = query.where((build) => {
      const ofEvents = (EVENT_STATES as readonly string[]).includes(state);
      const told = build
        .selectFrom('outbox')
        .select('id')
        .whereRef('outbox.organization', '=', 'donations.organization')
        .where('outbox.state', '=', state as EventState)
        .where((event) =>
          event.or([
            event('outbox.reference', '=', event.ref('donations.reference')),
            event('outbox.parent', '=', event.ref('donations.reference')),
          ]),
        );
      const conditions: Expression<SqlBool>[] = [
        build('state', '=', state as GiftState),
        ...(ofEvents ? [build.exists(told)] : []),
      ];
      return build.or(conditions);
    });
  }
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('reference')
    .limit(MOST_GIFTS + 1)
    .execute();
  const gifts = rows.slice(0, MOST_GIFTS).reverse();
  const events = await eventsOf(
    db,
    gifts.map(({ reference }) => reference),
  );
  return {
    items: gifts.map((gift) =>
      listed(
        gift,
        events.filter(({ reference, parent }) => (parent ?? reference) === gift.reference),
      ),
    ),
    isCut: rows.length > MOST_GIFTS,
  };
}

/** By what needs most. */
const EVENT_STATES = [
  'held',
  'by-hand',
  'waiting',
  'recorded',
] as const satisfies readonly EventState[];

async function eventsOf(db: Kysely<Tables>, references: readonly string[]): Promise<EventRow[]> {
  if (references.length === 0) return [];
  return db
    .selectFrom('outbox')
    .selectAll()
    .where((build) =>
      build.or([build('reference', 'in', references), build('parent', 'in', references)]),
    )
    .orderBy('created_at')
    .execute();
}

function listed(gift: Donation, events: readonly EventRow[]): ListedGift {
  const platform =
    EVENT_STATES.find((state) => events.some((event) => event.state === state)) ?? null;
  const trouble = events.find((event) => event.state === platform && event.last_error !== null);
  return {
    givenAt: new Date(gift.created_at).toISOString(),
    reference: gift.reference,
    organization: gift.organization,
    donor: donorNameOf(gift),
    total: sumOf(gift),
    frequency: gift.payload.gift.frequency,
    payment: gift.state,
    platform,
    why:
      errorInWords(
        gift.last_error ?? (platform === 'recorded' ? null : (trouble?.last_error ?? null)),
      ) ?? (gift.decline_reason ? reasonInWords(gift.decline_reason) : ''),
  };
}

/** One entry of the page's lists. */
export interface Line {
  readonly reference: string;
  readonly organization: string;
  readonly what: string;
  readonly donor: string;
  readonly sum: string | null;
  readonly state: GiftState | EventState;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly why: string;
  /** When it is tried again by itself. */
  readonly nextTry: number | null;
}

/** A list of the page: the first entries, and how many there are. */
export interface Lines {
  readonly lines: readonly Line[];
  readonly count: number;
}

export interface Overview {
  /** What a person has to decide or to enter. */
  readonly person: Lines;
  /** What the platform is still to be told. */
  readonly telling: Lines;
  /** Payments whose end is not known yet. */
  readonly paying: Lines;
  /** Payments that failed in the last days. */
  readonly failed: Lines;
  /** When the oldest of what the platform is to be told happened, in milliseconds since 1970. */
  readonly oldestUntold: number | undefined;
}

/** What the operator's page begins with. @param now milliseconds since 1970. */
export async function overviewOf(db: Kysely<Tables>, now: number): Promise<Overview> {
  const [heldGifts, leftEvents, telling, paying, failed, oldest] = await Promise.all([
    giftLines(db, (query) => query.where('state', '=', 'held').orderBy('created_at')),
    eventLines(db, ['held', 'by-hand']),
    eventLines(db, ['waiting']),
    giftLines(db, (query) =>
      query.where('state', 'in', UNDER_WAY).where('next_run_at', '<', NEVER).orderBy('created_at'),
    ),
    giftLines(db, (query) =>
      query
        .where('state', '=', 'declined')
        .where('created_at', '>', now - FAILED_DAYS * DAY)
        .orderBy('created_at', 'desc'),
    ),
    db
      .selectFrom('outbox')
      .where('state', '=', 'waiting')
      .select(({ fn }) => fn.min<number | null>('created_at').as('at'))
      .executeTakeFirstOrThrow(),
  ]);
  return {
    person: {
      lines: [...heldGifts.lines, ...leftEvents.lines].slice(0, MOST_LINES),
      count: heldGifts.count + leftEvents.count,
    },
    telling,
    paying,
    failed,
    oldestUntold: oldest.at ?? undefined,
  };
}

function selectGifts(db: Kysely<Tables>) {
  return db.selectFrom('donations');
}

async function giftLines(
  db: Kysely<Tables>,
  narrow: (query: ReturnType<typeof selectGifts>) => ReturnType<typeof selectGifts>,
): Promise<Lines> {
  const query = narrow(selectGifts(db));
  const [rows, { count }] = await Promise.all([
    query.selectAll().limit(MOST_LINES).execute(),
    query
      .clearOrderBy()
      .select(({ fn }) => fn.countAll<number | bigint>().as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  return {
    count: Number(count),
    lines: rows.map((gift): Line => ({
      reference: gift.reference,
      organization: gift.organization,
      what: 'Payment',
      donor: donorNameOf(gift),
      sum: sumOf(gift),
      state: gift.state,
      since: gift.created_at,
      why:
        errorInWords(gift.last_error) ??
        (gift.decline_reason ? reasonInWords(gift.decline_reason) : ''),
      nextTry: UNDER_WAY.includes(gift.state) ? gift.next_run_at : null,
    })),
  };
}

async function eventLines(db: Kysely<Tables>, states: readonly EventState[]): Promise<Lines> {
  const query = db.selectFrom('outbox').where('state', 'in', states);
  const [events, { count }] = await Promise.all([
    query.selectAll().orderBy('created_at').orderBy('id').limit(MOST_LINES).execute(),
    query.select(({ fn }) => fn.countAll<number | bigint>().as('count')).executeTakeFirstOrThrow(),
  ]);
  const references = [...new Set(events.map(({ reference, parent }) => parent ?? reference))];
  const gifts =
    references.length === 0
      ? []
      : await db.selectFrom('donations').selectAll().where('reference', 'in', references).execute();
  return {
    count: Number(count),
    lines: events.flatMap((event): Line[] => {
      const gift = gifts.find(({ reference }) => reference === (event.parent ?? event.reference));
      return gift
        ? [
            {
              reference: event.reference,
              organization: event.organization,
              what: kindInWords(event),
              donor: donorNameOf(gift),
              sum: eventSum(event, gift),
              state: event.state,
              since: event.created_at,
              why: errorInWords(event.last_error) ?? '',
              nextTry: event.state === 'waiting' ? event.next_run_at : null,
            },
          ]
        : [];
    }),
  };
}
