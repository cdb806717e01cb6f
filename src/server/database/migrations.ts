import { PostgresAdapter, sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Tables } from './schema.ts';

/**
 * Migrations, run in the order of their names. During a rolling update, servers of two releases
 * share the database, so later migrations may only add tables, indexes, and columns that are
 * nullable or have a default.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-initial': {
    async up(db: Kysely<Tables>) {
      // Indexes on columns that are null for most rows omit these rows, so that accepting a donation
      // does not write to them.
      await db.schema
        .createTable('donations')
        .addColumn('reference', 'text', (column) => column.primaryKey())
        .addColumn('idempotency_key_hash', 'text', (column) => column.notNull().unique())
        .addColumn('fingerprint', 'text', (column) => column.notNull())
        .addColumn('organization', 'text', (column) => column.notNull())
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('payload', 'text', (column) => column.notNull())
        .addColumn('awaiting', 'text')
        .addColumn('payment_id', 'text')
        .addColumn('subscription_id', 'text')
        .addColumn('subscription_status', 'text')
        .addColumn('payment_method', 'integer')
        .addColumn('failure_reason', 'text')
        .addColumn('platform_gift_id', 'bigint')
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('charge_started_at', 'bigint', (column) => column.notNull())
        .addColumn('next_run_at', 'bigint', (column) => column.notNull())
        .addColumn('locked_until', 'bigint', (column) => column.notNull().defaultTo(0))
        .addColumn('last_error', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('updated_at', 'bigint', (column) => column.notNull())
        .addColumn('donor_deleted_at', 'bigint')
        .addColumn('donor_deleted_by', 'text')
        .addColumn('restored_at', 'bigint')
        .execute();
      await db.schema
        .createIndex('donations_due')
        .on('donations')
        .columns(['organization', 'status', 'next_run_at'])
        .execute();
      await db.schema
        .createIndex('donations_payment')
        .on('donations')
        .column('payment_id')
        .execute();
      await db.schema
        .createIndex('donations_subscription')
        .on('donations')
        .column('subscription_id')
        .where(sql.ref('subscription_id'), 'is not', null)
        .execute();
      await db.schema
        .createIndex('donations_created')
        .on('donations')
        .column('created_at')
        .execute();
      await db.schema
        .createIndex('donations_organization_created')
        .on('donations')
        .columns(['organization', 'created_at'])
        .execute();
      await db.schema
        .createIndex('donations_with_donor_data')
        .on('donations')
        .columns(['organization', 'created_at'])
        .where(sql.ref('donor_deleted_at'), 'is', null)
        .execute();
      await db.schema
        .createTable('ignored_setting_stats')
        .addColumn('form', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('reason', 'text', (column) => column.notNull())
        .addColumn('segment', 'text', (column) => column.notNull())
        .addColumn('day', 'text', (column) => column.notNull())
        .addColumn('count', 'integer', (column) => column.notNull())
        .addPrimaryKeyConstraint('ignored_setting_stats_kind', [
          'form',
          'name',
          'reason',
          'segment',
          'day',
        ])
        .execute();
      await db.schema
        .createTable('outbox')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('organization', 'text', (column) => column.notNull())
        .addColumn('reference', 'text', (column) => column.notNull())
        .addColumn('parent_reference', 'text')
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('payment_id', 'text')
        .addColumn('payload', 'text', (column) => column.notNull())
        .addColumn('platform_gift_id', 'bigint')
        .addColumn('dispatched_at', 'bigint')
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('next_run_at', 'bigint', (column) => column.notNull())
        .addColumn('locked_until', 'bigint', (column) => column.notNull().defaultTo(0))
        .addColumn('last_error', 'text')
        .addColumn('happened_at', 'bigint', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('updated_at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex('outbox_due')
        .on('outbox')
        .columns(['organization', 'status', 'next_run_at'])
        .execute();
      await db.schema.createIndex('outbox_reference').on('outbox').column('reference').execute();
      await db.schema
        .createIndex('outbox_payment')
        .on('outbox')
        .column('payment_id')
        .where(sql.ref('payment_id'), 'is not', null)
        .execute();
      await db.schema
        .createIndex('outbox_parent')
        .on('outbox')
        .column('parent_reference')
        .where(sql.ref('parent_reference'), 'is not', null)
        .execute();
      await db.schema
        .createIndex('outbox_happened')
        .on('outbox')
        .columns(['organization', 'kind', 'happened_at'])
        .execute();
      await db.schema
        .createTable('api_quotas')
        .addColumn('organization', 'text', (column) => column.primaryKey())
        .addColumn('used', 'integer', (column) => column.notNull())
        .addColumn('resets_at', 'bigint', (column) => column.notNull())
        .addColumn('reported_limit', 'bigint', (column) => column.notNull())
        .addColumn('backoff_until', 'bigint', (column) => column.notNull())
        .addColumn('failures', 'integer', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('inbound_webhooks')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('organization', 'text', (column) => column.notNull())
        .addColumn('source', 'text', (column) => column.notNull())
        .addColumn('kind', 'text')
        .addColumn('format', 'text', (column) => column.notNull())
        .addColumn('body', 'text', (column) => column.notNull())
        .addColumn('bytes', 'integer', (column) => column.notNull())
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('next_run_at', 'bigint', (column) => column.notNull())
        .addColumn('last_error', 'text')
        .addColumn('received_at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex('inbound_webhooks_due')
        .on('inbound_webhooks')
        .columns(['organization', 'status', 'received_at', 'bytes', 'next_run_at'])
        .execute();
      await db.schema
        .createTable('archived_assets')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('text', 'text', (column) => column.notNull())
        .addColumn('first_seen_at', 'bigint', (column) => column.notNull())
        .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
        .execute();
      // On PostgreSQL, the table is unlogged. That is faster, but a crash resets the counts.
      await db.schema
        .createTable('rate_limits')
        .addColumn('key', 'varchar(255)', (column) => column.primaryKey())
        .addColumn('points', 'integer', (column) => column.notNull().defaultTo(0))
        .addColumn('expire', 'bigint')
        .execute();
      // An unlogged table is faster, but a crash resets the counts.
      if (db.getExecutor().adapter instanceof PostgresAdapter)
        await sql`ALTER TABLE rate_limits SET UNLOGGED`.execute(db);
      await db.schema
        .createTable('daily_secrets')
        .addColumn('day', 'integer', (column) => column.primaryKey())
        .addColumn('secret', 'text', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('review_decisions')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('reference', 'text', (column) => column.notNull())
        .addColumn('event', 'text')
        .addColumn('decision', 'text', (column) => column.notNull())
        .addColumn('from_status', 'text', (column) => column.notNull())
        .addColumn('to_status', 'text', (column) => column.notNull())
        .addColumn('platform_gift_id', 'bigint')
        .addColumn('decided_by', 'text', (column) => column.notNull())
        .addColumn('note', 'text', (column) => column.notNull())
        .addColumn('decided_at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex('review_decisions_reference')
        .on('review_decisions')
        .column('reference')
        .execute();
      await db.schema
        .createTable('pauses')
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
        .createIndex('pauses_open')
        .unique()
        .on('pauses')
        .column('organization')
        .where(sql.ref('resumed_at'), 'is', null)
        .execute();
      await db.schema
        .createTable('admin_sessions')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('notice', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('last_used_at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('health_probes')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('jobs')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('next_run_at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .createTable('webhook_messages')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('organization', 'text', (column) => column.notNull())
        .addColumn('url', 'text', (column) => column.notNull())
        .addColumn('event', 'text', (column) => column.notNull())
        .addColumn('type', 'text', (column) => column.notNull())
        .addColumn('status', 'text', (column) => column.notNull())
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('next_run_at', 'bigint', (column) => column.notNull())
        .addColumn('last_error', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex('webhook_messages_due')
        .on('webhook_messages')
        .columns(['organization', 'url', 'status', 'next_run_at'])
        .execute();
    },
  },
  '0002-alerts': {
    async up(db: Kysely<Tables>) {
      await db.schema
        .createTable('alerts')
        .addColumn('cause', 'text', (column) => column.notNull())
        .addColumn('organization', 'text', (column) => column.notNull())
        .addColumn('began_at', 'bigint', (column) => column.notNull())
        .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
        .addColumn('ended_at', 'bigint')
        .addColumn('sent_at', 'bigint', (column) => column.notNull().defaultTo(0))
        .addColumn('is_sent', 'integer', (column) => column.notNull().defaultTo(0))
        .addColumn('sent_count', 'integer', (column) => column.notNull().defaultTo(0))
        .addPrimaryKeyConstraint('alerts_cause', ['cause', 'organization'])
        .execute();
    },
  },
  '0003-server-info': {
    async up(db: Kysely<Tables>) {
      await db.schema
        .createTable('server_info')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('value', 'text', (column) => column.notNull())
        .execute();
    },
  },
  '0004-text-gift-ids': {
    async up(db: Kysely<Tables>) {
      for (const table of ['donations', 'outbox', 'review_decisions'] as const)
        await db.schema.alterTable(table).addColumn('platform_gift_id_text', 'text').execute();
    },
  },
};
