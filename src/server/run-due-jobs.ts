import type { FormRegistry } from './donations/form-registry.ts';
import { DRAIN_SECONDS, NEVER } from './database/claims.ts';
import type { WebhookReceiver } from './webhooks/inbound/receiver.ts';
import type { WebhookDispatcher } from './webhooks/outbound/dispatcher.ts';
import type { Database } from './database/database.ts';
import { readBudgets } from './observability/queries.ts';

/** How long a drain goes on. */
export interface RunDueJobsOptions {
  /** Nothing is begun after so many seconds; what is under way then ends first. */
  readonly seconds?: number;
  /** Nothing is begun once it is aborted. */
  readonly signal?: AbortSignal;
}

/** What a drain did, and what it left. */
export interface JobRunSummary {
  /** How much the platform was told. */
  readonly told: number;
  /** Of how many payments the processor was asked. */
  readonly lookedUp: number;
  /** How much the platform is yet to be told. */
  readonly toTell: number;
  /** How many messages the organisations' own servers are yet to be sent. */
  readonly toSend: number;
  /** How many payments are under way. */
  readonly payments: number;
  /**
   * When the next of these is due, which may be now, and the platform may be called; absent where
   * nothing is left.
   */
  readonly next: Date | undefined;
}

/**
 * Works off what is due until nothing is, or the platform wants silence, or the time is up.
 * @throws where the store does not answer.
 */
export async function runDueJobs(
  {
    formRegistry,
    platformWebhooks,
    siteWebhooks,
    store,
  }: {
    readonly formRegistry: FormRegistry;
    readonly platformWebhooks: WebhookReceiver;
    readonly siteWebhooks: WebhookDispatcher;
    readonly store: Database;
  },
  { seconds = DRAIN_SECONDS, signal }: RunDueJobsOptions = {},
): Promise<JobRunSummary> {
  const timeIsUp = AbortSignal.timeout(seconds * 1_000);
  const until = signal ? AbortSignal.any([signal, timeIsUp]) : timeIsUp;
  const [done] = await Promise.all([
    formRegistry.runDue(until),
    platformWebhooks.drain(until),
    siteWebhooks.drain(until),
  ]);
  // What was learned of payments meanwhile.
  await siteWebhooks.drain(until);
  const sum = (numbers: readonly number[]): number =>
    numbers.reduce((total, number) => total + number, 0);
  return {
    told: sum(done.map(({ told }) => told)),
    lookedUp: sum(done.map(({ lookedUp }) => lookedUp)),
    ...(await whatIsLeft(store, formRegistry)),
  };
}

async function whatIsLeft(
  { db }: Database,
  formRegistry: FormRegistry,
): Promise<Pick<JobRunSummary, 'toTell' | 'toSend' | 'payments' | 'next'>> {
  const events = await db
    .selectFrom('outbox')
    .where('state', '=', 'waiting')
    .groupBy('organization')
    .select(({ fn }) => [
      'organization',
      fn.countAll<number | bigint>().as('count'),
      fn.min<number>('next_run_at').as('due'),
    ])
    .execute();
  const silences = new Map(
    (await readBudgets(formRegistry)).map(({ organization, silentUntil }) => [
      organization,
      silentUntil?.getTime() ?? 0,
    ]),
  );
  const gifts = await db
    .selectFrom('donations')
    .where('state', 'in', ['charging', 'action', 'pending'])
    .where('next_run_at', '<', NEVER)
    .select(({ fn }) => [
      fn.countAll<number | bigint>().as('count'),
      fn.min<number | null>('next_run_at').as('due'),
    ])
    .executeTakeFirstOrThrow();
  const urls = formRegistry.organizations.flatMap(({ webhooks = [] }) =>
    webhooks.map(({ url }) => url),
  );
  const messages =
    urls.length === 0
      ? undefined
      : await db
          .selectFrom('webhook_messages')
          .where('state', '=', 'waiting')
          .where('url', 'in', urls)
          .select(({ fn }) => [
            fn.countAll<number | bigint>().as('count'),
            fn.min<number | null>('next_run_at').as('due'),
          ])
          .executeTakeFirstOrThrow();
  const next = Math.min(
    messages?.due ?? NEVER,
    ...events.map(({ organization, due }) => Math.max(due, silences.get(organization) ?? 0)),
    gifts.due ?? NEVER,
  );
  return {
    toTell: events.reduce((total, { count }) => total + Number(count), 0),
    toSend: Number(messages?.count ?? 0),
    payments: Number(gifts.count),
    next: next === NEVER ? undefined : new Date(next),
  };
}
