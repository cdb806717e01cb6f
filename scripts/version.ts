/**
 * Completes `changeset version`: copies the version that it gave the workspaces to every other file
 * that repeats it.
 */
import { readFileSync, writeFileSync } from 'node:fs';

/** The workspaces that are published; Changesets gives all the same version. */
export const VERSIONED_WORKSPACES = [
  'src/donation-form',
  'src/server',
  'src/sandbox',
  'src/platform-clients',
];

const PLUGIN = 'integrations/wordpress/donation-form';
const BROWSER_EXAMPLES = ['angular', 'react', 'svelte', 'vue'];
const SERVER_EXAMPLES = ['express', 'fastify', 'hono', 'next'];

interface VersionCopy {
  readonly file: string;
  /** Matches the version and nothing around it. */
  readonly pattern: RegExp;
}

/** Every place that repeats the version, apart from package-lock.json. */
export const VERSION_COPIES: readonly VersionCopy[] = [
  { file: 'package.json', pattern: /(?<=^ {2}"version": ")[^"]+/m },
  {
    file: 'src/donation-form/form/donation-form.ts',
    pattern: /(?<=static readonly version: string = ')[^']+/,
  },
  { file: `${PLUGIN}/block/block.json`, pattern: /(?<="version": ")[^"]+/ },
  { file: `${PLUGIN}/donation-form.php`, pattern: /(?<=\* Version: +)\S+/ },
  { file: `${PLUGIN}/donation-form.php`, pattern: /(?<=VERSION = ')[^']+/ },
  { file: `${PLUGIN}/readme.txt`, pattern: /(?<=Stable tag: )\S+/ },
  ...BROWSER_EXAMPLES.map((name) => ({
    file: `examples/${name}/package.json`,
    pattern: /(?<="file:donation-form-)\d.*(?=\.tgz")/,
  })),
  ...SERVER_EXAMPLES.map((name) => ({
    file: `examples/${name}/package.json`,
    pattern: /(?<="file:donation-form-server-)\d.*(?=\.tgz")/,
  })),
];

/** Reads the version of a package from its manifest. */
export function readVersion(folder: string): string {
  return (JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as { version: string })
    .version;
}

function updateVersionCopies(version: string): void {
  for (const { file, pattern } of VERSION_COPIES) {
    const text = readFileSync(file, 'utf8');
    if (!pattern.test(text)) throw new Error(`${file} has no version that matches ${pattern}`);
    writeFileSync(file, text.replace(pattern, version));
  }
}

if (import.meta.main) updateVersionCopies(readVersion(VERSIONED_WORKSPACES[0]!));
