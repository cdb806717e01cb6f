import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, resolve } from 'node:path';

interface Manifest {
  readonly version: string;
  readonly publishConfig?: { readonly directory: string };
}

/**
 * The path of a file of the published package. Where the source runs, that is the package which
 * the build makes of it.
 * @param path relative to the package's folder.
 */
export function packageFile(path: string): string {
  const manifest = findPackageJSON(import.meta.url)!;
  const { publishConfig } = readManifest(manifest);
  return resolve(dirname(manifest), publishConfig?.directory ?? '.', path);
}

/** The version of the published package. */
export function packageVersion(): string {
  return readManifest(packageFile('package.json')).version;
}

function readManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
}
