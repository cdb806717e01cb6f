/**
 * Updates the baselines of the visual tests and the pictures of docs/reference/theming.md,
 * compresses those that changed, and takes the README's picture, `docs/demo.png`.
 */
import { spawnSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { chromium } from 'playwright';
import sharp from 'sharp';
import * as launchOptions from '../test/browsers.ts';
import { World } from '../test/e2e/world.ts';

const { status } = spawnSync(
  'playwright',
  ['test', '--config', 'test/visual/playwright.config.ts', '--update-snapshots=changed'],
  { stdio: 'inherit' },
);
for (const folder of ['test/visual/baselines', 'test/visual/mails', 'docs/reference/pictures'])
  for (const file of await readdir(folder)) await compressImage(`${folder}/${file}`);
await captureDemo();
process.exitCode = status ?? 1;

/** Reduces a PNG to at most 256 colors, which halves its size. */
async function compressImage(path: string): Promise<void> {
  const image = await readFile(path);
  const { isPalette } = await sharp(image).metadata();
  if (isPalette) return;
  await writeFile(path, await sharp(image).png({ palette: true, dither: 0 }).toBuffer());
}

/** Takes a picture of the demo, opened from a campaign link. */
async function captureDemo(): Promise<void> {
  const world = await World.open();
  const browser = await chromium.launch(launchOptions.chromium);
  const page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
  await page.goto(`${world.page}/?amt=75&Frequency=monthly&FName=Ana&fund-code=WATER`);
  await page.locator('donation-form .impact .drawing').waitFor();
  const image = await page.screenshot({ animations: 'disabled' });
  await sharp(image).png({ palette: true }).toFile('docs/demo.png');
  await browser.close();
  await world.close();
}
