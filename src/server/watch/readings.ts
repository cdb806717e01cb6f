import type { BudgetState } from '../budget.ts';
import type { Desks } from '../desks.ts';
import type { Store } from '../store.ts';
import type { EventState, GiftState } from '../tables.ts';

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
export const OPEN_STATES = ['charging', 'action', 'pending', 'held'] as const satisfies readonly GiftState[];
/** The states of events that are not finished. */
export const OPEN_EVENTS = ['waiting', 'held', 'by-hand'] as const satisfies readonly EventState[];

/** Counts what is not finished of some organisations. What is, is not counted: there may be millions. */
export async function readStore({ db }: Pick<Store, 'db'>, organizations: readonly string[]): Promise<Readings> {
  const [gifts, events] = await Promise.all([
    db.selectFrom('gifts').where('organization', 'in', organizations).where('state', 'in', OPEN_STATES).groupBy(['organization', 'state'])
      .select(({ fn }) => ['organization', 'state', fn.countAll<number>().as('count'), fn.min<number>('created_at').as('oldest')]).execute(),
    db.selectFrom('events').where('organization', 'in', organizations).where('state', 'in', OPEN_EVENTS).groupBy(['organization', 'state'])
      .select(({ fn }) => ['organization', 'state', fn.countAll<number>().as('count'), fn.min<number>('created_at').as('oldest')]).execute(),
  ]);
  return { gifts, events };
}

/** What is known of the calls to an organisation's platform. */
export interface BudgetReading extends BudgetState {
  readonly organization: string;
}

export function readBudgets({ organizations }: Pick<Desks, 'organizations'>): Promise<BudgetReading[]> {
  return Promise.all(organizations.map(async ({ id, budget }) => ({ organization: id, ...await budget.state() })));
}
