import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, resolve } from 'node:path';

interface Manifest {
  readonly version: string;
  readonly homepage: string;
  readonly publishConfig?: { readonly directory: string };
}

/**
 * Returns a file of the published package. From source, that is the build output.
 * @param path relative to the package's folder.
 */
export function resolvePackageFile(path: string): string {
  const manifest = findPackageJSON(import.meta.url)!;
  const { publishConfig } = readPackageManifest(manifest);
  return resolve(dirname(manifest), publishConfig?.directory ?? '.', path);
}

export function readPackageVersion(): string {
  return readPackageManifest(resolvePackageFile('package.json')).version;
}

export function readPackageHomepage(): string {
  return readPackageManifest(resolvePackageFile('package.json')).homepage;
}

/** @param page such as `server/admin.md#payment-statuses`. */
export function getDocumentationUrl(page: string): string {
  return `${readPackageHomepage().replace(/#.*/, '')}/blob/main/docs/${page}`;
}

function readPackageManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
}
