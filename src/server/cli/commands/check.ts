import { Command } from '@commander-js/extra-typings';
import type { CheckResult } from '../../index.ts';
import { configOption } from '../options.ts';

type CheckStatus = CheckResult['status'];

/** Labels of the results, in printing order. */
const LABELS: Readonly<Record<CheckStatus, string>> = {
  fail: 'FAIL',
  warning: 'WARNING',
  skipped: 'skipped',
  pass: 'pass',
};
const LABEL_WIDTH = 7;

export const checkCommand = new Command('check')
  .summary('check everything that the server needs')
  .description(
    'Check the configuration, its secrets, the database, the clock, the platform and its ' +
      'key, the payment providers and their webhooks, and the origins of the pages. Changes ' +
      'nothing and accepts no donation. Makes one or two calls to each platform, which count ' +
      'toward its hourly limit. Does not check the proxy in front of the server. Run it in the ' +
      "service's environment. Lists failures first. Exits with 1 if a check fails.",
  )
  .addOption(configOption)
  .action(async ({ config }) => {
    const { runChecks, loadConfiguration } = await import('../../index.ts');
    const results = await runChecks({
      configuration: await loadConfiguration(config),
      environment: process.env,
    });
    const width = Math.max(...results.map(({ name }) => name.length));
    for (const status of Object.keys(LABELS))
      for (const result of results)
        if (result.status === status) process.stdout.write(formatResult(result, width));
    const count = (status: CheckStatus): number =>
      results.filter((result) => result.status === status).length;
    process.stdout.write(`\n${summarizeResults(count('fail'), count('warning'))}\n`);
    if (count('fail') > 0) process.exitCode = 1;
  });

/** Formats a result as a line. Further lines of its message follow below, indented. */
function formatResult({ name, status, message }: CheckResult, nameWidth: number): string {
  const indent = ' '.repeat(LABEL_WIDTH + nameWidth + 4);
  const label = LABELS[status].padEnd(LABEL_WIDTH);
  return `${label}  ${name.padEnd(nameWidth)}  ${message.replaceAll('\n', `\n${indent}`)}\n`;
}

function summarizeResults(failedCount: number, warningCount: number): string {
  const warnings = warningCount === 1 ? '1 warning.' : `${warningCount} warnings.`;
  const failures =
    failedCount === 0
      ? 'No check failed.'
      : `${failedCount} ${failedCount === 1 ? 'check' : 'checks'} failed.`;
  return warningCount === 0 ? failures : `${failures} ${warnings}`;
}
