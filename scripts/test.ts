/** Runs everything that can fail: types, style, and every suite. The last line sums them up. */
import { spawn } from 'node:child_process';

interface Step {
  readonly name: string;
  readonly command: readonly string[];
  /** Where the step's output says how many of its tests passed and failed; without, the step itself counts as one. */
  readonly passed?: RegExp;
  readonly failed?: RegExp;
}

const steps: readonly Step[] = [
  { name: 'build', command: ['npm', 'run', '--silent', 'build'] },
  { name: 'types', command: ['npm', 'run', '--silent', 'typecheck'] },
  { name: 'style', command: ['npm', 'run', '--silent', 'lint'] },
  { name: 'unit, platform, contract, server, sandbox and fake processor', command: ['node', '--test', '--test-reporter=spec', 'test/{unit,platform,contract,server,sandbox,fake-stripe}/**/*.test.ts', ...(process.env.STRIPE_TEST_SECRET_KEY ? ['test/server/payment/stripe-test-mode.ts'] : [])], passed: /^ℹ pass (\d+)/m, failed: /^ℹ fail (\d+)/m },
  { name: 'element', command: ['web-test-runner'], passed: /In all browsers: (\d+) passed/, failed: /In all browsers: \d+ passed, (\d+) failed/ },
  { name: 'end to end', command: ['playwright', 'test', '--config', 'test/e2e/playwright.config.ts'], passed: /^ +(\d+) passed/m, failed: /^ +(\d+) failed/m },
  { name: 'images', command: ['playwright', 'test', '--config', 'test/visual/playwright.config.ts'], passed: /^ +(\d+) passed/m, failed: /^ +(\d+) failed/m },
];

let passed = 0, failed = 0;
for (const { name, command, ...counts } of steps) {
  console.log(`\n── ${name}`);
  const { code, output } = await run(command);
  const good = counts.passed ? read(output, counts.passed) : Number(code === 0);
  const bad = counts.failed ? read(output, counts.failed) : 0;
  passed += good;
  failed += code === 0 ? bad : Math.max(bad, 1);
  if (name === 'build' && code !== 0) break;
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function read(output: string, count: RegExp): number {
  return Number(output.match(new RegExp(count, `${count.flags}g`))?.at(-1)?.match(count)?.[1] ?? 0);
}

function run([program = '', ...words]: readonly string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (piece: Buffer) => {
        output += piece.toString();
        process.stdout.write(piece);
      });
    }
    child.on('close', (code) => resolve({ code, output }));
    child.on('error', (error) => resolve({ code: 1, output: String(error) }));
  });
}
