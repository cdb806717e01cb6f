import { describeError } from '../lib/describe-error.ts';
import type { Logger } from '../lib/logger.ts';
import { iterateWithLimit, PageLimitError } from '../lib/page-limit.ts';
import type { Period } from '../lib/period.ts';
import type { PaymentGateway } from '../payments/payment-gateway.ts';
import { GiftNotCreatedError, type PlatformReader } from '../platform/platform-adapter.ts';
import { GiftLookup, type PlatformComparisonOptions } from './compare-platform.ts';
import type { ReportLine, Side } from './report.ts';
import type { StagingDatabase } from './staging-database.ts';

const DAY = 86_400_000;
/** Milliseconds. Clocks differ, and the charge follows the server's acceptance. */
const MARGIN = DAY;
/** Milliseconds. The server might send a gift much later. */
const PLATFORM_MARGIN = 7 * DAY;
const PROGRESS_INTERVAL = 1_000;

export interface ListOptions {
  readonly period: Period;
  readonly stagingDatabase: StagingDatabase;
  readonly failures: FailureLog;
}

/** Lists payments, and yields the progress. Returns true if the provider listed all payments. */
export async function* listPayments(
  provider: string,
  gateway: PaymentGateway,
  { period: { from, to }, stagingDatabase, failures }: ListOptions,
): AsyncGenerator<ReportLine, boolean> {
  if (!gateway.iteratePayments || !gateway.listEvents) {
    if (provider !== 'offline')
      yield describeUnlisted('payment-provider', `${provider} cannot list payments`);
    return false;
  }
  try {
    const payments = gateway.iteratePayments(new Date(from - MARGIN), new Date(to + MARGIN));
    yield* insertAll(`the list of payments at ${provider}`, payments, (payment) =>
      stagingDatabase.insertPaymentIfNew({ ...payment, provider }),
    );
    return true;
  } catch (error) {
    yield failures.add('payment-provider', `listing payments at ${provider} failed`, error);
    return false;
  }
}

/** Lists gifts, and yields the progress. Returns `undefined` if the platform cannot be compared. */
export async function* listGifts(
  reader: PlatformReader,
  now: number,
  { period: { from, to }, stagingDatabase, failures }: ListOptions,
): AsyncGenerator<ReportLine, PlatformComparisonOptions | undefined> {
  if (reader.isNone) return undefined;
  const lookup = new GiftLookup(reader);
  if (!reader.iterateGifts) {
    if (reader.findGiftId) return { lookup, now };
    yield describeUnlisted(
      'platform',
      'the configuration has neither platform.list nor platform.find',
    );
    return undefined;
  }
  const period = { from: from - MARGIN, to: to + PLATFORM_MARGIN };
  try {
    const gifts = reader.iterateGifts(new Date(period.from), new Date(period.to));
    yield* insertAll("the platform's list of gifts", gifts, (gift) =>
      stagingDatabase.insertGift(gift),
    );
  } catch (error) {
    yield failures.add('platform', 'listing gifts failed', error);
    return undefined;
  }
  const findGifts = (reference: string) => stagingDatabase.listGiftsAndMarkMatched(reference);
  return { listed: { findGifts, period }, lookup, now };
}

function describeUnlisted(side: Side, reason: string): ReportLine {
  return { kind: 'not-compared', side, reason, isFailure: false };
}

async function* insertAll<Item>(
  listName: string,
  records: AsyncIterable<Item>,
  insert: (record: Item) => void,
): AsyncGenerator<ReportLine> {
  let listed = 0;
  for await (const record of iterateWithLimit(listName, records)) {
    insert(record);
    listed += 1;
    if (listed % PROGRESS_INTERVAL === 0) yield { kind: 'progress', listed };
  }
}

export class FailureLog {
  readonly #log: Logger;
  /** If true, the comparison is incomplete, and renewals might be missing. */
  hasFailures = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  add(side: Side, problem: string, error: unknown): ReportLine {
    this.hasFailures = true;
    this.#log.error({ side, ...describeError(error) }, 'reconciliation incomplete');
    return {
      kind: 'not-compared',
      side,
      reason: problem + formatFailureReason(error),
      isFailure: true,
    };
  }

  /** Returns a report line instead of throwing an error. */
  async catch(
    problem: string,
    compare: () => Promise<readonly ReportLine[]>,
  ): Promise<readonly ReportLine[]> {
    try {
      return await compare();
    } catch (error) {
      return [this.add('payment-provider', problem, error)];
    }
  }
}

function formatFailureReason(error: unknown): string {
  if (error instanceof GiftNotCreatedError && error.rejection.isDeferred)
    return `: ${error.message}. Try again after ${error.rejection.retryAt!.toISOString()}`;
  if (error instanceof PageLimitError) return `: ${error.message}`;
  const { error: name, status } = describeError(error);
  return ` (${name}${status === undefined ? '' : ` ${status}`})`;
}
