import { copyFile, cp, mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * The examples of pages in frameworks, as somebody has them who installed their packages: in a
 * folder of their own, with the built package unpacked beside the others.
 */
export async function installExamples(names: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-examples-'));
  const modules = join(folder, 'node_modules');
  const own = join(modules, 'donation-form');
  await mkdir(own, { recursive: true });
  await Promise.all([
    cp('dist', join(own, 'dist'), { recursive: true }),
    copyFile('package.json', join(own, 'package.json')),
    ...names.map((name) => cp(join('examples', name), join(folder, name), { recursive: true })),
    ...(await readdir('node_modules'))
      .filter((name) => !name.startsWith('.'))
      .map((name) => symlink(resolve('node_modules', name), join(modules, name))),
  ]);
  return folder;
}
