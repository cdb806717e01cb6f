import { statfs } from 'node:fs/promises';
import { collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import type { FormRegistry } from '../donations/form-registry.ts';
import type { Database } from '../database/database.ts';
import type { Metrics } from './metrics.ts';
import {
  OPEN_EVENTS,
  OPEN_STATES,
  readBudgets,
  readOrphans,
  readSiteWebhooks,
  readStore,
  SITE_WEBHOOK_STATES,
} from './queries.ts';

export interface ScrapeOptions {
  readonly metrics: Metrics;
  readonly store: Pick<Database, 'db'>;
  /** The folder of the store's file; absent where it has none. */
  readonly folder?: string | undefined;
  readonly formRegistry: FormRegistry;
  readonly now: () => number;
}

/** What Prometheus is answered. */
export interface Exposition {
  readonly contentType: string;
  readonly text: string;
}

const OF_ALL = 'Read from the store: of all servers that share it.';

/**
 * Makes the function that answers Prometheus: the counts of this server, and what the store says
 * now.
 */
export function createScrape({
  metrics,
  store,
  folder,
  formRegistry,
  now,
}: ScrapeOptions): () => Promise<Exposition> {
  const { registry } = metrics;
  const gauge = gaugesOf(registry);
  const up = gauge(
    'donation_form_database_up',
    'Whether the store answered when this was asked: 1 or 0. Without it, what is read from it is missing here. Of this server.',
  );
  const free = gauge(
    'donation_form_database_free_bytes',
    'Space that is free where the SQLite file is; missing with PostgreSQL. Of this server.',
  );
  const gifts = gauge(
    'donation_form_donations_in_progress',
    `Gifts that are not finished, by state. ${OF_ALL}`,
    'organization',
    'state',
  );
  const oldestGift = gauge(
    'donation_form_donations_in_progress_oldest_seconds',
    `How long ago the oldest gift in a state was accepted; 0 where there is none. ${OF_ALL}`,
    'organization',
    'state',
  );
  const events = gauge(
    'donation_form_outbox_events',
    `What the platform is still to know: waiting, held (a person finds out whether it knows) or by-hand (a person enters it). ${OF_ALL}`,
    'organization',
    'state',
  );
  const oldestEvent = gauge(
    'donation_form_outbox_oldest_seconds',
    `How long the oldest waiting event has waited; 0 where none waits. ${OF_ALL}`,
    'organization',
  );
  const orphanedGifts = gauge(
    'donation_form_orphaned_donations',
    `Gifts that are not finished of an organisation that the configuration does not have; missing where there is none. ${OF_ALL}`,
    'organization',
  );
  const orphanedEvents = gauge(
    'donation_form_orphaned_events',
    `What the platform of such an organisation is still to know. ${OF_ALL}`,
    'organization',
  );
  const messages = gauge(
    'donation_form_webhook_messages',
    `Messages to an organisation's own server that were not taken: waiting, given-up (not in all tries) or gone (it wants none any more). ${OF_ALL}`,
    'organization',
    'state',
  );
  const oldestMessage = gauge(
    'donation_form_webhook_messages_oldest_seconds',
    `How long the oldest of those that are still sent has waited; 0 where none waits. ${OF_ALL}`,
    'organization',
  );
  const limit = gauge(
    'donation_form_api_quota_limit_calls',
    'Calls that the platform takes in an hour. Of all servers.',
    'organization',
  );
  const used = gauge(
    'donation_form_api_quota_used_calls',
    'Calls that were made in this hour. Of all servers.',
    'organization',
  );
  const resets = gauge(
    'donation_form_api_quota_resets_timestamp_seconds',
    'When the hour of the budget ends. Of all servers.',
    'organization',
  );
  const silent = gauge(
    'donation_form_platform_backoff_until_timestamp_seconds',
    'Until when the platform is not called, since it failed or asked for it; 0 where it may be. Of all servers.',
    'organization',
  );
  collectDefaultMetrics({ register: registry });

  async function readAll(): Promise<void> {
    const ids = formRegistry.organizations.map(({ id }) => id);
    const readings = await readStore(store, ids);
    for (const organization of ids) {
      for (const state of OPEN_STATES) {
        const reading = readings.gifts.find(
          (one) => one.organization === organization && one.state === state,
        );
        gifts.set({ organization, state }, reading?.count ?? 0);
        oldestGift.set({ organization, state }, reading ? (now() - reading.oldest) / 1_000 : 0);
      }
      for (const state of OPEN_EVENTS)
        events.set(
          { organization, state },
          readings.events.find((one) => one.organization === organization && one.state === state)
            ?.count ?? 0,
        );
      const waiting = readings.events.find(
        (one) => one.organization === organization && one.state === 'waiting',
      );
      oldestEvent.set({ organization }, waiting ? (now() - waiting.oldest) / 1_000 : 0);
    }
    const toSites = await readSiteWebhooks(store, formRegistry);
    for (const organization of ids) {
      for (const state of SITE_WEBHOOK_STATES)
        messages.set(
          { organization, state },
          toSites.find((one) => one.organization === organization && one.state === state)?.count ??
            0,
        );
      const waiting = toSites.find(
        (one) => one.organization === organization && one.state === 'waiting',
      );
      oldestMessage.set({ organization }, waiting ? (now() - waiting.oldest) / 1_000 : 0);
    }
    for (const { organization, gifts: count, events: untold } of await readOrphans(store, ids)) {
      orphanedGifts.set({ organization }, count);
      orphanedEvents.set({ organization }, untold);
    }
    for (const {
      organization,
      limit: most,
      used: done,
      resetsAt,
      silentUntil,
    } of await readBudgets(formRegistry)) {
      limit.set({ organization }, most);
      used.set({ organization }, done);
      if (resetsAt) resets.set({ organization }, resetsAt.getTime() / 1_000);
      silent.set({ organization }, (silentUntil?.getTime() ?? 0) / 1_000);
    }
  }

  return async () => {
    for (const { id, payments } of formRegistry.organizations) metrics.expect(id, payments.keys());
    for (const one of [
      gifts,
      oldestGift,
      events,
      oldestEvent,
      orphanedGifts,
      orphanedEvents,
      messages,
      oldestMessage,
      limit,
      used,
      resets,
      silent,
    ])
      one.reset();
    up.set(
      await readAll().then(
        () => 1,
        () => 0,
      ),
    );
    if (folder !== undefined)
      await statfs(folder).then(
        ({ bavail, bsize }) => {
          free.set(bavail * bsize);
        },
        () => {
          free.remove();
        },
      );
    return { contentType: registry.contentType, text: await registry.metrics() };
  };
}

function gaugesOf(registry: Registry) {
  return (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
}
