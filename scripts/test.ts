/**
 * Runs everything that can fail: types, style, and every suite. It ends with the names of what
 * failed, and a line that sums up.
 */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { postgresFolder } from '../test/postgres.ts';
import { hasWordPress } from '../test/wordpress/wordpress.ts';

interface Step {
  readonly name: string;
  readonly command: readonly string[];
  /**
   * The files of the runtime's own tests: those with a failure are run once more, since a machine
   * under load may be too slow once.
   */
  readonly files?: readonly string[];
  /**
   * Where the step's output says how many of its tests passed and failed; without, the step itself
   * counts as one.
   */
  readonly passed?: RegExp;
  readonly failed?: RegExp;
}

interface Result {
  readonly passed: number;
  readonly failed: number;
  /**
   * The lines that name what failed, or what passed only when it was tried again, and what the
   * runtime's own tests say of it.
   */
  readonly failures: readonly string[];
}

const OF_NODE = { passed: /^ℹ pass (\d+)/m, failed: /^ℹ fail (\d+)/m };
const OF_PLAYWRIGHT = { passed: /^ +(\d+) passed/m, failed: /^ +(\d+) failed/m };
const FAILURE = /^\s*(✖|✘|𐄂|not ok|❌|\d+\) \[)|\.ts\(\d+,\d+\): error/;
const nodeTest = ['node', '--test', '--test-force-exit', '--test-reporter=spec'];
/** The suites of all that is kept in the store. */
const OVER_POSTGRES =
  'test/server/{budget,donations,drain,guard-shared,journal,kept-whole,kills,pauses,payment-troubles,payments,platform-webhooks,records/{backup,donors,reconcile,retention},resolving,several-servers,site-webhooks}.test.ts';
/** Hundreds of processes load the same modules. */
const NODE_COMPILE_CACHE = resolve('node_modules/.cache/compiled');
const hasPostgres = postgresFolder() !== undefined;

const BUILD: Step = { name: 'build', command: ['npm', 'run', '--silent', 'build'] };
/**
 * The steps that run beside each other, since tests mostly wait; in each lane one after the other.
 */
const LANES: readonly (readonly Step[])[] = [
  [
    {
      name: 'element',
      command: ['web-test-runner'],
      passed: /In all browsers: (\d+) passed/,
      failed: /In all browsers: \d+ passed, (\d+) failed/,
    },
    {
      name: 'end to end',
      command: ['playwright', 'test', '--config', 'test/e2e/playwright.config.ts'],
      ...OF_PLAYWRIGHT,
    },
  ],
  [
    {
      name: 'unit, platform, contract, server, sandbox and fake processor',
      command: [...nodeTest, '--test-concurrency=2'],
      files: [
        'test/{unit,platform,contract,server,sandbox,fake-stripe}/**/*.test.ts',
        ...(process.env.STRIPE_TEST_SECRET_KEY ? ['test/server/payment/stripe-test-mode.ts'] : []),
      ],
      ...OF_NODE,
    },
  ],
  [
    ...(hasPostgres
      ? [
          {
            name: 'server over PostgreSQL',
            command: ['node', 'scripts/with-postgres.ts', ...nodeTest],
            files: [OVER_POSTGRES],
            ...OF_NODE,
          },
        ]
      : []),
    {
      name: 'images',
      command: ['playwright', 'test', '--config', 'test/visual/playwright.config.ts'],
      ...OF_PLAYWRIGHT,
    },
  ],
  [
    { name: 'types', command: ['npm', 'run', '--silent', 'typecheck'] },
    { name: 'style', command: ['npm', 'run', '--silent', 'lint'] },
    ...(hasWordPress()
      ? [
          {
            name: 'WordPress',
            command: ['playwright', 'test', '--config', 'test/wordpress/playwright.config.ts'],
            ...OF_PLAYWRIGHT,
          },
        ]
      : []),
  ],
];

const results = [await run(BUILD)];
if (results[0]!.failed === 0) results.push(...(await Promise.all(LANES.map(runAll))).flat());
const failures = results.flatMap((result) => result.failures);
if (failures.length > 0)
  console.log(`\n── what failed, or passed at the second try only\n${failures.join('\n')}`);
if (!hasPostgres)
  console.log(
    '\n!! PostgreSQL is not installed here, so THE SUITE OVER PostgreSQL WAS NOT RUN. On Debian, root gets it by: apt-get install postgresql',
  );
if (!hasWordPress())
  console.log(
    '\n!! WordPress is not installed here, so THE PLUGIN FOR WordPress WAS NOT TESTED. On Debian, root gets it by: node scripts/setup.mjs --browser',
  );
const sum = (count: 'passed' | 'failed'): number =>
  results.reduce((total, result) => total + result[count], 0);
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') === 0 ? 0 : 1;

async function runAll(steps: readonly Step[]): Promise<Result[]> {
  const done: Result[] = [];
  for (const step of steps) done.push(await run(step));
  return done;
}

/** Runs a step and shows what it says once it has ended: another may be running beside it. */
async function run({ name, command, files = [], ...counts }: Step): Promise<Result> {
  console.log(`\n── ${name} begins`);
  const began = Date.now();
  const first = await tried([...command, ...files], name, counts);
  const failed = failedFiles(first.output);
  const again =
    failed.length > 0 && files.length > 0
      ? await tried([...command, ...failed], name, counts)
      : undefined;
  console.log(`\n── ${name}: ${Math.round((Date.now() - began) / 1_000)} s`);
  const failures = [...first.failures, ...(again?.failures ?? [])];
  return again?.failed === 0
    ? { passed: first.passed + first.failed, failed: 0, failures }
    : { passed: first.passed, failed: first.failed, failures };
}

async function tried(
  command: readonly string[],
  name: string,
  counts: Pick<Step, 'passed' | 'failed'>,
): Promise<Result & { readonly output: string }> {
  const { code, output } = await outputOf(command);
  const bad = counts.failed ? read(output, counts.failed) : 0;
  console.log(`\n── ${name}\n${output}`);
  return {
    output,
    passed: counts.passed ? read(output, counts.passed) : Number(code === 0),
    failed: code === 0 ? bad : Math.max(bad, 1),
    failures: [
      ...new Set(
        output
          .split('\n')
          .filter((line) => FAILURE.test(line))
          .map((line) => `${name}: ${line.trim()}`),
      ),
      ...(/^✖ failing tests:\n([\s\S]*)/m.exec(output)?.slice(1, 2) ?? []),
    ],
  };
}

/** The files that the runtime's own tests name for their failures. */
function failedFiles(output: string): string[] {
  return [...new Set([...output.matchAll(/^test at (\S+?):\d+:\d+$/gm)].map(([, file]) => file!))];
}

function read(output: string, count: RegExp): number {
  return Number(
    output
      .match(new RegExp(count, `${count.flags}g`))
      ?.at(-1)
      ?.match(count)?.[1] ?? 0,
  );
}

function outputOf([program = '', ...words]: readonly string[]): Promise<{
  code: number | null;
  output: string;
}> {
  return new Promise((end) => {
    const child = spawn(program, words, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NODE_COMPILE_CACHE },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece: Buffer) => {
        output += piece.toString();
      });
    child.on('close', (code) => end({ code, output }));
    child.on('error', (error) => end({ code: 1, output: String(error) }));
  });
}
