/**
 * Takes the image of every state anew, also where it differs too little for a test, and writes
 * docs/gallery.md.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { galleryImages, galleryPage } from './gallery-page.ts';
import { smallPng } from './small-png.ts';

const FOLDER = 'docs/gallery/';

const { status } = spawnSync(
  'playwright',
  ['test', '--config', 'test/visual/playwright.config.ts', 'gallery', '--update-snapshots=all'],
  { stdio: 'inherit' },
);
for (const file of readdirSync(FOLDER)) {
  if (!galleryImages.includes(file)) {
    rmSync(FOLDER + file);
    continue;
  }
  const image = readFileSync(FOLDER + file);
  const small = smallPng(image);
  if (small !== image) writeFileSync(FOLDER + file, small);
}
writeFileSync('docs/gallery.md', await galleryPage());
process.exitCode = status ?? 1;
