import type { MetricReader } from './metric-reader.ts';

/**
 * `page`: donors are affected, or soon will be. `ticket`: the problem can wait until the next
 * business day.
 */
export type Severity = 'page' | 'ticket';

/** A problem that a rule has found. */
export interface Finding {
  /** ID of the affected organization. Undefined if the problem affects all organizations. */
  readonly organization?: string;
  /** Description of the problem, as a sentence without donor data. */
  readonly summary: string;
  /** Number of affected items. If the number grows, the server sends another message. */
  readonly count?: number;
}

/**
 * A rule that detects a problem that an operator must handle. deploy/prometheus-alerts.yml defines
 * alerts with the same names and metrics, and docs/server/runbook.md describes how to handle each problem.
 */
export interface AlertRule {
  readonly cause: string;
  readonly severity: Severity;
  /** Minimum duration of the problem before a message is sent, in milliseconds. */
  readonly holdsFor: number;
  /** Recommended action, as a sentence. */
  readonly action: string;
  /** Section of the admin page that lists the affected items. */
  readonly section?: string;
  /**
   * True if the problem may prevent database writes. The server then records the problem in memory.
   */
  readonly isAboutDatabase?: boolean;
  readonly find: (metrics: MetricReader) => readonly Finding[];
}
