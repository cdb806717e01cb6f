import { globSync } from 'node:fs';
import type { TestRunnerPlugin } from '@web/test-runner';
import { build, type Rolldown } from 'vite';
import { englishFallback } from '../scripts/translations.ts';

/**
 * Marks modules that tests reload with a query as having side effects. The query hides them from a
 * package's `sideEffects`.
 */
const preserveReloads: Rolldown.Plugin = {
  name: 'preserve-reloads',
  transform: (_code, id) => (id.includes('?') ? { moduleSideEffects: true } : null),
};

/**
 * Serves each test file as a bundle under the file's own name. Bundles share their chunks: a page
 * requests about ten files instead of 130 modules.
 * @param pattern matches the test files, relative to the project.
 */
export function createBundlePlugin(pattern: string): TestRunnerPlugin {
  const files = new Map<string, string | Uint8Array>();
  return {
    name: 'bundle',
    async serverStart() {
      const { output } = (await build({
        configFile: false,
        plugins: [englishFallback, preserveReloads],
        logLevel: 'error',
        build: {
          write: false,
          outDir: '.',
          minify: false,
          modulePreload: false,
          sourcemap: true,
          target: 'es2022',
          rolldownOptions: {
            input: Object.fromEntries(globSync(pattern).map((file) => [file, file])),
            // Otherwise a chunk could import a test file, whose tests would run in other files.
            preserveEntrySignatures: 'strict',
            external: /^\/__web-/,
            output: { entryFileNames: '[name]', chunkFileNames: 'test/chunks/[name]-[hash].js' },
          },
        },
      })) as Rolldown.RolldownOutput;
      for (const file of output)
        files.set(`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source);
    },
    serve({ path }) {
      const body = files.get(path);
      if (body === undefined) return undefined;
      return { body: body.toString(), type: path.endsWith('.map') ? 'json' : 'js' };
    },
  };
}
