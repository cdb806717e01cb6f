import { type Kysely, PostgresAdapter, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import type { Tables } from './schema.ts';

/**
 * Indexes on mostly null columns omit null, so that accepting a donation does not write to them.
 * Semicolons only separate the statements: none may be part of a literal.
 */
const INITIAL_TABLES = `
  CREATE TABLE donations (
    reference text PRIMARY KEY, idempotency_key_hash text NOT NULL UNIQUE,
    fingerprint text NOT NULL, organization text NOT NULL, status text NOT NULL,
    payload text NOT NULL, awaiting text, payment_id text, subscription_id text,
    subscription_status text, payment_method integer, failure_reason text, platform_gift_id bigint,
    attempts integer NOT NULL, charge_started_at bigint NOT NULL, next_run_at bigint NOT NULL,
    locked_until bigint NOT NULL DEFAULT 0, last_error text, created_at bigint NOT NULL,
    updated_at bigint NOT NULL, donor_deleted_at bigint, donor_deleted_by text, restored_at bigint
  );
  CREATE INDEX donations_due ON donations (organization, status, next_run_at);
  CREATE INDEX donations_payment ON donations (payment_id);
  CREATE INDEX donations_subscription ON donations (subscription_id)
    WHERE subscription_id IS NOT NULL;
  CREATE INDEX donations_created ON donations (created_at);
  CREATE INDEX donations_organization_created ON donations (organization, created_at);
  CREATE INDEX donations_with_donor_data ON donations (organization, created_at)
    WHERE donor_deleted_at IS NULL;
  CREATE TABLE ignored_setting_stats (
    form text NOT NULL, name text NOT NULL, reason text NOT NULL, segment text NOT NULL,
    day text NOT NULL, count integer NOT NULL,
    CONSTRAINT ignored_setting_stats_kind PRIMARY KEY (form, name, reason, segment, day)
  );
  CREATE TABLE outbox (
    id text PRIMARY KEY, organization text NOT NULL, reference text NOT NULL, parent_reference text,
    kind text NOT NULL, status text NOT NULL, payment_id text, payload text NOT NULL,
    platform_gift_id bigint, dispatched_at bigint, attempts integer NOT NULL,
    next_run_at bigint NOT NULL, locked_until bigint NOT NULL DEFAULT 0, last_error text,
    happened_at bigint NOT NULL, created_at bigint NOT NULL, updated_at bigint NOT NULL
  );
  CREATE INDEX outbox_due ON outbox (organization, status, next_run_at);
  CREATE INDEX outbox_reference ON outbox (reference);
  CREATE INDEX outbox_payment ON outbox (payment_id) WHERE payment_id IS NOT NULL;
  CREATE INDEX outbox_parent ON outbox (parent_reference) WHERE parent_reference IS NOT NULL;
  CREATE INDEX outbox_happened ON outbox (organization, kind, happened_at);
  CREATE TABLE api_quotas (
    organization text PRIMARY KEY, used integer NOT NULL, resets_at bigint NOT NULL,
    reported_limit bigint NOT NULL, backoff_until bigint NOT NULL, failures integer NOT NULL
  );
  CREATE TABLE inbound_webhooks (
    id text PRIMARY KEY, organization text NOT NULL, source text NOT NULL, kind text,
    format text NOT NULL, body text NOT NULL, bytes integer NOT NULL, status text NOT NULL,
    attempts integer NOT NULL, next_run_at bigint NOT NULL, last_error text,
    received_at bigint NOT NULL
  );
  CREATE INDEX inbound_webhooks_due
    ON inbound_webhooks (organization, status, received_at, bytes, next_run_at);
  CREATE TABLE archived_assets (
    name text PRIMARY KEY, text text NOT NULL, first_seen_at bigint NOT NULL,
    last_seen_at bigint NOT NULL
  );
  CREATE TABLE rate_limits (
    key varchar(255) PRIMARY KEY, points integer NOT NULL DEFAULT 0, expire bigint
  );
  CREATE TABLE daily_secrets (day integer PRIMARY KEY, secret text NOT NULL);
  CREATE TABLE review_decisions (
    id text PRIMARY KEY, reference text NOT NULL, event text, decision text NOT NULL,
    from_status text NOT NULL, to_status text NOT NULL, platform_gift_id bigint,
    decided_by text NOT NULL, note text NOT NULL, decided_at bigint NOT NULL
  );
  CREATE INDEX review_decisions_reference ON review_decisions (reference);
  CREATE TABLE pauses (
    id text PRIMARY KEY, organization text NOT NULL, paused_at bigint NOT NULL,
    paused_by text NOT NULL, note text NOT NULL, resumed_at bigint, resumed_by text,
    resume_note text
  );
  CREATE UNIQUE INDEX pauses_open ON pauses (organization) WHERE resumed_at IS NULL;
  CREATE TABLE admin_sessions (
    id text PRIMARY KEY, name text NOT NULL, notice text, created_at bigint NOT NULL,
    last_used_at bigint NOT NULL
  );
  CREATE TABLE health_probes (name text PRIMARY KEY, at bigint NOT NULL);
  CREATE TABLE jobs (name text PRIMARY KEY, next_run_at bigint NOT NULL);
  CREATE TABLE webhook_messages (
    id text PRIMARY KEY, organization text NOT NULL, url text NOT NULL, event text NOT NULL,
    type text NOT NULL, status text NOT NULL, attempts integer NOT NULL,
    next_run_at bigint NOT NULL, last_error text, created_at bigint NOT NULL
  );
  CREATE INDEX webhook_messages_due ON webhook_messages (organization, url, status, next_run_at)`;

/** Donations of this release are never in the last index; see `donations/donor-index.ts`. */
const DONOR_KEYS = `
  ALTER TABLE donations ADD COLUMN donor_key text;
  ALTER TABLE donations ADD COLUMN notify_key text;
  CREATE INDEX donations_donor ON donations (organization, donor_key, created_at)
    WHERE donor_key IS NOT NULL;
  CREATE INDEX donations_notify ON donations (organization, notify_key, created_at)
    WHERE notify_key IS NOT NULL;
  CREATE INDEX donations_wrong_keys ON donations (organization, reference)
    WHERE (donor_key IS NULL) = (donor_deleted_at IS NULL)`;

const RECEIPTS = `
  CREATE TABLE receipts (
    id text PRIMARY KEY, organization text NOT NULL, reference text NOT NULL, status text NOT NULL,
    series text, year integer, number integer, template text, payload text, hash text, replaces text,
    issued_at bigint, keep_until bigint, voided_at bigint, void_reason text, attempts integer NOT NULL,
    next_run_at bigint NOT NULL, last_error text, created_at bigint NOT NULL,
    updated_at bigint NOT NULL
  );
  CREATE INDEX receipts_due ON receipts (organization, status, next_run_at);
  CREATE INDEX receipts_reference ON receipts (reference);
  CREATE UNIQUE INDEX receipts_number ON receipts (organization, series, year, number)
    WHERE number IS NOT NULL;
  CREATE TABLE receipt_files (
    receipt text PRIMARY KEY, media_type text NOT NULL, content BYTES NOT NULL
  );
  CREATE TABLE receipt_series (
    organization text NOT NULL, series text NOT NULL, year integer NOT NULL,
    last_number integer NOT NULL,
    CONSTRAINT receipt_series_key PRIMARY KEY (organization, series, year)
  )`;

const MAIL_RECIPIENTS = `
  ALTER TABLE mail_messages ADD COLUMN message_id text;
  ALTER TABLE mail_messages ADD COLUMN recipient_key text;
  CREATE INDEX mail_messages_message_id ON mail_messages (message_id)
    WHERE message_id IS NOT NULL;
  CREATE INDEX mail_messages_recipient ON mail_messages (organization, recipient_key, created_at)
    WHERE recipient_key IS NOT NULL;
  CREATE INDEX mail_messages_updated ON mail_messages (organization, kind, status, updated_at);
  CREATE TABLE blocked_recipients (
    organization text NOT NULL, key text NOT NULL, reason text NOT NULL, blocked_by text,
    created_at bigint NOT NULL,
    CONSTRAINT blocked_recipients_key PRIMARY KEY (organization, key)
  );
  CREATE TABLE mail_pauses (
    id text PRIMARY KEY, organization text NOT NULL, paused_at bigint NOT NULL,
    paused_by text NOT NULL, note text NOT NULL, resumed_at bigint, resumed_by text,
    resume_note text
  );
  CREATE UNIQUE INDEX mail_pauses_open ON mail_pauses (organization) WHERE resumed_at IS NULL`;

const STAFF = `
  CREATE TABLE staff_people (
    id text PRIMARY KEY, email text NOT NULL UNIQUE, name text NOT NULL, created_at bigint NOT NULL
  );
  CREATE TABLE staff_roles (
    person text NOT NULL, organization text NOT NULL, role text NOT NULL,
    CONSTRAINT staff_roles_key PRIMARY KEY (person, organization, role)
  );
  CREATE TABLE staff_passkeys (
    id text PRIMARY KEY, person text NOT NULL, public_key text NOT NULL, counter bigint NOT NULL,
    transports text NOT NULL, name text NOT NULL, created_at bigint NOT NULL, last_used_at bigint
  );
  CREATE INDEX staff_passkeys_person ON staff_passkeys (person);
  CREATE TABLE staff_identities (
    issuer text NOT NULL, subject text NOT NULL, person text NOT NULL, created_at bigint NOT NULL,
    CONSTRAINT staff_identities_key PRIMARY KEY (issuer, subject)
  );
  CREATE TABLE one_time_tokens (
    hash text PRIMARY KEY, purpose text NOT NULL, person text, data text,
    expires_at bigint NOT NULL
  );
  CREATE TABLE api_tokens (
    id text PRIMARY KEY, hash text NOT NULL UNIQUE, name text NOT NULL, organization text NOT NULL,
    permissions text NOT NULL, created_by text NOT NULL, created_at bigint NOT NULL,
    last_used_at bigint
  );
  CREATE TABLE audit_entries (
    id text PRIMARY KEY, at bigint NOT NULL, actor_kind text NOT NULL, actor_id text NOT NULL,
    actor_name text NOT NULL, address text NOT NULL, organization text NOT NULL,
    action text NOT NULL, subject text NOT NULL, before text, after text, result text
  );
  CREATE INDEX audit_entries_at ON audit_entries (at);
  ALTER TABLE admin_sessions ADD COLUMN person text;
  ALTER TABLE admin_sessions ADD COLUMN authenticated_at bigint NOT NULL DEFAULT 0;
  ALTER TABLE admin_sessions ADD COLUMN device text NOT NULL DEFAULT ''`;

const createSqlMigration = (statement: string): Migration => ({
  async up(db: Kysely<Tables>) {
    await sql.raw(statement).execute(db);
  },
});

/**
 * Migrations, run in the order of their names. During a rolling update, servers of two releases
 * share the database, so later migrations may only add tables, indexes, and columns that are
 * nullable or have a default.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-initial': {
    async up(db: Kysely<Tables>) {
      for (const statement of INITIAL_TABLES.split(';')) await sql.raw(statement).execute(db);
      // An unlogged table is faster, but a crash resets the counts.
      if (db.getExecutor().adapter instanceof PostgresAdapter)
        await sql`ALTER TABLE rate_limits SET UNLOGGED`.execute(db);
    },
  },
  '0002-alerts': createSqlMigration(`
    CREATE TABLE alerts (
      cause text NOT NULL, organization text NOT NULL, began_at bigint NOT NULL,
      last_seen_at bigint NOT NULL, ended_at bigint, sent_at bigint NOT NULL DEFAULT 0,
      is_sent integer NOT NULL DEFAULT 0, sent_count integer NOT NULL DEFAULT 0,
      CONSTRAINT alerts_cause PRIMARY KEY (cause, organization)
    )`),
  '0003-server-info': createSqlMigration(
    'CREATE TABLE server_info (name text PRIMARY KEY, value text NOT NULL)',
  ),
  '0004-text-gift-ids': {
    async up(db: Kysely<Tables>) {
      for (const table of ['donations', 'outbox', 'review_decisions'] as const)
        await db.schema.alterTable(table).addColumn('platform_gift_id_text', 'text').execute();
    },
  },
  '0005-donor-keys': {
    async up(db: Kysely<Tables>) {
      for (const statement of DONOR_KEYS.split(';')) await sql.raw(statement).execute(db);
    },
  },
  '0006-mail': {
    async up(db: Kysely<Tables>) {
      await sql`CREATE TABLE mail_messages (
        id text PRIMARY KEY, organization text NOT NULL, kind text NOT NULL, event text NOT NULL,
        status text NOT NULL, attempts integer NOT NULL, next_run_at bigint NOT NULL,
        last_error text, created_at bigint NOT NULL, updated_at bigint NOT NULL
      )`.execute(db);
      await sql`CREATE INDEX mail_messages_due
        ON mail_messages (organization, status, next_run_at)`.execute(db);
    },
  },
  '0007-receipts': {
    async up(db: Kysely<Tables>) {
      const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
      const statements = RECEIPTS.replace('BYTES', isPostgres ? 'bytea' : 'blob');
      for (const statement of statements.split(';')) await sql.raw(statement).execute(db);
    },
  },
  '0008-gift-aid-cancellations': createSqlMigration(`
    CREATE TABLE gift_aid_cancellations (
      reference text PRIMARY KEY, canceled_from bigint NOT NULL, canceled_by text NOT NULL,
      canceled_at bigint NOT NULL
    )`),
  '0009-mail-recipients': {
    async up(db: Kysely<Tables>) {
      for (const statement of MAIL_RECIPIENTS.split(';')) await sql.raw(statement).execute(db);
    },
  },
  '0010-staff': {
    async up(db: Kysely<Tables>) {
      for (const statement of STAFF.split(';')) await sql.raw(statement).execute(db);
    },
  },
};

/** Ignores migrations of a later release, which add only what this one can ignore. */
export async function runMigrations(db: Kysely<Tables>, name: string): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  const applied = tables.some((table) => table.name === 'kysely_migration')
    ? await (db as unknown as Kysely<{ kysely_migration: { name: string } }>)
        .selectFrom('kysely_migration')
        .select('name')
        .execute()
    : [];
  const laterMigrations = applied
    .filter((one) => !Object.hasOwn(migrations, one.name))
    .map((one) => [one.name, { up: async () => undefined }] as const);
  const { error } = await new Migrator({
    db,
    provider: {
      getMigrations: async () => ({ ...migrations, ...Object.fromEntries(laterMigrations) }),
    },
    allowUnorderedMigrations: true,
  }).migrateToLatest();
  if (error)
    throw new Error(`${name}: cannot migrate the tables: ${(error as Error).message}`, {
      cause: error,
    });
}
