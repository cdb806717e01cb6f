/**
 * Builds the two packages that are published, out of the workspaces in `src/`:
 * `dist/donation-form`, which browsers and bundlers load, and `dist/donation-form-server`, with the
 * endpoint, the command, the sandbox, and the platform clients.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { rolldown, type InputOptions } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { build as buildWithVite, createLogger, type InlineConfig, type Plugin } from 'vite';
import { minifyTemplates } from '../vite.config.ts';
import { PAGE_SCRIPTS } from '../vite.scripts.config.ts';
import { describeLicenses, packageFolders } from './licenses.ts';
import { BROWSER_PACKAGE, SERVER_PACKAGE, type PublishedPackage } from './packages.ts';
import { writeSchemas } from './schemas.ts';
import { zipFolder } from './zip-folder.ts';

const CUSTOM_ELEMENTS = 'custom-elements-manifest.config.mjs';

await rm('dist', { recursive: true, force: true });
const [, browserModules, serverModules, pageModules] = await Promise.all([
  run('cem', ['analyze', '--config', CUSTOM_ELEMENTS, '--quiet']),
  buildModules(BROWSER_PACKAGE, { plugins: [minifyTemplates] }),
  // An optional part of `pg` that is not installed.
  buildModules(SERVER_PACKAGE, { platform: 'node', external: ['pg-native', 'pg-cloudflare'] }),
  buildForPages(),
  buildDeclarations(BROWSER_PACKAGE),
  buildDeclarations(SERVER_PACKAGE),
]);
await Promise.all([
  completeBrowserPackage([...browserModules, ...pageModules]),
  completeServerPackage([...serverModules, ...pageModules]),
]);
await Promise.all([BROWSER_PACKAGE, SERVER_PACKAGE].map(link));

/** @throws {Error} if the program exits with anything but 0; it has printed the reason itself. */
async function run(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed`);
}

/**
 * Bundles the package's entries, which share chunks: an error class imported from one entry is the
 * one that another throws. Everything is inlined that the package does not declare as a dependency:
 * a process that loads few files starts three times as fast.
 * @returns the paths of the modules in them.
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
    // The workspaces map csv-parse to declarations of their own.
    tsconfig: false,
    checks: { bundlerTimings: false },
    external: [...dependencies, ...external].map(withSubpaths),
  });
  const { output } = await bundle.write({
    dir: `${folder}/lib`,
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: 'shared/[name].js',
  });
  await bundle.close();
  return output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
}

/** Bundles the types of the package's entries; those of private workspaces alone are inlined. */
async function buildDeclarations({ folder, entries }: PublishedPackage): Promise<void> {
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(entries).filter(([name]) => name !== 'cli')),
    external: (id) =>
      /^(@?\w)/.test(id) && !id.startsWith('src/') && !id.startsWith('@donation-form/'),
    treeshake: { moduleSideEffects: 'no-external' },
    checks: { bundlerTimings: false },
    plugins: [
      dts({
        emitDtsOnly: true,
        tsconfig: 'tsconfig.build.json',
        logger: createLogger('error'),
        generator: 'tsgo',
        tsgo: { path: 'node_modules/typescript-7/bin/tsc' },
      }),
    ],
  });
  await bundle.write({
    dir: `${folder}/lib`,
    entryFileNames: '[name].js',
    chunkFileNames: 'shared/[name].js',
  });
  await bundle.close();
}

/** Matches a package and what is imported from inside of it. */
function withSubpaths(name: string): RegExp {
  return new RegExp(`^${name}(/|$)`);
}

/**
 * Builds the scripts and style sheets that pages load, of nonprofits and the server's own.
 * @returns the paths of the modules in them.
 */
async function buildForPages(): Promise<string[]> {
  const modules: string[] = [];
  const collectModules: Plugin = {
    name: 'collect-modules',
    moduleParsed: ({ id }) => {
      modules.push(id);
    },
  };
  const options: InlineConfig = { logLevel: 'error', plugins: [collectModules] };
  await buildWithVite({ ...options, configFile: 'vite.config.ts' });
  for (const mode of PAGE_SCRIPTS) {
    await buildWithVite({ ...options, configFile: 'vite.scripts.config.ts', mode });
  }
  await buildWithVite({ ...options, configFile: 'vite.pages.config.ts' });
  return modules;
}

async function completeBrowserPackage(modules: readonly string[]): Promise<void> {
  const { folder, manifest } = BROWSER_PACKAGE;
  await writeSchemas(folder, ['settings']);
  // The analyzer's plugin writes the name of the package that it runs in.
  const webTypes = await readFile(`${folder}/web-types.json`, 'utf8');
  await writeFile(
    `${folder}/web-types.json`,
    webTypes.replace(/"name": "[^"]+"/, `"name": "${manifest.name}"`),
  );
  await cp('themes', `${folder}/themes`, { recursive: true });
  await complete(BROWSER_PACKAGE, modules);
}

async function completeServerPackage(modules: readonly string[]): Promise<void> {
  const { folder } = SERVER_PACKAGE;
  await writeSchemas(folder, ['donation-form.config']);
  await cp(`${BROWSER_PACKAGE.folder}/scripts`, `${folder}/assets`, { recursive: true });
  await cp('themes', `${folder}/themes`, { recursive: true });
  await cp('deploy', `${folder}/deploy`, {
    recursive: true,
    // Compose builds the image from a clone, and this Caddyfile is its own.
    filter: (file) => !/compose|Caddyfile$/.test(file),
  });
  await rename(`${folder}/deploy/Caddyfile.one`, `${folder}/deploy/Caddyfile`);
  await cp('examples/donation-form.config.json', `${folder}/donation-form.config.example.json`);
  await zipFolder('integrations/wordpress/donation-form', `${folder}/donation-form-wordpress.zip`);
  await complete(SERVER_PACKAGE, modules);
}

/** Writes the manifest, with the one version of both packages, and what a person reads first. */
async function complete(
  { folder, manifest, readme }: PublishedPackage,
  modules: readonly string[],
): Promise<void> {
  const root = JSON.parse(await readFile('package.json', 'utf8')) as Record<string, unknown>;
  const { version, license } = root;
  const { name, ...others } = manifest;
  await writeFile(
    `${folder}/package.json`,
    `${JSON.stringify({ name, version, license, type: 'module', ...others }, null, 2)}\n`,
  );
  await cp(readme, `${folder}/README.md`);
  await writeFile(`${folder}/THIRD-PARTY-LICENSES.md`, describeLicenses(packageFolders(modules)));
  for (const file of ['CHANGELOG.md', 'LICENSE']) await cp(file, `${folder}/${file}`);
}

/** Installs the package here, so that the demo, the examples, and the tests import it by name. */
async function link({ folder, manifest: { name } }: PublishedPackage): Promise<void> {
  const path = `node_modules/${name}`;
  await rm(path, { recursive: true, force: true });
  await mkdir('node_modules', { recursive: true });
  await symlink(`../${folder}`, path, 'dir');
}
