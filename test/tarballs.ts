import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Tarball made by `npm pack`. */
export interface Tarball {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly files: readonly string[];
}

export type PackageName =
  'donation-form' | 'donation-form-server' | 'donation-form-sandbox' | 'donation-platform-clients';

/** Packs a built package as `npm publish` does. */
export function packTarball(name: PackageName, folder: string): Tarball {
  const [packed] = JSON.parse(
    execFileSync(
      'npm',
      ['pack', `./dist/${name}`, '--json', '--ignore-scripts', '--pack-destination', folder],
      { encoding: 'utf8' },
    ),
  ) as [{ filename: string; size: number; files: { path: string }[] }];
  return {
    path: join(folder, packed.filename),
    size: packed.size,
    files: packed.files.map(({ path }) => path),
  };
}

/** Unpacks a package's tarball into a `node_modules` folder, without its dependencies. */
export function unpackPackage(modules: string, name: PackageName): void {
  const folder = mkdtempSync(join(modules, '.packed-'));
  const target = join(modules, name);
  mkdirSync(target);
  const { path } = packTarball(name, folder);
  execFileSync('tar', ['-xzf', path, '-C', target, '--strip-components=1']);
  rmSync(folder, { recursive: true });
}
