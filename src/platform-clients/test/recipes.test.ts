import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { createSandbox } from 'donation-form-sandbox';
import { listen } from 'donation-form-server';
import { APPLICATIONS, NOON } from '../../sandbox/test/support.ts';

interface Recipe {
  readonly title: string;
  readonly program: string;
  /** Expected output, from the comment at the end of the program. */
  readonly output: string;
}

const page = readFileSync('docs/reference/platform-clients.md', 'utf8');
const recipes = page.split(/^## /m).flatMap((section): Recipe[] =>
  [...section.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, program = '']) => ({
    title: section.slice(0, section.indexOf('\n')),
    program,
    output: program
      .slice(program.indexOf('\n// prints:\n'))
      .replaceAll(/^\/\/ ?/gm, '')
      .replace(/^\nprints:\n/, ''),
  })),
);

/** Inside the project, so that the package's name resolves to the build. */
mkdirSync('.data', { recursive: true });
const folder = mkdtempSync(resolve('.data', 'recipes-'));
after(() => {
  rmSync(folder, { recursive: true });
});
const getFile = ({ title }: Recipe): string =>
  join(folder, `${title.toLowerCase().replaceAll(/\W+/g, '-')}.ts`);
for (const recipe of recipes) writeFileSync(getFile(recipe), recipe.program);

/** Stops the clock at the same time as the sandbox's. */
const CLOCK =
  `data:text/javascript,import { mock } from 'node:test'; mock.timers.enable({ apis: ['Date'], ` +
  `now: ${NOON} });`;

interface RunResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function runNode(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<RunResult> {
  return new Promise((done) => {
    const child = spawn(process.execPath, args, { cwd: folder, env });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += String(chunk);
    });
    child.stderr.on('data', (chunk) => {
      stderr += String(chunk);
    });
    child.on('close', (code) => {
      done({ code, stdout, stderr });
    });
  });
}

/** Runs a recipe against its own sandbox, which contains two years of gifts. */
async function runRecipe(recipe: Recipe): Promise<RunResult> {
  const now = (): Date => new Date(NOON);
  const sandbox = createSandbox({
    platformKey: 'platform-key',
    v1: { organizationKey: 'organization-key', applications: APPLICATIONS },
    seed: true,
    now,
  });
  const listener = await listen(sandbox.fetch, { host: '127.0.0.1', port: 0 });
  try {
    return await runNode(['--import', CLOCK, getFile(recipe)], {
      FUNDRAISING_URL: listener.url,
      FUNDRAISING_API_KEY: 'platform-key',
      DONATION_V1_URL: listener.url,
      ORGANIZATION_KEY: 'organization-key',
      LICENSE_KEY: 'read-key',
    });
  } finally {
    await listener.close();
    sandbox.close();
  }
}

test('every recipe has a unique title and an expected output', () => {
  assert.equal(recipes.length, page.match(/^```ts$/gm)?.length);
  assert.equal(new Set(recipes.map(getFile)).size, recipes.length);
  for (const { title, output } of recipes) assert.match(output, /^.+\n$/s, title);
});

for (const recipe of recipes) {
  test(`runs the recipe "${recipe.title}"`, async () => {
    assert.deepEqual(await runRecipe(recipe), { code: 0, stdout: recipe.output, stderr: '' });
  });
}

test('type-checks the recipes against the built package', async () => {
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        target: 'es2024',
        lib: ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable'],
        module: 'nodenext',
        types: ['node'],
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        noUnusedLocals: true,
        erasableSyntaxOnly: true,
        verbatimModuleSyntax: true,
        skipLibCheck: true,
        noEmit: true,
      },
      include: ['*.ts'],
    }),
  );
  assert.deepEqual(
    await runNode([resolve('node_modules/typescript-7/bin/tsc'), '--project', folder]),
    { code: 0, stdout: '', stderr: '' },
  );
});
