import { describeError } from '../lib/describe-error.ts';
import type { Logger } from '../lib/logger.ts';
import { PageLimitError } from '../lib/page-limit.ts';
import { GiftNotCreatedError } from '../platform/platform-adapter.ts';
import type { ReportLine, Side } from './report.ts';

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
  if (error instanceof GiftNotCreatedError && error.isDeferred)
    return `: ${error.message}. Try again after ${error.retryAt!.toISOString()}`;
  if (error instanceof PageLimitError) return `: ${error.message}`;
  const { error: name, status } = describeError(error);
  return ` (${name}${status === undefined ? '' : ` ${status}`})`;
}
