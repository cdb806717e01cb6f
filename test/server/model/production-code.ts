import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { Pool } from 'pg';
import { FundraisingError } from '../../../src/platform-clients/fundraising/index.ts';
import type * as Clock from '../../../src/server/database/database-clock.ts';
import type * as Outbox from '../../../src/server/donations/outbox-decisions.ts';
import type * as Payments from '../../../src/server/donations/payment-decisions.ts';
import type * as Events from '../../../src/server/donations/record-payment-events.ts';
import type { transition } from '../../../src/server/donations/transition.ts';
import type * as Errors from '../../../src/server/platform/rethrow-errors.ts';

/** The production code that the model runs. */
export interface ProductionCode
  extends
    Pick<
      typeof Payments,
      | 'decideAfterCheck'
      | 'decideAfterFailedCharge'
      | 'decideCheck'
      | 'interpretPayment'
      | 'IN_PROGRESS'
    >,
    Pick<
      typeof Outbox,
      'decideAfterFailedCall' | 'decideAfterNotFound' | 'decideCreation' | 'decideUpdate'
    > {
  readonly transition: typeof transition;
  /** Returns the ID that the outbox gives to the same refund. */
  readonly getRefundEventId: () => string;
  /** Returns true if a status means that the platform created no gift. */
  readonly isNotCreated: (status: number) => boolean;
  /** How far each server believes to be ahead of the database's clock, in milliseconds. */
  readonly clockOffsets: readonly [number, number];
  /** The same for the times that the servers write into claims and compare them with. */
  readonly claimOffsets: readonly [number, number];
}

/** A bug: a replacement in one file of the production code. */
export interface Mutation {
  readonly name: string;
  /** Path below `src/server`. */
  readonly file: string;
  readonly replace: string;
  readonly by: string;
}

const SOURCE = new URL('../../../src/server/', import.meta.url);
/** Milliseconds by which the second server's clock is ahead of the database's. */
const SKEW = 90_000;

/** Imports the production code, with a bug if one is given. */
export async function loadProductionCode(mutation?: Mutation): Promise<ProductionCode> {
  const suffix = mutation ? `?bug=${mutation.name.replaceAll(/\W/g, '-')}` : '';
  const hooks = mutation && registerMutation(mutation, suffix);
  const load = (file: string): Promise<unknown> => import(new URL(file, SOURCE).href + suffix);
  const [{ transition }, payments, outbox, { PostgresClock }, errors, { toOutboxEntry }] =
    (await Promise.all([
      load('donations/transition.ts'),
      load('donations/payment-decisions.ts'),
      load('donations/outbox-decisions.ts'),
      load('database/database-clock.ts'),
      load('platform/rethrow-errors.ts'),
      load('donations/record-payment-events.ts'),
    ])) as [
      { transition: ProductionCode['transition'] },
      typeof Payments,
      typeof Outbox,
      typeof Clock,
      typeof Errors,
      typeof Events,
    ];
  hooks?.deregister();
  return {
    ...payments,
    ...outbox,
    transition,
    getRefundEventId: () => toOutboxEntry(REFUND, { reference: 'A' }).id,
    isNotCreated: (status) => isNotCreated(errors, status),
    ...(await measureOffsets(PostgresClock)),
  };
}

const REFUND = {
  kind: 'refund',
  id: 're_1',
  paymentId: 'p',
  amount: 1,
  refunded: 1,
  at: new Date(0),
} as const;

/** Replaces a file's text while the modules with the given suffix are loaded. */
function registerMutation({ file, replace, by, name }: Mutation, suffix: string) {
  const changed = new URL(file, SOURCE).href;
  const source = readFileSync(new URL(changed), 'utf8');
  if (source.split(replace).length !== 2)
    throw new Error(`${name}: ${file} must contain the replaced text once`);
  return registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      return url === changed + suffix
        ? { ...loaded, source: source.replace(replace, () => by) }
        : loaded;
    },
  });
}

function isNotCreated(
  { rethrowCreateError, DEFAULT_NOT_RECORDED_STATUSES }: typeof Errors,
  status: number,
): boolean {
  try {
    return rethrowCreateError(
      new FundraisingError('the platform failed', status, {}),
      DEFAULT_NOT_RECORDED_STATUSES,
    );
  } catch (error) {
    return (error as Error).name === 'GiftNotCreatedError';
  }
}

/** Measures the clock of a second server that is ahead, against a database that is not. */
async function measureOffsets(
  PostgresClock: typeof Clock.PostgresClock,
): Promise<Pick<ProductionCode, 'clockOffsets' | 'claimOffsets'>> {
  const getDatabaseTime = (): number => Date.now() - SKEW;
  const client = {
    query: async () => ({ rows: [{ time: String(getDatabaseTime()) }] }),
    release: () => undefined,
  };
  const clock = new PostgresClock({ connect: async () => client } as unknown as Pool);
  await clock.startMeasuring();
  clock.stopMeasuring();
  const { sql, parameters } = clock.in(0).compile(createQueryCompiler());
  const claimTime = sql.includes('clock_timestamp()') ? getDatabaseTime() : Number(parameters[0]);
  const getOffset = (time: number): number => {
    const offset = time - getDatabaseTime();
    return Math.abs(offset) < SKEW / 2 ? 0 : offset;
  };
  return { clockOffsets: [0, getOffset(clock.now())], claimOffsets: [0, getOffset(claimTime)] };
}

function createQueryCompiler(): Kysely<unknown> {
  return new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
}
