import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { rolldown } from 'rolldown';

interface Tarball {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}
interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
}

const folder = mkdtempSync(join(tmpdir(), 'donation-form-packed-'));
after(() => rmSync(folder, { recursive: true }));
const [packed] = JSON.parse(
  execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    encoding: 'utf8',
  }),
) as [Tarball];
const tarball = join(folder, packed.filename);
const files = packed.files.map(({ path }) => path);
const { bin, exports: entries } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;

test('npm pack holds what was built, the themes, and what a person reads first', (context) => {
  assert.deepEqual([...new Set(files.map((file) => file.split('/')[0]))].sort(), [
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'dist',
    'package.json',
    'themes',
  ]);
  const folders = [
    ...new Set(
      files.map((file) => /^dist\/([^/]+)\//.exec(file)?.[1]).filter((name) => name !== undefined),
    ),
  ].sort();
  assert.deepEqual(folders, [
    'chunks',
    'core',
    'donation-form',
    'pages',
    'platform-clients',
    'sandbox',
    'server',
  ]);
  assert.deepEqual(
    files.filter((file) => !/\.(js|d\.ts|json|css|md)$/.test(file)),
    ['LICENSE'],
  );
  assert.deepEqual(
    files.filter((file) => /\/tests?\/|\.test\.|\.map$/.test(file)),
    [],
  );
  context.diagnostic(`${packed.size} bytes, ${files.length} files`);
  assert.ok(packed.size < 1_300_000, `${packed.size} bytes`);
});

/** The path of a module without its ending: its script and its types belong together. */
const moduleOf = (path: string): string => join(path).replace(/(\.js|(\.d)?\.ts)$/, '');

/** The modules that one imports, in its script and in its types. */
function importedBy(module: string): string[] {
  return [`${module}.js`, `${module}.d.ts`]
    .filter((file) => files.includes(file))
    .flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*["'`](\.[^"'`$]+)["'`]/g),
    ])
    .map(([, path]) => moduleOf(join(dirname(module), path!)));
}

test('every script in the tarball is used by an entry of the package, by its command, or by a page', () => {
  const scripts = files.filter((file) => file.endsWith('.js')).map(moduleOf);
  const starts = [
    ...Object.values(entries).map((entry) => (typeof entry === 'string' ? entry : entry.default)),
    ...Object.values(bin),
  ].map(moduleOf);
  const used = new Set([
    ...starts,
    ...scripts.filter((script) => /^dist\/(pages\/|donation-form\.)/.test(script)),
  ]);
  for (const module of used) for (const other of importedBy(module)) used.add(other);
  // Of some schemas the package uses only the types.
  assert.deepEqual(
    scripts.filter((script) => !used.has(script) && !script.startsWith('dist/core/schemas/')),
    [],
  );
});

test('publint finds nothing', async () => {
  const bytes = readFileSync(tarball);
  const { messages, pkg } = await publint({
    strict: true,
    pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) },
  });
  assert.deepEqual(
    messages.map((message) => formatMessage(message, pkg)),
    [],
  );
});

test('the types of every entry are found as a page in TypeScript finds them; the package has ES modules alone', () => {
  const scripts = Object.keys(entries)
    .filter((name) => /\.(js|css)$/.test(name))
    .map((name) => name.slice(2));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      'node_modules/@arethetypeswrong/cli/dist/index.js',
      tarball,
      '--profile',
      'esm-only',
      '--format',
      'ascii',
      '--no-emoji',
      '--exclude-entrypoints',
      ...scripts,
    ],
    { encoding: 'utf8' },
  );
  assert.equal(status, 0, stdout + stderr);
});

test('a bundler leaves out what a page does not use, and never what registers the form', async () => {
  const bundle = async (code: string): Promise<string> => {
    const built = await rolldown({
      input: 'page',
      external: ['lit'],
      plugins: [
        {
          name: 'page',
          resolveId: (id) => (id === 'page' ? join(process.cwd(), 'start') : null),
          load: (id) => (id === join(process.cwd(), 'start') ? code : null),
        },
      ],
      logLevel: 'silent',
    });
    const { output } = await built.generate({ format: 'es' });
    await built.close();
    return output[0].code;
  };
  assert.match(
    await bundle("import 'donation-form';"),
    /customElements\.define\(["']donation-form/,
  );
  for (const name of ['button', 'goal'])
    assert.match(
      await bundle(`import 'donation-form/${name}';`),
      new RegExp(`define\\(["']donation-${name}`),
    );
  assert.doesNotMatch(
    await bundle(
      "import { buildLink } from 'donation-form/link'; import { registerPaymentProvider } from 'donation-form/payment';",
    ),
    /function|class/,
  );
});
