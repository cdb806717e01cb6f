import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, resolve } from 'node:path';

interface Manifest {
  readonly version: string;
  readonly homepage: string;
  readonly publishConfig?: { readonly directory: string };
}

/**
 * Returns the absolute path of a file in the published package. If the server runs from source,
 * uses the package in the build output.
 * @param path file path relative to the package's folder.
 */
export function resolvePackageFile(path: string): string {
  const manifest = findPackageJSON(import.meta.url)!;
  const { publishConfig } = readPackageManifest(manifest);
  return resolve(dirname(manifest), publishConfig?.directory ?? '.', path);
}

/** Returns the version of the published package. */
export function readPackageVersion(): string {
  return readPackageManifest(resolvePackageFile('package.json')).version;
}

/** Returns the URL of the project's documentation. */
export function readPackageHomepage(): string {
  return readPackageManifest(resolvePackageFile('package.json')).homepage;
}

/** Returns the URL of a documentation page. @param page page name, such as `server/admin.md#payment-statuses`. */
export function getDocumentationUrl(page: string): string {
  return `${readPackageHomepage().replace(/#.*/, '')}/blob/main/docs/${page}`;
}

function readPackageManifest(file: string): Manifest {
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
}
