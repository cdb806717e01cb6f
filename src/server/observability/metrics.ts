import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { InvalidDecisionError } from '../donations/review-repository.ts';
import type { Database } from '../database/database.ts';
import type { Donation } from '../database/schema.ts';

/** What becomes of a gift, step by step. */
const GIFT_STEPS = [
  'accepted',
  'action',
  'pending',
  'charged',
  'declined',
  'not-charged',
  'held',
] as const;

const METHODS = ['GET', 'POST', 'OPTIONS', 'HEAD'];

/** One answered request. */
export interface AnsweredRequest {
  readonly method: string;
  /** The pattern of its path, or `unknown`: never the path itself, which is anybody's text. */
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
}

/**
 * The counts of one server since its start, for Prometheus. No label holds a text that somebody
 * sends: all come from the code or the configuration.
 * Conventions: https://prometheus.io/docs/practices/naming/.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests = new Histogram({
    name: 'donation_form_http_request_duration_seconds',
    help: 'Requests of the public listener and how long their answers took, by method, pattern of the path and status. Of this server.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [this.registry],
  });
  readonly #gifts = new Counter({
    name: 'donation_form_donations_total',
    help: 'Steps of gifts, by what they came to: accepted, action (the donor had to do something first), pending (the money comes later), charged, declined, not-charged (the processor was not reached or refused to try, such as a wrong key), held (left to a person). Of this server.',
    labelNames: ['organization', 'provider', 'state'],
    registers: [this.registry],
  });
  readonly #refusals = new Counter({
    name: 'donation_form_rejected_requests_total',
    help: 'Requests that the guard refused or asked for a proof of work, by reason. Of this server.',
    labelNames: ['reason'],
    registers: [this.registry],
  });
  readonly #writes = new Histogram({
    name: 'donation_form_database_write_duration_seconds',
    help: 'Transactions of the store until the disk had them, by result: done or failed. Of this server.',
    labelNames: ['result'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });

  /** @param version of this package. */
  constructor(version: string) {
    new Gauge({
      name: 'donation_form_build_info',
      help: 'Always 1; the label is the version. Of this server.',
      labelNames: ['version'],
      registers: [this.registry],
    }).set({ version }, 1);
    for (const result of ['done', 'failed']) this.#writes.zero({ result });
  }

  /**
   * Begins the counts of an organisation's gifts at nothing, so that the first one is seen as a
   * rise.
   */
  expect(organization: string, providers: Iterable<string>): void {
    for (const provider of providers)
      for (const state of GIFT_STEPS) this.#gifts.inc({ organization, provider, state }, 0);
  }

  readonly request = ({ method, route, status, milliseconds }: AnsweredRequest): void => {
    this.#requests.observe(
      { method: METHODS.includes(method) ? method : 'other', route, status },
      milliseconds / 1_000,
    );
  };

  /** A gift was accepted, or came to another state. */
  readonly gift = (row: Donation): void => {
    this.#gifts.inc({
      organization: row.organization,
      provider: row.payload.payment.provider,
      state: stepOf(row),
    });
  };

  /** The guard let a request not pass. */
  readonly refused = (reason: 'challenge-required' | 'too-many-requests'): void => {
    this.#refusals.inc({ reason });
  };

  /** The store, whose writes are measured. */
  measured(store: Database): Database {
    const { write } = store.writer;
    return {
      ...store,
      writer: {
        write: async (work) => {
          const end = this.#writes.startTimer();
          try {
            const result = await write(work);
            end({ result: 'done' });
            return result;
          } catch (error) {
            // What a person may not decide now is refused by us, not by the store.
            end({ result: error instanceof InvalidDecisionError ? 'done' : 'failed' });
            throw error;
          }
        },
      },
    };
  }
}

function stepOf({ state, decline_reason: reason }: Donation): (typeof GIFT_STEPS)[number] {
  if (state === 'declined' && reason === 'not-charged') return 'not-charged';
  return state === 'charging' ? 'accepted' : state;
}
