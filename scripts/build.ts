/**
 * Builds `dist/`: the command, the server, and the platform clients for Node; the element's modules
 * and types for bundlers; and the scripts that pages load from the server.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { rolldown } from 'rolldown';
import { build as buildWithVite } from 'vite';
import { PAGE_SCRIPTS } from '../vite.scripts.config.ts';
import { writeSchemas } from './schemas.ts';

const TYPESCRIPT = 'node_modules/typescript-7/bin/tsc';

await rm('dist', { recursive: true, force: true });
await Promise.all([
  run('node', [TYPESCRIPT, '-p', 'tsconfig.build.json']),
  run('node', [TYPESCRIPT, '-p', 'tsconfig.build.browser.json']),
  run('cem', ['analyze', '--config', 'custom-elements-manifest.config.mjs', '--quiet'], 'ignore'),
  buildForNode(),
  buildForPages(),
]);
await writeSchemas('dist');

/** @throws {Error} if the program exits with anything but 0; it has printed the reason itself. */
async function run(
  program: string,
  args: readonly string[],
  stdout: 'inherit' | 'ignore' = 'inherit',
): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', stdout, 'inherit'] });
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed`);
}

/**
 * Bundles everything that runs on Node together with its dependencies: a process that loads few
 * files starts three times as fast. The entries share chunks, so that an error class imported from
 * `donation-form/server` is the one that the command knows.
 */
async function buildForNode(): Promise<void> {
  const bundle = await rolldown({
    input: {
      'server/cli/index': 'src/server/cli/index.ts',
      'server/index': 'src/server/index.ts',
      'sandbox/index': 'src/sandbox/index.ts',
      'platform-clients/fundraising/index': 'src/platform-clients/fundraising/index.ts',
      'platform-clients/donation-v1/index': 'src/platform-clients/donation-v1/index.ts',
    },
    platform: 'node',
    // Optional parts of `pg` that are not installed, and files found by the package's own name.
    external: ['pg-native', 'pg-cloudflare', /^donation-form\//],
  });
  await bundle.write({
    dir: 'dist',
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
  });
  await bundle.close();
}

async function buildForPages(): Promise<void> {
  const logLevel = 'error';
  await buildWithVite({ configFile: 'vite.config.ts', logLevel });
  for (const mode of PAGE_SCRIPTS) {
    await buildWithVite({ configFile: 'vite.scripts.config.ts', mode, logLevel });
  }
  await buildWithVite({ configFile: 'vite.pages.config.ts', logLevel });
}
