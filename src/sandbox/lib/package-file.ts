import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, resolve } from 'node:path';

/** The path of a file of the published package; where the source runs, of the one it is built to. */
export function packageFile(path: string): string {
  const manifest = findPackageJSON(import.meta.url)!;
  const { publishConfig } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    readonly publishConfig?: { readonly directory: string };
  };
  return resolve(dirname(manifest), publishConfig?.directory ?? '.', path);
}
