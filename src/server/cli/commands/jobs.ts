import { Command } from '@commander-js/extra-typings';
import { formatCount } from '@donation-form/core/i18n';
import { DEFAULT_TIMEOUT_SECONDS } from '../../admin/actions/input-values.ts';
import type { JobRunSummary, LoadedConfiguration } from '../../index.ts';
import { AdminUnavailableError, callServer } from '../admin-client.ts';
import { configOption, createIntegerParser } from '../options.ts';

export const runJobsCommand = new Command('run')
  .summary('run due background jobs, then exit')
  .description(
    'Run due background jobs, then exit: send updates to the platform, look up unfinished ' +
      "payments, deliver webhooks to the organizations' servers, issue receipts, send mail to " +
      'donors, and delete expired data. You ' +
      'can run this command while servers are running. If a server has the SQLite file open, ' +
      'that server runs the jobs. On a serverless host, schedule this command to run every ' +
      'minute.',
  )
  .addOption(configOption)
  .option(
    '--timeout <seconds>',
    'start no more jobs after this many seconds; jobs in progress can finish',
    createIntegerParser(1, 9_999),
    DEFAULT_TIMEOUT_SECONDS,
  )
  .action(async ({ config, timeout }) => {
    const { DatabaseInUseError, loadConfiguration } = await import('../../index.ts');
    const configuration = await loadConfiguration(config);
    const summary = await runJobsHere(configuration, timeout).catch((error: unknown) => {
      const { cause } = error as Error;
      if (cause instanceof DatabaseInUseError) return runJobsOnServer(config, timeout, cause);
      throw error;
    });
    process.stdout.write(`${formatJobSummary(summary)}\n`);
  });

async function runJobsHere(
  configuration: LoadedConfiguration,
  timeoutSeconds: number,
): Promise<JobRunSummary> {
  const { createEndpoint } = await import('../../index.ts');
  const endpoint = await createEndpoint({
    // Do not start the background workers, because this command runs the jobs only once.
    configuration: { ...configuration, backgroundJobs: false },
    environment: process.env,
  });
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  process.once('SIGINT', abort).once('SIGTERM', abort);
  try {
    return await endpoint.runJobs({ timeoutSeconds, signal: controller.signal });
  } finally {
    process.off('SIGINT', abort).off('SIGTERM', abort);
    await endpoint.close();
  }
}

async function runJobsOnServer(
  config: string,
  timeoutSeconds: number,
  databaseInUse: Error,
): Promise<JobRunSummary> {
  try {
    const { nextRunAt, ...summary } = await callServer(config, 'jobs.run', { timeoutSeconds });
    return { ...summary, nextRunAt: nextRunAt === undefined ? undefined : new Date(nextRunAt) };
  } catch (error) {
    if (!(error instanceof AdminUnavailableError)) throw error;
    throw new Error(
      `${databaseInUse.message} If that process is a donation-form server, it can run the ` +
        `jobs, but this command cannot call it. ${error.message}`,
      { cause: error },
    );
  }
}

function formatJobSummary(summary: JobRunSummary): string {
  const { sentUpdates, checkedPayments, pendingUpdates, pendingWebhooks, pendingMail } = summary;
  const { paymentsInProgress, nextRunAt } = summary;
  const updates = formatCount(sentUpdates, 'update');
  const payments = formatCount(checkedPayments, 'payment');
  const done = `Sent ${updates} to the platform and checked ${payments}.`;
  if (nextRunAt === undefined) return `${done} No jobs are pending.`;
  const pending = [
    formatCount(pendingUpdates, 'update'),
    ...(pendingWebhooks === 0 ? [] : [formatCount(pendingWebhooks, 'webhook message')]),
    ...(pendingMail === 0 ? [] : [formatCount(pendingMail, 'donor message')]),
    `${formatCount(paymentsInProgress, 'payment')} in progress`,
  ];
  const nextRun =
    nextRunAt.getTime() <= Date.now()
      ? 'now'
      : `at ${nextRunAt.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return `${done} Pending: ${pending.join(', ')}. The next job is due ${nextRun}.`;
}
