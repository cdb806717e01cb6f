import type { Clock } from '../lib/clock.ts';
import type { Database } from '../data/database.ts';
import { DeliveryQueue } from '../webhooks/delivery-queue.ts';
import type { Faults } from '../lib/faults.ts';
import { runScheduledTasks } from './scheduled-tasks.ts';
import { EventOutbox } from './events.ts';
import { Ledger } from './ledger.ts';
import { PaymentService } from './payments.ts';
import { ReversalService } from './reversals.ts';
import { SubscriptionService } from './subscriptions.ts';

/** Services shared by the processor's API, pages, and test controls. */
export interface ProcessorContext {
  readonly ledger: Ledger;
  readonly payments: PaymentService;
  readonly reversals: ReversalService;
  readonly subscriptions: SubscriptionService;
  /** Runs the callback in a transaction, then sends the events that it recorded. */
  readonly runTransaction: <Result>(callback: () => Result) => Result;
  readonly now: () => Date;
}

export interface ProcessorContextOptions {
  readonly database: Database;
  readonly faults: Faults;
  readonly clock: Clock;
  /** URL that receives webhooks, and their signing secret. */
  readonly webhook?: { readonly url: string; readonly secret: string } | undefined;
  readonly webhookRetryDelays?: readonly number[] | undefined;
}

/** Interval between runs of the scheduled tasks, in milliseconds. */
const TASK_INTERVAL = 5_000;

/** Creates the processor's services and runs its scheduled tasks until closed. */
export function createProcessorContext({
  database,
  faults,
  clock,
  webhook,
  webhookRetryDelays,
}: ProcessorContextOptions): ProcessorContext & { readonly close: () => void } {
  const { now } = clock;
  const ledger = new Ledger(database);
  const deliveryQueue = new DeliveryQueue({
    faults,
    target: 'stripe',
    retryDelays: webhookRetryDelays,
  });
  const eventOutbox = webhook && new EventOutbox({ database, deliveryQueue, ...webhook });
  const recordEvent = eventOutbox?.record ?? (() => undefined);
  const subscriptions = new SubscriptionService({ ledger, recordEvent });
  const reversals = new ReversalService({ ledger, subscriptions, recordEvent, now });
  const payments = new PaymentService({ ledger, subscriptions, faults, recordEvent, now });
  const context: ProcessorContext = {
    ledger,
    payments,
    reversals,
    subscriptions,
    now,
    runTransaction(callback) {
      const result = database.runInTransaction(callback);
      eventOutbox?.sendPending();
      return result;
    },
  };
  const runTasks = (): void => runScheduledTasks(context);
  eventOutbox?.sendPending();
  runTasks();
  clock.addChangeListener(runTasks);
  const timer = setInterval(runTasks, TASK_INTERVAL).unref();
  return {
    ...context,
    close() {
      clearInterval(timer);
      deliveryQueue.abortDeliveries();
    },
  };
}
