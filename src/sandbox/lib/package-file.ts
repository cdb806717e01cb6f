import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, resolve } from 'node:path';

/**
 * Resolves a path relative to the published package, or relative to the build output if the code
 * runs from source.
 */
export function resolvePackageFile(path: string): string {
  const manifest = findPackageJSON(import.meta.url)!;
  const { publishConfig } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    readonly publishConfig?: { readonly directory: string };
  };
  return resolve(dirname(manifest), publishConfig?.directory ?? '.', path);
}
