import { Command } from '@commander-js/extra-typings';
import type { CheckResult } from '../../index.ts';
import { configOption } from '../options.ts';

const LABELS: Readonly<Record<CheckResult['status'], string>> = {
  pass: 'pass',
  fail: 'FAIL',
  skipped: 'skipped',
};

export const checkCommand = new Command('check')
  .summary('check the configuration and everything that the server needs')
  .description(
    'Check the configuration, its secrets, the database, the clock, the platform and its ' +
      'key, the payment providers and their webhooks, and the origins of the pages. Changes ' +
      'nothing and accepts no donation. Makes one or two calls to each platform, which count ' +
      'toward its hourly limit. Exits with 1 if a check fails.',
  )
  .addOption(configOption)
  .action(async ({ config }) => {
    const { runChecks, loadConfiguration } = await import('../../index.ts');
    const results = await runChecks({
      configuration: await loadConfiguration(config),
      environment: process.env,
    });
    const width = Math.max(...results.map(({ name }) => name.length));
    for (const { name, status, message } of results)
      process.stdout.write(
        `${LABELS[status].padEnd(7)}  ${name.padEnd(width)}  ${message.replaceAll('\n', ' ')}\n`,
      );
    const failedCount = results.filter(({ status }) => status === 'fail').length;
    process.stdout.write(`\n${summarize(failedCount)}\n`);
    if (failedCount > 0) process.exitCode = 1;
  });

function summarize(failedCount: number): string {
  if (failedCount === 0) return 'No check failed.';
  return failedCount === 1 ? '1 check failed.' : `${failedCount} checks failed.`;
}
