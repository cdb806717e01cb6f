import { cp, mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { unpackPackage } from './tarballs.ts';

/**
 * Copies framework examples to a temporary folder and installs their packages there, with
 * `donation-form` from its tarball.
 * @returns path of the folder.
 */
export async function installExamples(names: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-examples-'));
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  unpackPackage(modules, 'donation-form');
  await Promise.all([
    ...names.map((name) => cp(join('examples', name), join(folder, name), { recursive: true })),
    ...(await readdir('node_modules'))
      .filter((name) => !name.startsWith('.') && !name.includes('donation-form'))
      .map((name) => symlink(resolve('node_modules', name), join(modules, name))),
  ]);
  return folder;
}
