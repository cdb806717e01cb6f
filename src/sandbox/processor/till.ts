import type { Clock } from '../lib/clock.ts';
import type { Database } from '../data/database.ts';
import { Delivery } from '../webhooks/delivery.ts';
import type { Faults } from '../lib/faults.ts';
import { doWhatIsDue } from './due.ts';
import { Events } from './events.ts';
import { Ledger } from './ledger.ts';
import { Payments } from './payments.ts';
import { Reversals } from './reversals.ts';
import { Subscriptions } from './subscriptions.ts';

/** What the processor's calls, pages and steering share. */
export interface Till {
  readonly ledger: Ledger;
  readonly payments: Payments;
  readonly reversals: Reversals;
  readonly subscriptions: Subscriptions;
  /** Does all of some work or none of it; what is to be told of it is sent once it is kept. */
  readonly change: <Result>(work: () => Result) => Result;
  readonly now: () => Date;
}

export interface TillOptions {
  readonly database: Database;
  readonly faults: Faults;
  readonly clock: Clock;
  /** Where a server is to hear of what happens, and the secret that signs it. */
  readonly webhook?: { readonly url: string; readonly secret: string } | undefined;
  readonly webhookWaits?: readonly number[] | undefined;
}

/** Milliseconds from one look at what is due to the next. */
const TICK = 5_000;

/** Opens a till, which does by itself what the clock brings until it is closed. */
export function openTill({
  database,
  faults,
  clock,
  webhook,
  webhookWaits,
}: TillOptions): Till & { readonly close: () => void } {
  const { now } = clock;
  const ledger = new Ledger(database);
  const delivery = new Delivery({ faults, place: 'processor', waits: webhookWaits });
  const events = webhook && new Events({ database, delivery, ...webhook });
  const tell = events?.tell ?? (() => undefined);
  const subscriptions = new Subscriptions({ ledger, tell });
  const reversals = new Reversals({ ledger, subscriptions, tell, now });
  const payments = new Payments({ ledger, subscriptions, faults, tell, now });
  const till: Till = {
    ledger,
    payments,
    reversals,
    subscriptions,
    now,
    change(work) {
      const result = database.together(work);
      events?.send();
      return result;
    },
  };
  const catchUp = (): void => doWhatIsDue(till);
  events?.send();
  catchUp();
  clock.onMove(catchUp);
  const ticking = setInterval(catchUp, TICK).unref();
  return {
    ...till,
    close() {
      clearInterval(ticking);
      delivery.close();
    },
  };
}
