/**
 * Builds the published packages from the workspaces in `src/`: `dist/donation-form` for browsers and
 * bundlers, `dist/donation-form-server` with the endpoint and the command,
 * `dist/donation-form-sandbox`, and `dist/donation-platform-clients`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { type InputOptions, type Plugin as RolldownPlugin, rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { build as buildWithVite, createLogger, type InlineConfig, type Plugin } from 'vite';
import {
  BROWSER_PACKAGE,
  CLIENTS_PACKAGE,
  createLegacyFields,
  PUBLISHED_NAMES,
  PUBLISHED_PACKAGES,
  type PublishedPackage,
  SANDBOX_PACKAGE,
  SERVER_PACKAGE,
} from './packages.ts';
import { writeSchemas } from './schemas.ts';
import {
  createSbom,
  findThirdPartyPackages,
  formatNotices,
  readThirdPartyPackage,
  type ThirdPartyPackage,
} from './third-party.ts';
import { englishFallback } from './translations.ts';
import { minifyTemplates } from './vite.form.config.ts';
import { EMBEDDED_SCRIPTS, SANDBOX_SCRIPTS, SERVER_SCRIPTS } from './vite.scripts.config.ts';
import { zipFolder } from './zip-folder.ts';

const CUSTOM_ELEMENTS = 'scripts/custom-elements-manifest.config.mjs';

/** Leaves imports of other published workspaces to the package manager. */
const usePublishedNames: RolldownPlugin = {
  name: 'use-published-names',
  resolveId: (id) => {
    const name = PUBLISHED_NAMES[id];
    return name === undefined ? null : { id: name, external: true };
  },
};

interface RootManifest {
  readonly version: string;
  readonly license: string;
  readonly homepage: string;
  readonly bugs: string;
  readonly repository: { readonly type: string; readonly url: string };
}

await rm('dist', { recursive: true, force: true });
const [
  browserModules,
  serverModules,
  sandboxModules,
  clientModules,
  embeddedModules,
  pageModules,
  sandboxScriptModules,
] = await Promise.all([
  buildModules(BROWSER_PACKAGE, { plugins: [englishFallback, minifyTemplates] }),
  buildModules(SERVER_PACKAGE, {
    platform: 'node',
    // Optional parts of `pg` that are not installed.
    external: ['pg-native', 'pg-cloudflare'],
    plugins: [usePublishedNames],
  }),
  buildModules(SANDBOX_PACKAGE, { platform: 'node' }),
  buildModules(CLIENTS_PACKAGE, { platform: 'node' }),
  buildWithConfigs(
    { configFile: 'scripts/vite.form.config.ts' },
    ...createScriptConfigs(EMBEDDED_SCRIPTS),
  ),
  buildWithConfigs(
    { configFile: 'scripts/vite.pages.config.ts' },
    ...createScriptConfigs(SERVER_SCRIPTS),
  ),
  buildWithConfigs(...createScriptConfigs(SANDBOX_SCRIPTS)),
  runProgram('cem', ['analyze', '--config', CUSTOM_ELEMENTS, '--quiet']),
  emitDeclarations().then((emitted) =>
    Promise.all(PUBLISHED_PACKAGES.map((published) => buildDeclarations(published, emitted))),
  ),
]);
await writeNotices(`${BROWSER_PACKAGE.folder}/scripts`, embeddedModules);
await completeBrowserPackage([...browserModules, ...embeddedModules]);
await completeServerPackage([...serverModules, ...embeddedModules, ...pageModules]);
await completePackage(SANDBOX_PACKAGE, [...sandboxModules, ...sandboxScriptModules]);
await completePackage(CLIENTS_PACKAGE, clientModules);
await Promise.all(PUBLISHED_PACKAGES.map(linkPackage));
await rm('dist/.declarations', { recursive: true });

