import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Database } from '../database/database.ts';
import { isDatabaseUnreachable } from '../database/database-error.ts';
import type { Donation } from '../database/schema.ts';
import { InvalidDecisionError } from '../donations/review-options.ts';

const STATUS_LABELS = [
  'accepted',
  'requires_action',
  'processing',
  'succeeded',
  'failed',
  'payment-failed',
  'needs_review',
] as const;

const METHODS = ['GET', 'POST', 'OPTIONS', 'HEAD'];

export interface HandledRequest {
  readonly method: string;
  /** Route pattern. Never the path, which clients control. */
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
}

/**
 * Counts since the server started. All label values come from the code or the configuration, never
 * from a request. Conventions: https://prometheus.io/docs/practices/naming/.
 */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests = new Histogram({
    name: 'donation_form_http_request_duration_seconds',
    help: 'Duration of requests to the public listener, by method, route, and status. Scope: this server.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [this.registry],
  });
  readonly #donations = new Counter({
    name: 'donation_form_donations_total',
    help:
      'Donations that reached a status: accepted, requires_action, processing, succeeded, ' +
      'failed, payment-failed (the payment provider did not respond or rejected the call), or ' +
      'needs_review. Scope: this server.',
    labelNames: ['organization', 'provider', 'status'],
    registers: [this.registry],
  });
  readonly #rejections = new Counter({
    name: 'donation_form_rejected_requests_total',
    help: 'Requests that fraud protection rejected or challenged, by reason. Scope: this server.',
    labelNames: ['reason'],
    registers: [this.registry],
  });
  readonly #writes = new Histogram({
    name: 'donation_form_database_write_duration_seconds',
    help:
      'Duration of database transactions, including the commit to disk, by result: done, ' +
      'failed, or unreachable (the database did not respond). Scope: this server.',
    labelNames: ['result'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });

  constructor(version: string) {
    new Gauge({
      name: 'donation_form_build_info',
      help: 'Always 1. The label contains the server version. Scope: this server.',
      labelNames: ['version'],
      registers: [this.registry],
    }).set({ version }, 1);
    for (const result of ['done', 'failed', 'unreachable']) this.#writes.zero({ result });
  }

  /** With a counter of 0, Prometheus shows the first donation as an increase. */
  addMissingDonationSeries(organization: string, providers: Iterable<string>): void {
    for (const provider of providers)
      for (const status of STATUS_LABELS)
        this.#donations.inc({ organization, provider, status }, 0);
  }

  readonly recordRequest = ({ method, route, status, milliseconds }: HandledRequest): void => {
    this.#requests.observe(
      { method: METHODS.includes(method) ? method : 'other', route, status },
      milliseconds / 1_000,
    );
  };

  readonly recordDonation = (row: Donation): void => {
    this.#donations.inc({
      organization: row.organization,
      provider: row.payload.payment.provider,
      status: getStatusLabel(row),
    });
  };

  readonly recordRejection = (reason: 'challenge-required' | 'too-many-requests'): void => {
    this.#rejections.inc({ reason });
  };

  /** Measures the duration of the writes. */
  instrumentDatabase(database: Database): Database {
    const { write, insertDonation } = database.writer;
    const measure = async <Result>(work: Promise<Result>): Promise<Result> => {
      const end = this.#writes.startTimer();
      try {
        const result = await work;
        end({ result: 'done' });
        return result;
      } catch (error) {
        end({ result: getFailureResult(error) });
        throw error;
      }
    };
    return {
      ...database,
      writer: {
        write: (callback) => measure(write(callback)),
        insertDonation: (rows) => measure(insertDonation(rows)),
      },
    };
  }
}

function getFailureResult(error: unknown): 'done' | 'failed' | 'unreachable' {
  // An invalid review decision is not a database error.
  if (error instanceof InvalidDecisionError) return 'done';
  return isDatabaseUnreachable(error) ? 'unreachable' : 'failed';
}

function getStatusLabel({ status, failureReason }: Donation): (typeof STATUS_LABELS)[number] {
  if (status === 'failed' && failureReason === 'payment-failed') return 'payment-failed';
  return status === 'unconfirmed' ? 'accepted' : status;
}
