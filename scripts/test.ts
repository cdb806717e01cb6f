/**
 * Builds the project and runs all suites, two at a time. With `CI=true` it includes the slow suites.
 * The last line counts the tests that passed and failed; type check and lint count as one test each.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { concurrently, type CloseEvent, type Command } from 'concurrently';
import { loadTypeTable } from '../test/contract/stripe/type-table.ts';
import { findPostgresBinaries } from '../test/postgres.ts';
import { hasWordPress } from '../test/wordpress/wordpress.ts';

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** The npm scripts to run, longest first. */
const SUITES = [
  'test:e2e',
  'test:server',
  'test:element',
  'test:postgres',
  'lint',
  'test:package',
  'test:unit',
  'typecheck',
];
const SLOW_SUITES = ['test:visual', 'test:wordpress'];
const STATIC_CHECKS = ['lint', 'typecheck'];

/** Formats in which Node's test runner, Playwright, and our Web Test Runner reporter count. */
const PASSED = [/^ℹ pass (\d+)/gm, /^ +(\d+) passed/gm, /^In all browsers: (\d+) passed/gm];
const FAILED = [
  /^ℹ fail (\d+)/gm,
  /^ +(\d+) failed/gm,
  /^In all browsers: \d+ passed, (\d+) failed/gm,
];

if (spawnSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' }).status !== 0) {
  console.log('\n0 passed, 1 failed');
  process.exit(1);
}

// Saves the table of Stripe's types, which several suites would otherwise build at the same time.
await loadTypeTable();

const missing = findMissingPrograms();
const suites = (process.env.CI ? [...SLOW_SUITES, ...SUITES] : SUITES).filter(
  (suite) => !missing.has(suite),
);
const { commands, result } = concurrently(
  suites.map((name) => ({
    name,
    // `times` prints the CPU time of the suite's processes.
    command: `npm run --silent ${name}; status=$?; times; exit $status`,
    // Hundreds of processes load the same modules, so cache the compiled code.
    env: { NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled') },
  })),
  { group: true, maxProcesses: 2, prefixColors: false, successCondition: 'all' },
);
const outputs = new Map(commands.map((command) => [command.name, collectOutput(command)]));
const closed = await result.catch((events: unknown) => events as CloseEvent[]);

const rows = closed.map(({ command, exitCode, timings }) => {
  const output = stripVTControlCharacters(outputs.get(command.name)!.join(''));
  return {
    suite: command.name,
    seconds: Math.round(timings.durationSeconds),
    'CPU-seconds': readCpuSeconds(output),
    ...countTests(command.name, output, exitCode),
  };
});
for (const { suite, failed } of rows) if (failed > 0) printEnd(suite);
console.table(rows);
for (const [suite, program] of missing)
  console.log(`${suite} was NOT run: ${program} is not installed. See CONTRIBUTING.md.`);
const skipped = process.env.CI ? missing.size : 0;
const passed = rows.reduce((sum, row) => sum + row.passed, 0);
const failed = rows.reduce((sum, row) => sum + row.failed, skipped);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Finds the suites that cannot run on this machine, with the program that each one needs. */
function findMissingPrograms(): Map<string, string> {
  const programs = new Map<string, string>();
  if (findPostgresBinaries() === undefined) programs.set('test:postgres', 'PostgreSQL');
  if (process.env.CI && !hasWordPress())
    programs.set('test:wordpress', 'WordPress with PHP and MariaDB');
  return programs;
}

function collectOutput({ stdout, stderr }: Command): string[] {
  const chunks: string[] = [];
  for (const stream of [stdout, stderr]) stream.subscribe((chunk) => chunks.push(chunk.toString()));
  return chunks;
}

/** Repeats the end of a failed suite's output, where each runner lists its failures. */
function printEnd(suite: string): void {
  const lines = outputs.get(suite)!.join('').trimEnd().split('\n');
  console.log(`\nThe end of ${suite}, which failed:\n\n${lines.slice(-100).join('\n')}\n`);
}

/** A suite that fails or runs no tests counts as at least one failure. */
function countTests(suite: string, output: string, exitCode: number | string): Counts {
  if (STATIC_CHECKS.includes(suite)) {
    return exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  }
  const passed = sumMatches(output, PASSED);
  const failed = sumMatches(output, FAILED);
  const hasRun = exitCode === 0 && passed > 0;
  return { passed, failed: hasRun ? failed : Math.max(failed, 1) };
}

/** Reads the last line of the shell's `times`: user and system time of all child processes. */
function readCpuSeconds(output: string): number {
  const [, ...numbers] = /(\d+)m([\d.]+)s (\d+)m([\d.]+)s\s*$/.exec(output) ?? [];
  const [userMinutes = 0, user = 0, systemMinutes = 0, system = 0] = numbers.map(Number);
  return Math.round(60 * (userMinutes + systemMinutes) + user + system);
}

function sumMatches(output: string, patterns: readonly RegExp[]): number {
  return patterns
    .flatMap((pattern) => [...output.matchAll(pattern)])
    .reduce((sum, [, count]) => sum + Number(count), 0);
}
