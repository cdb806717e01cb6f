import type { Database } from '../database/database.ts';
import { openSqlite } from '../database/sqlite-database.ts';
import { describeError } from '../lib/describe-error.ts';
import type { Logger } from '../lib/logger.ts';
import { AlertLog, type ClaimedMessage } from './alert-log.ts';
import { createAlertMessage, type MessageSource } from './alert-message.ts';
import { ALERT_RULES } from './alert-rules.ts';
import type { AlertChannel } from './create-alert-channels.ts';
import type { MetricReader } from './metric-reader.ts';

const CHECK_INTERVAL = 60_000;

export interface AlertMonitorOptions {
  readonly database: Database;
  readonly metrics: MetricReader;
  /** Updates the metrics that are read from the database. */
  readonly refreshMetrics: () => Promise<unknown>;
  readonly source: () => Omit<MessageSource, 'now'>;
  readonly log: Logger;
}

/** Checks the alert rules every minute, and sends messages about the problems found. */
export class AlertMonitor {
  readonly #options: AlertMonitorOptions;
  readonly #alertLog: AlertLog;
  /** In memory, because the failing database may be unable to store its own problems. */
  #localDatabase: Promise<Database> | undefined;
  #channels: readonly AlertChannel[] = [];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStarted = false;
  #isStopped = false;

  constructor(options: AlertMonitorOptions) {
    this.#options = options;
    this.#alertLog = new AlertLog(options.database);
  }

  /** Replaces the channels. If the list is empty, the monitor stops checking the rules. */
  replaceChannels(channels: readonly AlertChannel[]): void {
    this.#channels = channels;
    if (this.#isStarted) this.start();
  }

  start(): void {
    this.#isStarted = true;
    clearTimeout(this.#timer);
    if (this.#isStopped || this.#channels.length === 0) return;
    this.#timer = setTimeout(() => void this.check().then(() => this.start()), CHECK_INTERVAL);
    this.#timer.unref();
  }

  /** Stops the monitor after any check in progress has finished. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
    await (await this.#localDatabase)?.close();
  }

  /** Checks all rules and sends the messages that are due. Logs errors instead of throwing them. */
  check(): Promise<void> {
    this.#running ??= this.#checkRules()
      .catch((error: unknown) => {
        this.#options.log.error(
          describeError(error),
          'cannot check the alert rules; will retry in one minute',
        );
      })
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  async #checkRules(): Promise<void> {
    if (this.#channels.length === 0) return;
    const { metrics, refreshMetrics, database } = this.#options;
    await refreshMetrics();
    await metrics.takeSnapshot();
    this.#localDatabase ??= openSqlite(':memory:');
    const { writer } = await this.#localDatabase;
    const localLog = new AlertLog({ writer, clock: database.clock });
    await this.#checkRulesAbout(true, localLog);
    await this.#checkRulesAbout(false, this.#alertLog);
  }

  async #checkRulesAbout(isAboutDatabase: boolean, alertLog: AlertLog): Promise<void> {
    for (const rule of ALERT_RULES)
      if ((rule.isAboutDatabase ?? false) === isAboutDatabase)
        for (const finding of rule.find(this.#options.metrics)) {
          const claimed = await alertLog.recordProblem(rule.cause, finding, rule.holdsFor);
          if (claimed) await this.#deliver(alertLog, claimed, finding.summary);
        }
    for (const claimed of await alertLog.endProblems()) {
      const { cause, organization } = claimed;
      const summary = `${cause}${organization === '' ? '' : ` for ${organization}`} has ended.`;
      await this.#deliver(alertLog, claimed, summary);
    }
  }

  /** Sends a message. Releases the claim on a current problem if nobody can have received it. */
  async #deliver(alertLog: AlertLog, claimed: ClaimedMessage, summary: string): Promise<void> {
    const { source, log, database } = this.#options;
    const rule = ALERT_RULES.find(({ cause }) => cause === claimed.cause);
    // Another release of the server may have recorded a cause that this release does not define.
    if (!rule) return;
    const now = database.clock.now();
    const message = createAlertMessage(claimed, rule, summary, { ...source(), now });
    const channels = this.#channels;
    const results = await Promise.allSettled(channels.map((channel) => channel.send(message)));
    const failures = results.flatMap((result, index) =>
      result.status === 'rejected'
        ? [{ channel: channels[index]!, error: result.reason as unknown }]
        : [],
    );
    for (const { channel, error } of failures)
      log.error(
        { endpoint: `alerts.${channel.name}`, kind: claimed.cause, ...describeError(error) },
        'cannot send an alert; to check the channels, run "donation-form alerts test"',
      );
    if (failures.length < channels.length) await alertLog.markSent(claimed);
    else if (
      claimed.kind === 'raised' &&
      failures.every(({ channel, error }) => channel.isCertainlyNotSent(error))
    )
      await alertLog.release(claimed);
  }
}
