import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheResults } from '../lib/cache-results.ts';
import { computeIntegrity, hashSha256 } from '../lib/hash.ts';
import { resolvePackageFile } from '../lib/package-file.ts';
import { Problem } from '../lib/problem.ts';
import { createPublicBody, type PublicBody } from '../lib/public-body.ts';

/**
 * Loads the files that pages embed, keyed by name: the scripts, `donation-form.js` also under a
 * name with a content hash, their chunks, the third-party notices, and, as `pages/…`, the scripts
 * and style sheets of the endpoint's own pages.
 */
export type AssetLoader = () => Promise<ReadonlyMap<string, PublicBody>>;

/** @throws {Problem} not-found, if `file` is undefined. */
export function assertIsReleased(
  name: string,
  file: PublicBody | undefined,
): asserts file is PublicBody {
  if (!file)
    throw new Problem(
      'not-found',
      `${name} is not part of this release. Reload the page to get the current files.`,
    );
}

/** Matches names with a content hash, whose files never change. */
export const IMMUTABLE_ASSET_NAME = /^donation-form\.[\w-]+\.js$/;

/** @param folder defaults to the package's `assets` folder. */
export function createAssetLoader(folder?: string): AssetLoader {
  return cacheResults(() => readAssetFiles(folder ?? resolvePackageFile('assets')));
}

export const SCRIPT_NAME =
  /^(?:donation-form(?:\.[\w-]+)?|donation-button|donation-goal|flat-settings|attribution|analytics)\.js$/;

export const NOTICES_FILE = 'THIRD-PARTY-NOTICES.txt';

async function readAssetFiles(folder: string): Promise<ReadonlyMap<string, PublicBody>> {
  const scripts = (await readdir(folder)).filter(
    (name) => name === NOTICES_FILE || SCRIPT_NAME.test(name),
  );
  const pageFiles = (await readdir(join(folder, 'pages')))
    .filter((name) => /\.(js|css)$/.test(name))
    .map((name) => `pages/${name}`);
  const files = new Map(
    await Promise.all(
      [...scripts, ...pageFiles].map(async (name) => {
        const path = join(folder, name);
        const compressed = await readFile(`${path}.br`).catch(() => undefined);
        return [name, createPublicBody(await readFile(path, 'utf8'), compressed)] as const;
      }),
    ),
  );
  const script = files.get(SCRIPT_FILE)!;
  return files.set(getHashedFileName(script), script);
}

const SCRIPT_FILE = 'donation-form.js';

function getHashedFileName({ text }: PublicBody): string {
  return `donation-form.${hashSha256(text).replaceAll('_', '-').slice(0, 16)}.js`;
}

/** Values for embedding the form with Subresource Integrity. */
export interface Embed {
  readonly script: string;
  readonly integrity: string;
}

/** @returns `undefined` if the script has not been built. */
export function getEmbedValues(files: ReadonlyMap<string, PublicBody>): Embed | undefined {
  const script = files.get(SCRIPT_FILE);
  return script && { script: getHashedFileName(script), integrity: computeIntegrity(script.text) };
}
