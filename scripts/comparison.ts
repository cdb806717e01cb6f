/**
 * Writes pictures of the demo's form beside its look before the redesign and beside sketches of
 * well-known layouts to `docs/evidence/comparison/`, and the README's picture to `docs/demo.png`.
 *
 * Usage: npm run comparison
 */
import { readFile } from 'node:fs/promises';
import { chromium, type Browser } from 'playwright';
import sharp from 'sharp';
import * as launchOptions from '../test/browsers.ts';
import { World } from '../test/e2e/world.ts';
import { renderSketch, SKETCHES } from './comparison-sketches.ts';

const FOLDER = 'docs/evidence/comparison';
const GAP = 16;
const CAPTION_HEIGHT = 28;
const BACKGROUND = '#8a8f98';

type Scheme = 'light' | 'dark';

/** Widths of the pages, the height of their pictures, and the columns of a composed picture. */
const LAYOUTS = [
  { width: 390, height: 1_680, columns: 5, scale: 0.62 },
  { width: 1_280, height: 1_000, columns: 2, scale: 0.5 },
] as const;

interface Tile {
  readonly caption: string;
  readonly image: Buffer;
}

/** Takes a picture of the demo's form with its payment field. */
async function captureForm(
  browser: Browser,
  world: World,
  { width, height, scheme }: { width: number; height: number; scheme: Scheme },
): Promise<Buffer> {
  const page = await browser.newPage({ colorScheme: scheme, viewport: { width, height } });
  await page.goto(`${world.page}/`);
  const frame = page.frameLocator('[slot=payment] iframe');
  await frame.getByLabel('Card number').waitFor();
  await page.locator('donation-form .impact .drawing').waitFor();
  // On a phone, the form is below the story.
  if (width < 600)
    await page.locator('#give').evaluate((card) => card.scrollIntoView({ behavior: 'instant' }));
  const image = await page.screenshot({ animations: 'disabled' });
  await page.close();
  return image;
}

/** Takes the README's picture: the demo, opened from a campaign link. */
async function captureDemo(browser: Browser, world: World): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1_280, height: 900 } });
  await page.goto(`${world.page}/?amt=75&Frequency=monthly&FName=Ana&fund-code=WATER`);
  await page.locator('donation-form .impact .drawing').waitFor();
  const image = await page.screenshot({ animations: 'disabled' });
  await sharp(image).png({ palette: true }).toFile('docs/demo.png');
  await page.close();
}

async function captureSketch(
  browser: Browser,
  html: string,
  viewport: { width: number; height: number },
): Promise<Buffer> {
  const page = await browser.newPage({ viewport });
  await page.setContent(html);
  const image = await page.screenshot();
  await page.close();
  return image;
}

/** Puts pictures of one size side by side, each below its caption. */
async function composeTiles(
  tiles: readonly Tile[],
  { width, height, columns, scale }: (typeof LAYOUTS)[number],
): Promise<Buffer> {
  const tileWidth = Math.round(width * scale);
  const tileHeight = Math.round(height * scale) + CAPTION_HEIGHT;
  const rows = Math.ceil(tiles.length / columns);
  const layers = await Promise.all(
    tiles.map(async ({ caption, image }, index) => {
      const left = GAP + (index % columns) * (tileWidth + GAP);
      const top = GAP + Math.floor(index / columns) * (tileHeight + GAP);
      const title = `<svg xmlns="http://www.w3.org/2000/svg" width="${tileWidth}" height="${CAPTION_HEIGHT}"><rect width="100%" height="100%" fill="#fff"/><text x="8" y="19" font-family="sans-serif" font-size="13" fill="#222">${caption}</text></svg>`;
      return [
        { input: Buffer.from(title), left, top },
        { input: await sharp(image).resize(tileWidth).toBuffer(), left, top: top + CAPTION_HEIGHT },
      ];
    }),
  );
  return sharp({
    create: {
      width: GAP + columns * (tileWidth + GAP),
      height: GAP + rows * (tileHeight + GAP),
      channels: 3,
      background: BACKGROUND,
    },
  })
    .composite(layers.flat())
    .webp({ quality: 82 })
    .toBuffer();
}

const browser = await chromium.launch(launchOptions.chromium);
const world = await World.open();
for (const layout of LAYOUTS) {
  const { width, height } = layout;
  const sketches = await Promise.all(
    SKETCHES.map(async (sketch, index): Promise<Tile> => ({
      caption: `Sketch ${index + 1}`,
      image: await captureSketch(browser, renderSketch(sketch), { width, height }),
    })),
  );
  for (const scheme of ['light', 'dark'] as const) {
    const before = await readFile(`${FOLDER}/before/${scheme}-${width}.webp`);
    const image = await captureForm(browser, world, { width, height, scheme });
    const tiles = [
      { caption: `Before, ${scheme}`, image: before },
      { caption: `This form, ${scheme}`, image },
      ...sketches,
    ];
    await sharp(await composeTiles(tiles, layout)).toFile(`${FOLDER}/${scheme}-${width}.webp`);
  }
}
await captureDemo(browser, world);
await world.close();
await browser.close();
