/**
 * Builds the project and runs all suites, two at a time. With `CI=true` it includes the slow suites.
 * With names, such as `npm test unit postgres`, it runs only these suites, one at a time.
 * The last line counts the tests that passed and failed; type check and lint count as one test each.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { type CloseEvent, type Command, concurrently } from 'concurrently';
import { hasWordPress } from '../integrations/wordpress/test/wordpress.ts';
import { loadTypeTable } from '../test/contract/stripe/type-table.ts';
import { findPostgresBinaries } from '../test/postgres.ts';

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

const NODE_TEST = 'node --test --test-force-exit';
const ONE_PROCESS = `${NODE_TEST} --test-isolation=none`;
const SERVER_FILES = "'test/server/**/!(*.postgres|*.long).test.ts'";
const WORKSPACE_FILES = "'src/*/test/**/!(*.long).test.ts'";
const POSTGRES_TEST = `${NODE_TEST} --test-global-setup=test/postgres-setup.ts`;

/** The commands of the suites, longest first. */
const SUITES: Readonly<Record<string, string>> = {
  e2e: 'playwright test --config test/e2e/playwright.config.ts',
  // More shards than processes, because shards take unequal time.
  server: `seq 6 | xargs -P 2 -I {} ${ONE_PROCESS} --test-shard={}/6 ${SERVER_FILES}`,
  element: 'web-test-runner',
  postgres: `${POSTGRES_TEST} --test-isolation=none 'test/server/**/*.{postgres,database}.test.ts'`,
  lint: 'npm run --silent lint',
  package: `${ONE_PROCESS} 'test/package/**/*.test.ts'`,
  unit: "node --test --test-isolation=none 'test/{unit,contract}/**/*.test.ts'",
  typecheck: 'npm run --silent typecheck',
  workspaces: `${ONE_PROCESS} ${WORKSPACE_FILES}`,
};
const SLOW_SUITES: Readonly<Record<string, string>> = {
  visual: 'playwright test --config test/visual/playwright.config.ts',
  wordpress: 'playwright test --config integrations/wordpress/test/playwright.config.ts',
};
/** Suites that run only if named. */
const NAMED_SUITES: Readonly<Record<string, string>> = {
  'long-sqlite': `${NODE_TEST} --test-concurrency=1 '{src,test}/**/!(*.postgres).long.test.ts'`,
  'long-postgres': `${POSTGRES_TEST} --test-concurrency=1 'test/**/*.postgres.long.test.ts'`,
  'long-e2e':
    'LONG_TESTS=true playwright test --config test/e2e/playwright.config.ts --project chromium charged-once.spec.ts slow-network.spec.ts hostile-pages.spec.ts demo-pages.spec.ts',
  'long-visual':
    'LONG_TESTS=true playwright test --config test/visual/playwright.config.ts --project lengths',
  'long-pages': `LONG_TESTS=true ${NODE_TEST} test/server/page-doctor/page-doctor.test.ts`,
  stripe: 'node --test test/server/payments/stripe-test-mode.ts',
};
const STATIC_CHECKS = ['lint', 'typecheck'];

const names = process.argv.slice(2);
const known = { ...SLOW_SUITES, ...SUITES, ...NAMED_SUITES };
const unknown = names.find((name) => !Object.hasOwn(known, name));
if (unknown !== undefined) {
  console.log(`Unknown suite '${unknown}'; expected one of ${Object.keys(known).join(', ')}.`);
  process.exit(1);
}

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
const defaults = Object.keys(process.env.CI ? { ...SLOW_SUITES, ...SUITES } : SUITES);
const requested = names.length > 0 ? names : defaults;
const skipped = requested.filter((suite) => missing.has(suite));
const suites = requested.filter((suite) => !missing.has(suite));
for (const suite of skipped)
  console.log(`${suite} is NOT run: ${missing.get(suite)} is not installed. See CONTRIBUTING.md.`);
if (suites.length === 0) {
  console.log(`\n0 passed, ${skipped.length} failed`);
  process.exit(1);
}
const { commands, result } = concurrently(
  suites.map((name) => ({
    name,
    // `times` prints the CPU time of the suite's processes.
    command: `(${known[name]}); status=$?; times; exit $status`,
    // Hundreds of processes load the same modules, so cache the compiled code.
    env: { NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled') },
  })),
  {
    group: true,
    maxProcesses: names.length > 0 ? 1 : 2,
    prefixColors: false,
    successCondition: 'all',
  },
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
if (skipped.length > 0) console.log(`NOT run, as explained above: ${skipped.join(', ')}.`);
// On a developer's machine, optional programs may be missing.
const skippedFailures = process.env.CI || names.length > 0 ? skipped.length : 0;
const passed = rows.reduce((sum, row) => sum + row.passed, 0);
const failed = rows.reduce((sum, row) => sum + row.failed, skippedFailures);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Finds the suites that cannot run on this machine, with the program that each one needs. */
function findMissingPrograms(): Map<string, string> {
  const programs = new Map<string, string>();
  if (findPostgresBinaries() === undefined)
    for (const suite of ['postgres', 'long-postgres']) programs.set(suite, 'PostgreSQL');
  if (!hasWordPress()) programs.set('wordpress', 'WordPress with PHP and MariaDB');
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
