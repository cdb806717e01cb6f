import type { MetricReader } from './metric-reader.ts';

/** `page`: donors are affected, or soon will be. `ticket`: look at it on the next working day. */
export type Severity = 'page' | 'ticket';

/** A problem that a rule has found. */
export interface Finding {
  /** Undefined if it affects all organizations. */
  readonly organization?: string;
  /** What happened, as a sentence. Contains no donor data. */
  readonly summary: string;
  /** Number of affected items. If it grows, another message is sent. */
  readonly count?: number;
}

/**
 * A cause that needs a person. deploy/prometheus-alerts.yml has the same causes, by the same names
 * and from the same metrics, and docs/runbook.md says what to do for each.
 */
export interface AlertRule {
  readonly cause: string;
  readonly severity: Severity;
  /** Milliseconds for which the problem must last before a message is sent. */
  readonly holdsFor: number;
  /** What to do, as a sentence. */
  readonly action: string;
  /** Section of the admin page that lists the affected items. */
  readonly section?: string;
  /** True if the cause may prevent writes to the database, which then cannot record messages. */
  readonly isAboutDatabase?: boolean;
  readonly find: (metrics: MetricReader) => readonly Finding[];
}
