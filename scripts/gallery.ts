/**
 * Takes the screenshot tests' baselines anew, shrinks those that changed, and writes docs/gallery.md
 * with the dozen pictures that it shows.
 */
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { galleryImages, writeGalleryPage } from './gallery-page.ts';

const BASELINES = 'test/visual/baselines';
const GALLERY = 'docs/gallery';

const { status } = spawnSync(
  'playwright',
  ['test', '--config', 'test/visual/playwright.config.ts', 'gallery', '--update-snapshots=changed'],
  { stdio: 'inherit' },
);
for (const file of await readdir(BASELINES)) await shrinkPicture(`${BASELINES}/${file}`);
await rm(GALLERY, { recursive: true, force: true });
await mkdir(GALLERY);
for (const file of galleryImages) await copyFile(`${BASELINES}/${file}`, `${GALLERY}/${file}`);
await writeFile('docs/gallery.md', await writeGalleryPage());
process.exitCode = status ?? 1;

/** Writes a PNG with at most 256 colors, unless it already is one: about half of the bytes. */
async function shrinkPicture(path: string): Promise<void> {
  const picture = await readFile(path);
  const { isPalette } = await sharp(picture).metadata();
  if (isPalette) return;
  await writeFile(path, await sharp(picture).png({ palette: true, dither: 0 }).toBuffer());
}
