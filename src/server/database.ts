import { DatabaseSync } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';

/**
 * What is known of a gift.
 * charging: accepted, and the charge may have happened · charged: the money has moved, the platform does not know yet ·
 * recorded, declined: ended · held: what is known does not fit together or cannot be looked up, so a person decides.
 */
export type GiftState = 'charging' | 'charged' | 'recorded' | 'declined' | 'held';

/** One gift, one row. Times are milliseconds since 1970. */
export interface GiftRow {
  readonly reference: string;
  /** SHA-256 of the idempotency key, which itself is kept nowhere. */
  readonly key_hash: string;
  /** SHA-256 of gift, donor, custom fields, consents and form: the same key with another of these is refused. */
  readonly fingerprint: string;
  readonly organization: string;
  readonly state: GiftState;
  /** The gift as it was accepted, in JSON: see kept-gift.ts. */
  readonly gift: string;
  readonly payment_id: string | null;
  readonly decline_reason: 'card-declined' | 'not-charged' | null;
  /** The platform's id of the gift. */
  readonly platform_id: number | null;
  /** When a call began that records the gift and whose answer is not known: it may have been carried out. */
  readonly recording_began_at: number | null;
  readonly attempts: number;
  /** When the last call that charges began. */
  readonly charge_began_at: number;
  /** When the outbox looks at it again. */
  readonly due_at: number;
  readonly last_error: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

/** How often forms ignored a setting on one day. */
export interface IgnoredRow {
  readonly form: string;
  /** The setting's name, such as `fund-code` or `giftInfo.amount`. */
  readonly name: string;
  readonly reason: string;
  /** Empty where the form had none. */
  readonly segment: string;
  /** UTC, such as `2026-11-21`. */
  readonly day: string;
  readonly count: number;
}

export interface Tables {
  gifts: GiftRow;
  ignored_settings: IgnoredRow;
}

/** Opens the store, brings its tables up to date, and makes every commit wait until the disk has it. */
export async function openDatabase(file: string): Promise<Kysely<Tables>> {
  const sqlite = new DatabaseSync(file);
  sqlite.exec('PRAGMA busy_timeout = 5000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: statementsOf(sqlite) }) });
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest();
  if (error) throw new Error(`${file}: its tables could not be brought up to date`, { cause: error });
  return db;
}

/**
 * Makes a store this process's own until it ends, however it ends.
 * @throws where another process has it.
 */
export function claimStore(file: string): { readonly release: () => void } {
  const claim = new DatabaseSync(`${file}-claim`);
  try {
    claim.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;');
  } catch (cause) {
    claim.close();
    throw new Error(`${file}: another server uses this store; end it first, or name another file`, { cause });
  }
  return { release: () => claim.close() };
}

const migrations: Readonly<Record<string, Migration>> = {
  '2026-11-gifts': {
    async up(db: Kysely<Tables>) {
      await db.schema.createTable('gifts').ifNotExists()
        .addColumn('reference', 'text', (column) => column.primaryKey())
        .addColumn('key_hash', 'text', (column) => column.notNull().unique())
        .addColumn('fingerprint', 'text', (column) => column.notNull())
        .addColumn('organization', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('gift', 'text', (column) => column.notNull())
        .addColumn('payment_id', 'text')
        .addColumn('decline_reason', 'text')
        .addColumn('platform_id', 'bigint')
        .addColumn('recording_began_at', 'bigint')
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('charge_began_at', 'bigint', (column) => column.notNull())
        .addColumn('due_at', 'bigint', (column) => column.notNull())
        .addColumn('last_error', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('updated_at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('gifts_due').ifNotExists().on('gifts').columns(['organization', 'state', 'due_at']).execute();
    },
  },
  '2026-11-ignored-settings': {
    async up(db: Kysely<Tables>) {
      await db.schema.createTable('ignored_settings').ifNotExists()
        .addColumn('form', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('reason', 'text', (column) => column.notNull())
        .addColumn('segment', 'text', (column) => column.notNull())
        .addColumn('day', 'text', (column) => column.notNull())
        .addColumn('count', 'integer', (column) => column.notNull())
        .addPrimaryKeyConstraint('ignored_settings_kind', ['form', 'name', 'reason', 'segment', 'day'])
        .execute();
    },
  },
};

/** The four members by which Kysely's SQLite dialect, made for better-sqlite3, can use the runtime's own SQLite. */
function statementsOf(sqlite: DatabaseSync): ConstructorParameters<typeof SqliteDialect>[0]['database'] {
  return {
    close: () => sqlite.close(),
    prepare(sql) {
      const statement = sqlite.prepare(sql);
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...(parameters as null[])),
        run: (parameters) => statement.run(...(parameters as null[])),
        iterate: (parameters) => statement.iterate(...(parameters as null[])),
      };
    },
  };
}
