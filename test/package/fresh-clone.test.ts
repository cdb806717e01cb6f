import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { test } from 'node:test';

/** The programs that each of the README's commands runs. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'npm start': ['scripts/build.ts', 'demo/serve.ts'],
  'npm test': ['scripts/test.ts'],
  'npm run build': ['scripts/build.ts'],
};

/** PATH without the project's own programs, such as its Node. */
const SYSTEM_PATH = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((path) => !path.includes('node_modules'))
  .join(delimiter);

/** Loaded into every Node process: links the packages when npm would download them. */
const PRELOAD = `
if (/npm-cli\\.js$/.test(process.argv[1]) && process.argv[2] === 'ci') {
  const { cpSync, mkdirSync, readdirSync, symlinkSync } = require('node:fs');
  const source = ${JSON.stringify(resolve('node_modules'))};
  mkdirSync('node_modules');
  for (const name of readdirSync(source)) {
    if (name === '.bin')
      cpSync(source + '/.bin', 'node_modules/.bin', { recursive: true, verbatimSymlinks: true });
    else symlinkSync(source + '/' + name, 'node_modules/' + name);
  }
  process.exit();
}
`;

/** A program that reports that it ran, and whether its packages are installed. */
const createStub = (file: string): string =>
  `import 'vite';\nconst version: string = process.version;\nconsole.log('RAN', '${file}', version);\n`;

for (const [command, programs] of Object.entries(COMMANDS))
  test(`in a fresh clone, \`${command}\` installs the packages, and runs on the project's Node`, () => {
    const clone = mkdtempSync(join(tmpdir(), 'donation-form-clone-'));
    execFileSync('sh', [
      '-c',
      'git ls-files -z --cached --others --exclude-standard | tar --create --null --files-from - --ignore-failed-read | tar --extract --directory "$0"',
      clone,
    ]);
    const preload = join(clone, 'preload.cjs');
    writeFileSync(preload, PRELOAD);
    for (const file of programs) writeFileSync(join(clone, file), createStub(file));
    const { stdout, stderr } = spawnSync('sh', ['-c', command], {
      cwd: clone,
      encoding: 'utf8',
      env: {
        HOME: clone,
        PATH: SYSTEM_PATH,
        NODE_OPTIONS: `--require=${preload}`,
        npm_config_update_notifier: 'false',
      },
    });
    rmSync(clone, { recursive: true });
    assert.deepEqual(
      [...stdout.matchAll(/^RAN (\S+) (\S+)$/gm)].map(([, file, version]) => [file, version]),
      programs.map((file) => [file, `v${readFileSync('.nvmrc', 'utf8').trim()}`]),
      stdout + stderr,
    );
  });

test("the commands above are the README's", () => {
  const found = readFileSync('README.md', 'utf8').matchAll(/(?:^|`)(npm [a-z :-]*[a-z])/gm);
  assert.deepEqual(
    [...new Set(Array.from(found, ([, command]) => command!))].sort(),
    Object.keys(COMMANDS).sort(),
  );
});
