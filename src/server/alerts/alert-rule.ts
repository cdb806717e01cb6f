import type { MetricReader } from './metric-reader.ts';

/** `page`: donors are affected, or soon will be. `ticket`: look at it on the next working day. */
export type Severity = 'page' | 'ticket';

/** A problem that a rule has found. */
export interface Finding {
  /** ID of the affected organization. Undefined if the problem affects all organizations. */
  readonly organization?: string;
  /** Description of the problem, as a sentence without donor data. */
  readonly summary: string;
  /** Number of affected items. If the number grows, another message is sent. */
  readonly count?: number;
}

/**
 * A rule that finds a problem that requires manual action. deploy/prometheus-alerts.yml defines the
 * same causes with the same names and metrics, and docs/runbook.md describes the response to each.
 */
export interface AlertRule {
  readonly cause: string;
  readonly severity: Severity;
  /** Milliseconds that the problem must last before a message is sent. */
  readonly holdsFor: number;
  /** Recommended action, as a sentence. */
  readonly action: string;
  /** Section of the admin page that lists the affected items. */
  readonly section?: string;
  /** True if the cause may prevent writes to the database, which then cannot record messages. */
  readonly isAboutDatabase?: boolean;
  readonly find: (metrics: MetricReader) => readonly Finding[];
}
