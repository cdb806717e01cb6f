import { formatCount } from '@donation-form/core/i18n';
import type { CheckResult } from '../index.ts';

type CheckStatus = CheckResult['status'];

const LABELS: Readonly<Record<CheckStatus, string>> = {
  fail: 'FAIL',
  warning: 'WARNING',
  skipped: 'skipped',
  pass: 'pass',
};
const LABEL_WIDTH = 7;

/**
 * Prints results, failures first, and a summary. Sets the exit code to 1 if a check failed.
 * @param warningExitCode exit code if no check fails but there are warnings.
 */
export function printCheckResults(results: readonly CheckResult[], warningExitCode = 0): void {
  const width = Math.max(0, ...results.map(({ name }) => name.length));
  for (const status of Object.keys(LABELS))
    for (const result of results)
      if (result.status === status) process.stdout.write(formatResult(result, width));
  const count = (status: CheckStatus): number =>
    results.filter((result) => result.status === status).length;
  process.stdout.write(`\n${summarizeResults(count('fail'), count('warning'))}\n`);
  if (count('fail') > 0) process.exitCode = 1;
  else if (count('warning') > 0) process.exitCode = warningExitCode;
}

function formatResult({ name, status, message }: CheckResult, nameWidth: number): string {
  const indent = ' '.repeat(LABEL_WIDTH + nameWidth + 4);
  const label = LABELS[status].padEnd(LABEL_WIDTH);
  return `${label}  ${name.padEnd(nameWidth)}  ${message.replaceAll('\n', `\n${indent}`)}\n`;
}

function summarizeResults(failedCount: number, warningCount: number): string {
  const failures =
    failedCount === 0 ? 'No check failed.' : `${formatCount(failedCount, 'check')} failed.`;
  return warningCount === 0 ? failures : `${failures} ${formatCount(warningCount, 'warning')}.`;
}
