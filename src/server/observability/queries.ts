import { sql } from 'kysely';
import type { ApiQuotaState } from '../platform/api-quota.ts';
import type { FormRegistry } from '../donations/form-registry.ts';
import { NEVER } from '../database/claims.ts';
import type { Database } from '../database/database.ts';
import type { EventState, GiftState, SiteWebhookState } from '../database/schema.ts';

/** How many of an organisation's gifts are in a state, and since when the oldest is. */
export interface GiftReading {
  readonly organization: string;
  readonly state: GiftState;
  readonly count: number;
  /** When the oldest of them was accepted, in milliseconds since 1970. */
  readonly oldest: number;
}

/** The same of what the platform is to know. */
export interface EventReading {
  readonly organization: string;
  readonly state: EventState;
  readonly count: number;
  readonly oldest: number;
}

/** What the store says of unfinished things, of all servers that share it. */
export interface Readings {
  readonly gifts: readonly GiftReading[];
  readonly events: readonly EventReading[];
}

/** The states of gifts that are not finished. */
export const OPEN_STATES = [
  'charging',
  'action',
  'pending',
  'held',
] as const satisfies readonly GiftState[];
/** The states of events that are not finished. */
export const OPEN_EVENTS = ['waiting', 'held', 'by-hand'] as const satisfies readonly EventState[];

/**
 * Counts what is not finished of some organisations. What is, is not counted: there may be
 * millions.
 */
export async function readStore(
  { db }: Pick<Database, 'db'>,
  organizations: readonly string[],
): Promise<Readings> {
  const [gifts, events] = await Promise.all([
    db
      .selectFrom('donations')
      .where('organization', 'in', organizations)
      .where('state', 'in', OPEN_STATES)
      .groupBy(['organization', 'state'])
      .select(({ fn }) => [
        'organization',
        'state',
        fn.countAll<number>().as('count'),
        fn.min<number>('created_at').as('oldest'),
      ])
      .execute(),
    db
      .selectFrom('outbox')
      .where('organization', 'in', organizations)
      .where('state', 'in', OPEN_EVENTS)
      .groupBy(['organization', 'state'])
      .select(({ fn }) => [
        'organization',
        'state',
        fn.countAll<number>().as('count'),
        fn.min<number>('created_at').as('oldest'),
      ])
      .execute(),
  ]);
  return { gifts, events };
}

/**
 * What waits of an organisation that the configuration does not have: of its gifts and of what its
 * platform is to know.
 */
export interface OrphanReading {
  readonly organization: string;
  readonly gifts: number;
  readonly events: number;
}

/**
 * Counts what waits of organisations that are not among these. Promises that nobody is asked about
 * do not wait.
 */
export async function readOrphans(
  { db }: Pick<Database, 'db'>,
  organizations: readonly string[],
): Promise<OrphanReading[]> {
  // One look into the index for each organisation: there may be millions of gifts.
  const { rows } = await sql<{ id: string }>`WITH RECURSIVE ids (id) AS (
    SELECT min(organization) FROM donations UNION ALL SELECT (SELECT min(organization) FROM donations WHERE organization > ids.id) FROM ids WHERE ids.id IS NOT NULL
  ) SELECT id FROM ids WHERE id IS NOT NULL`.execute(db);
  const orphans = rows.map(({ id }) => id).filter((id) => !organizations.includes(id));
  if (orphans.length === 0) return [];
  const [gifts, events] = await Promise.all([
    db
      .selectFrom('donations')
      .where('organization', 'in', orphans)
      .where('state', 'in', OPEN_STATES)
      .where((build) => build.or([build('state', '=', 'held'), build('next_run_at', '<', NEVER)]))
      .groupBy('organization')
      .select(({ fn }) => ['organization', fn.countAll<number>().as('count')])
      .execute(),
    db
      .selectFrom('outbox')
      .where('organization', 'in', orphans)
      .where('state', 'in', OPEN_EVENTS)
      .groupBy('organization')
      .select(({ fn }) => ['organization', fn.countAll<number>().as('count')])
      .execute(),
  ]);
  const countOf = (counts: typeof gifts, id: string): number =>
    counts.find(({ organization }) => organization === id)?.count ?? 0;
  return orphans
    .map((id) => ({ organization: id, gifts: countOf(gifts, id), events: countOf(events, id) }))
    .filter((one) => one.gifts + one.events > 0);
}

/**
 * How many messages to an organisation's own server are in a state, and since when the oldest is.
 */
export interface SiteWebhookReading {
  readonly organization: string;
  readonly state: SiteWebhookState;
  readonly count: number;
  /** In milliseconds since 1970. */
  readonly oldest: number;
}

/** The states of messages that were not taken. */
export const SITE_WEBHOOK_STATES = [
  'waiting',
  'given-up',
  'gone',
] as const satisfies readonly SiteWebhookState[];

/** Counts the messages to addresses that the configuration has. */
export async function readSiteWebhooks(
  { db }: Pick<Database, 'db'>,
  { organizations }: Pick<FormRegistry, 'organizations'>,
): Promise<SiteWebhookReading[]> {
  const urls = organizations.flatMap(({ webhooks = [] }) => webhooks.map(({ url }) => url));
  if (urls.length === 0) return [];
  return db
    .selectFrom('webhook_messages')
    .where(
      'organization',
      'in',
      organizations.map(({ id }) => id),
    )
    .where('url', 'in', urls)
    .groupBy(['organization', 'state'])
    .select(({ fn }) => [
      'organization',
      'state',
      fn.countAll<number>().as('count'),
      fn.min<number>('created_at').as('oldest'),
    ])
    .execute();
}

/** What is known of the calls to an organisation's platform. */
export interface BudgetReading extends ApiQuotaState {
  readonly organization: string;
}

/** Of the organisations that have a platform to call. */
export function readBudgets({
  organizations,
}: Pick<FormRegistry, 'organizations'>): Promise<BudgetReading[]> {
  return Promise.all(
    organizations
      .filter(({ recorder }) => !recorder.isNone)
      .map(async ({ id, budget }) => ({ organization: id, ...(await budget.state()) })),
  );
}
