import { PostgresAdapter, sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Tables } from './schema.ts';

/** What brings a store of an earlier release up to date, in the order of the names. */
export const migrations: Readonly<Record<string, Migration>> = {
  '2026-11-gifts': {
    async up(db: Kysely<Tables>) {
      await db.schema
        .createTable('gifts')
        .ifNotExists()
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
      await db.schema
        .createIndex('gifts_due')
        .ifNotExists()
        .on('gifts')
        .columns(['organization', 'state', 'due_at'])
        .execute();
    },
  },
  '2026-11-ignored-settings': {
    async up(db: Kysely<Tables>) {
      await db.schema
        .createTable('ignored_settings')
        .ifNotExists()
        .addColumn('form', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('reason', 'text', (column) => column.notNull())
        .addColumn('segment', 'text', (column) => column.notNull())
        .addColumn('day', 'text', (column) => column.notNull())
        .addColumn('count', 'integer', (column) => column.notNull())
        .addPrimaryKeyConstraint('ignored_settings_kind', [
          'form',
          'name',
          'reason',
          'segment',
          'day',
        ])
        .execute();
    },
  },
  '2026-11-payments': {
    async up(db: Kysely<Tables>) {
      await db.schema
        .createTable('events')
        .ifNotExists()
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('organization', 'text', (column) => column.notNull())
        .addColumn('reference', 'text', (column) => column.notNull())
        .addColumn('parent', 'text')
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('payment_id', 'text')
        .addColumn('detail', 'text', (column) => column.notNull())
        .addColumn('platform_id', 'bigint')
        .addColumn('sending_began_at', 'bigint')
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('due_at', 'bigint', (column) => column.notNull())
        .addColumn('last_error', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('updated_at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex('events_due')
        .ifNotExists()
        .on('events')
        .columns(['organization', 'state', 'due_at'])
        .execute();
      await db.schema
        .createIndex('events_reference')
        .ifNotExists()
        .on('events')
        .column('reference')
        .execute();
      await db.schema
        .createIndex('events_payment')
        .ifNotExists()
        .on('events')
        .column('payment_id')
        .execute();
      await sql`INSERT INTO events (id, organization, reference, kind, state, detail, platform_id, sending_began_at, attempts, due_at, last_error, created_at, updated_at)
        SELECT 'gift ' || reference, organization, reference, 'gift', CASE state WHEN 'charged' THEN 'waiting' ELSE state END, '{}', platform_id, recording_began_at, attempts, due_at, last_error, created_at, updated_at
        FROM gifts WHERE payment_id IS NOT NULL AND state IN ('charged', 'recorded', 'held')`.execute(
        db,
      );
      await sql`UPDATE gifts SET state = 'charged' WHERE payment_id IS NOT NULL AND state IN ('recorded', 'held')`.execute(
        db,
      );
      await db.schema.alterTable('gifts').addColumn('subscription_id', 'text').execute();
      await db.schema.alterTable('gifts').addColumn('recurring_state', 'text').execute();
      await db.schema.alterTable('gifts').addColumn('payment_method', 'integer').execute();
      await db.schema.alterTable('gifts').dropColumn('recording_began_at').execute();
      await db.schema
        .createIndex('gifts_payment')
        .ifNotExists()
        .on('gifts')
        .column('payment_id')
        .execute();
      await db.schema
        .createIndex('gifts_subscription')
        .ifNotExists()
        .on('gifts')
        .column('subscription_id')
        .execute();
    },
  },
  '2026-11-several-servers': {
    async up(db: Kysely<Tables>) {
      await db.schema
        .alterTable('gifts')
        .addColumn('claimed_until', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute();
    },
  },
  '2026-11-budgets': {
    async up(db: Kysely<Tables>) {
      await db.schema
        .createTable('budgets')
        .ifNotExists()
        .addColumn('organization', 'text', (column) => column.primaryKey())
        .addColumn('used', 'integer', (column) => column.notNull())
        .addColumn('resets_at', 'bigint', (column) => column.notNull())
        .addColumn('told_limit', 'bigint', (column) => column.notNull())
        .addColumn('silent_until', 'bigint', (column) => column.notNull())
        .addColumn('failures', 'integer', (column) => column.notNull())
        .execute();
    },
  },
  '2026-11-platform-webhooks': {
    async up(db: Kysely<Tables>) {
      await db.schema
        .createTable('platform_webhooks')
        .ifNotExists()
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('organization', 'text', (column) => column.notNull())
        .addColumn('source', 'text', (column) => column.notNull())
        .addColumn('kind', 'text')
        .addColumn('format', 'text', (column) => column.notNull())
        .addColumn('body', 'text', (column) => column.notNull())
        .addColumn('bytes', 'integer', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('due_at', 'bigint', (column) => column.notNull())
        .addColumn('last_error', 'text')
        .addColumn('received_at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex('platform_webhooks_due')
        .ifNotExists()
        .on('platform_webhooks')
        .columns(['organization', 'state', 'received_at', 'bytes', 'due_at'])
        .execute();
    },
  },
  '2026-11-script-files': {
    async up(db: Kysely<Tables>) {
      await db.schema
        .createTable('script_files')
        .ifNotExists()
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('text', 'text', (column) => column.notNull())
        .addColumn('first_seen_at', 'bigint', (column) => column.notNull())
        .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
        .execute();
    },
  },
  '2026-11-guard': {
    /**
     * What the guard counts where several servers share the store. The counts have the columns that
     * rate-limiter-flexible expects; on PostgreSQL they are not written ahead, since after a crash
     * they may begin anew.
     */
    async up(db: Kysely<Tables>) {
      await db.schema
        .createTable('guard_counts')
        .ifNotExists()
        .addColumn('key', 'varchar(255)', (column) => column.primaryKey())
        .addColumn('points', 'integer', (column) => column.notNull().defaultTo(0))
        .addColumn('expire', 'bigint')
        .execute();
      await db.schema
        .createTable('guard_secrets')
        .ifNotExists()
        .addColumn('day', 'integer', (column) => column.primaryKey())
        .addColumn('secret', 'text', (column) => column.notNull())
        .execute();
      if (db.getExecutor().adapter instanceof PostgresAdapter)
        await sql`ALTER TABLE guard_counts SET UNLOGGED`.execute(db);
    },
  },
  '2026-11-resolutions': {
    async up(db: Kysely<Tables>) {
      await db.schema
        .createTable('resolutions')
        .ifNotExists()
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('gift', 'text', (column) => column.notNull())
        .addColumn('event', 'text')
        .addColumn('decision', 'text', (column) => column.notNull())
        .addColumn('from_state', 'text', (column) => column.notNull())
        .addColumn('to_state', 'text', (column) => column.notNull())
        .addColumn('platform_id', 'bigint')
        .addColumn('decided_by', 'text', (column) => column.notNull())
        .addColumn('note', 'text', (column) => column.notNull())
        .addColumn('decided_at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('pauses')
        .ifNotExists()
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('organization', 'text', (column) => column.notNull())
        .addColumn('paused_at', 'bigint', (column) => column.notNull())
        .addColumn('paused_by', 'text', (column) => column.notNull())
        .addColumn('note', 'text', (column) => column.notNull())
        .addColumn('resumed_at', 'bigint')
        .addColumn('resumed_by', 'text')
        .addColumn('resume_note', 'text')
        .execute();
      await db.schema
        .createTable('operator_sessions')
        .ifNotExists()
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('notice', 'text')
        .addColumn('began_at', 'bigint', (column) => column.notNull())
        .addColumn('used_at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .alterTable('events')
        .addColumn('claimed_until', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute();
      await db.schema
        .createIndex('resolutions_gift')
        .ifNotExists()
        .on('resolutions')
        .column('gift')
        .execute();
      await db.schema
        .createIndex('pauses_open')
        .ifNotExists()
        .on('pauses')
        .column('resumed_at')
        .execute();
      await db.schema
        .createIndex('gifts_created')
        .ifNotExists()
        .on('gifts')
        .column('created_at')
        .execute();
      await db.schema
        .createIndex('events_parent')
        .ifNotExists()
        .on('events')
        .column('parent')
        .execute();
    },
  },
  '2026-11-probes': {
    async up(db: Kysely<Tables>) {
      await db.schema
        .createTable('probes')
        .ifNotExists()
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .execute();
    },
  },
  '2026-11-records': {
    async up(db: Kysely<Tables>) {
      await db.schema.alterTable('gifts').addColumn('redacted_at', 'bigint').execute();
      await db.schema.alterTable('gifts').addColumn('redacted_by', 'text').execute();
      await db.schema.alterTable('gifts').addColumn('copied_at', 'bigint').execute();
      await db.schema.alterTable('events').addColumn('happened_at', 'bigint').execute();
      await db.schema
        .createIndex('gifts_given')
        .ifNotExists()
        .on('gifts')
        .columns(['organization', 'created_at'])
        .execute();
      await db.schema
        .createIndex('gifts_kept')
        .ifNotExists()
        .on('gifts')
        .columns(['organization', 'created_at'])
        .where(sql.ref('redacted_at'), 'is', null)
        .execute();
      await db.schema
        .createIndex('events_happened')
        .ifNotExists()
        .on('events')
        .columns(['organization', 'kind', 'happened_at'])
        .execute();
      await db.schema
        .createTable('jobs')
        .ifNotExists()
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('due_at', 'bigint', (column) => column.notNull())
        .execute();
    },
  },
  '2026-11-site-webhooks': {
    async up(db: Kysely<Tables>) {
      await db.schema
        .createTable('site_webhooks')
        .ifNotExists()
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('organization', 'text', (column) => column.notNull())
        .addColumn('url', 'text', (column) => column.notNull())
        .addColumn('event', 'text', (column) => column.notNull())
        .addColumn('type', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('due_at', 'bigint', (column) => column.notNull())
        .addColumn('last_error', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex('site_webhooks_due')
        .ifNotExists()
        .on('site_webhooks')
        .columns(['organization', 'url', 'state', 'due_at'])
        .execute();
    },
  },
};
