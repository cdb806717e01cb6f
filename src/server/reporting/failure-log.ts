import { describeError } from '../lib/describe-error.ts';
import type { Logger } from '../lib/logger.ts';
import { PageLimitError } from '../lib/page-limit.ts';
import { GiftNotCreatedError } from '../platform/platform-adapter.ts';
import type { ReportLine, Side } from './report.ts';

/** Logs the failed calls of a report, and describes them in the report. */
export class FailureLog {
  readonly #log: Logger;
  /** True if a call failed, so the comparison is incomplete and renewals might be missing. */
  hasFailures = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** @param problem description of the failure, without the reason. */
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

  /** Runs a comparison, and returns a report line instead of throwing an error. */
  async catch(
    reference: string,
    compare: () => Promise<readonly ReportLine[]>,
  ): Promise<readonly ReportLine[]> {
    try {
      return await compare();
    } catch (error) {
      return [this.add('payment-provider', `comparing ${reference} failed`, error)];
    }
  }
}

/** Returns the reason for a failure as text to append to the description of the problem. */
function formatFailureReason(error: unknown): string {
  if (error instanceof GiftNotCreatedError && error.isDeferred)
    return `: ${error.message}. Try again after ${error.retryAt!.toISOString()}`;
  if (error instanceof PageLimitError) return `: ${error.message}`;
  const { error: name, status } = describeError(error);
  return ` (${name}${status === undefined ? '' : ` ${status}`})`;
}
