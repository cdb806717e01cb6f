/**
 * Updates the baselines of the visual tests, compresses those that changed, and writes
 * docs/evidence/gallery.md and its images, and the images of docs/reference/theming.md.
 */
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { galleryImages, renderGalleryPage } from './gallery-page.ts';

const BASELINES = 'test/visual/baselines';
const GALLERY = 'docs/evidence/gallery';
const PICTURES = 'docs/reference/pictures';

const { status } = spawnSync(
  'playwright',
  [
    'test',
    '--config',
    'test/visual/playwright.config.ts',
    'gallery',
    'parts',
    '--update-snapshots=changed',
  ],
  { stdio: 'inherit' },
);
for (const folder of [BASELINES, PICTURES])
  for (const file of await readdir(folder)) await compressImage(`${folder}/${file}`);
await rm(GALLERY, { recursive: true, force: true });
await mkdir(GALLERY);
for (const file of galleryImages) await copyFile(`${BASELINES}/${file}`, `${GALLERY}/${file}`);
await writeFile('docs/evidence/gallery.md', await renderGalleryPage());
process.exitCode = status ?? 1;

/** Reduces a PNG to at most 256 colors, which halves its size. */
async function compressImage(path: string): Promise<void> {
  const image = await readFile(path);
  const { isPalette } = await sharp(image).metadata();
  if (isPalette) return;
  await writeFile(path, await sharp(image).png({ palette: true, dither: 0 }).toBuffer());
}