/** @throws {Error} with the program's output if it exits with a nonzero code. */
async function runProgram(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, [status]] = await Promise.all([
    text(child.stdout),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${output}`);
}

/**
 * Bundles the package's entries. They share chunks, so that an error class imported from one entry
 * is the class that another one throws. Inlines everything that the package does not declare as a
 * dependency: a process that loads few files starts three times as fast.
 * @returns the paths of the modules in the bundle.
 */
async function buildModules(
  { folder, entries, dependencies }: PublishedPackage,
  {
    external = [],
    ...options
  }: Pick<InputOptions, 'platform' | 'plugins'> & { external?: string[] },
): Promise<string[]> {
  const bundle = await rolldown({
    ...options,
    input: entries,
    // The workspaces map csv-parse to their own type declarations.
    tsconfig: false,
    checks: { bundlerTimings: false },
    external: [...dependencies, ...external].map(matchSubpaths),
  });
  const { output } = await bundle.write({
    dir: `${folder}/lib`,
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: 'shared/[name].js',
    // The declarations have the documentation.
    comments: { jsdoc: false },
  });
  await bundle.close();
  return output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
}

/**
 * Emits the declarations of all workspaces, once for all packages.
 * @returns path of their folder, with the same structure as `src`.
 */
async function emitDeclarations(): Promise<string> {
  const emitted = resolve('dist/.declarations');
  // `npm run typecheck` checks the types.
  const options = '-p src/tsconfig.build.json --noCheck --singleThreaded --outDir'.split(' ');
  await runProgram(process.execPath, ['node_modules/typescript-7/bin/tsc', ...options, emitted]);
  return emitted;
}

/** Bundles the types of the package's entries. Inlines only those of private workspaces. */
async function buildDeclarations(
  { folder, entries }: PublishedPackage,
  emitted: string,
): Promise<void> {
  const findDeclarations = (file: string): string =>
    join(emitted, relative('src', file)).replace(/\.ts$/, '.d.ts');
  const resolveEmitted: RolldownPlugin = {
    name: 'resolve-emitted',
    resolveId: {
      order: 'pre',
      handler: (id, importer) => {
        if (id.startsWith('@donation-form/'))
          return findDeclarations(fileURLToPath(import.meta.resolve(id)));
        return importer !== undefined && /^\..*(?<!\.d)\.ts$/.test(id)
          ? resolve(dirname(importer), id.replace(/\.ts$/, '.d.ts'))
          : null;
      },
    },
  };
  const bundle = await rolldown({
    input: Object.fromEntries(
      Object.entries(entries)
        .filter(([name]) => name !== 'cli')
        .map(([name, file]) => [name, findDeclarations(file)]),
    ),
    external: (id) =>
      /^(@?\w)/.test(id) && !id.startsWith('src/') && !id.startsWith('@donation-form/'),
    treeshake: { moduleSideEffects: 'no-external' },
    checks: { bundlerTimings: false },
    plugins: [
      resolveEmitted,
      dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false, logger: createLogger('error') }),
    ],
  });
  await bundle.write({
    dir: `${folder}/lib`,
    entryFileNames: '[name].js',
    chunkFileNames: 'shared/[name].js',
  });
  await bundle.close();
}

/** Matches a package and its subpaths. */
function matchSubpaths(name: string): RegExp {
  return new RegExp(`^${name}(/|$)`);
}

/** Creates the configurations that build scripts of one file each. */
function createScriptConfigs(modes: readonly string[]): InlineConfig[] {
  return modes.map((mode) => ({ configFile: 'scripts/vite.scripts.config.ts', mode }));
}

/**
 * Builds scripts and style sheets for browsers.
 * @returns the paths of the modules in them.
 */
async function buildWithConfigs(...configs: readonly InlineConfig[]): Promise<string[]> {
  const modules: string[] = [];
  const collectModules: Plugin = {
    name: 'collect-modules',
    moduleParsed: ({ id }) => {
      modules.push(id);
    },
  };
  for (const config of configs) {
    await buildWithVite({ logLevel: 'error', plugins: [collectModules], ...config });
  }
  return modules;
}

async function completeBrowserPackage(modules: readonly string[]): Promise<void> {
  const { folder, manifest } = BROWSER_PACKAGE;
  await writeSchemas(folder, ['settings']);
  // The analyzer's plugin writes the root package's name.
  const webTypes = await readFile(`${folder}/web-types.json`, 'utf8');
  await writeFile(
    `${folder}/web-types.json`,
    webTypes.replace(/"name": "[^"]+"/, `"name": "${manifest.name}"`),
  );
  await cp('themes', `${folder}/themes`, { recursive: true });
  // TypeScript refuses an import without types.
  for (const theme of await readdir('themes'))
    await writeFile(`${folder}/themes/${theme}.d.ts`, 'export {};\n');
  await completePackage(BROWSER_PACKAGE, modules);
}

async function completeServerPackage(modules: readonly string[]): Promise<void> {
  const { folder } = SERVER_PACKAGE;
  await writeSchemas(folder, ['donation-form.config']);
  await cp(`${BROWSER_PACKAGE.folder}/scripts`, `${folder}/assets`, { recursive: true });
  await compressFiles(`${folder}/assets`);
  await cp('themes', `${folder}/themes`, { recursive: true });
  await cp('deploy', `${folder}/deploy`, {
    recursive: true,
    // The Compose files and their Caddyfile work only in a clone.
    filter: (file) => !/compose|Caddyfile$/.test(file),
  });
  await rename(`${folder}/deploy/Caddyfile.one`, `${folder}/deploy/Caddyfile`);
  await cp('examples/donation-form.config.json', `${folder}/donation-form.config.example.json`);
  await zipFolder('integrations/wordpress/donation-form', `${folder}/donation-form-wordpress.zip`);
  await completePackage(SERVER_PACKAGE, modules);
}

/** Writes compressed copies, which the server would otherwise create for the first visitor. */
async function compressFiles(folder: string): Promise<void> {
  const files = (await readdir(folder, { recursive: true })).filter((name) => extname(name) !== '');
  const params = { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT };
  const compress = promisify(brotliCompress);
  await Promise.all(
    files.map(async (name) => {
      const text = await readFile(`${folder}/${name}`);
      await writeFile(`${folder}/${name}.br`, await compress(text, { params }));
    }),
  );
}

/** Writes the manifest and the documents that every package has. */
async function completePackage(
  published: PublishedPackage,
  modules: readonly string[],
): Promise<void> {
  const { folder, source, manifest } = published;
  const root = JSON.parse(await readFile('package.json', 'utf8')) as RootManifest;
  const { version, license, homepage, bugs, repository } = root;
  const { name, ...others } = manifest;
  await writeJson(`${folder}/package.json`, {
    name,
    version,
    license,
    homepage,
    bugs,
    repository: { ...repository, directory: source },
    type: 'module',
    ...createLegacyFields(published),
    ...others,
  });
  const inlined = await writeNotices(folder, modules);
  const declared = Object.keys(manifest.dependencies)
    .filter((dependency) => inlined.every((other) => other.name !== dependency))
    .map((dependency) => readThirdPartyPackage(`node_modules/${dependency}`));
  await writeJson(
    `${folder}/sbom.cdx.json`,
    createSbom({ name, version, license }, [...inlined, ...declared]),
  );
  await cp(`${source}/README.md`, `${folder}/README.md`);
  await cp(`${source}/CHANGELOG.md`, `${folder}/CHANGELOG.md`);
  await cp('LICENSE', `${folder}/LICENSE`);
}

/** Writes THIRD-PARTY-NOTICES.txt for the packages that the modules come from. */
async function writeNotices(
  folder: string,
  modules: readonly string[],
): Promise<ThirdPartyPackage[]> {
  const packages = findThirdPartyPackages(modules);
  await writeFile(`${folder}/THIRD-PARTY-NOTICES.txt`, formatNotices(packages));
  return packages;
}

async function writeJson(file: string, value: object): Promise<void> {
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** Links the package into node_modules: the demo, the examples, and the tests import it by name. */
async function linkPackage({ folder, manifest: { name } }: PublishedPackage): Promise<void> {
  const path = `node_modules/${name}`;
  await rm(path, { recursive: true, force: true });
  await mkdir('node_modules', { recursive: true });
  await symlink(`../${folder}`, path, 'dir');
}
