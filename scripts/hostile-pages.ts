/**
 * Shows the form on the hostile pages of `test/hostile-pages/pages.ts`, each at 1,024 and 360 px,
 * in Chromium, Firefox, and WebKit. Writes a picture of all pages for each engine to
 * `docs/evidence/hostile-pages/`. Fails if a form is cut off or incomplete.
 *
 * Usage: npm run hostile-pages [ENGINE]
 */
import { mkdir } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { chromium, firefox, type BrowserType, type LaunchOptions } from 'playwright';
import sharp from 'sharp';
import * as launchOptions from '../test/browsers.ts';
import { World } from '../test/e2e/world.ts';
import { inspectForms, type FormInspection } from '../test/hostile-pages/inspect-forms.ts';
import {
  hostilePages,
  renderHostilePage,
  renderHostilePageInFrames,
} from '../test/hostile-pages/pages.ts';
import { waitUntil, WebKitBrowser } from '../test/webkit-browser.ts';

const FOLDER = 'docs/evidence/hostile-pages';
const VIEWPORT = { width: 704, height: 760 };
/** Time for a form to load, in milliseconds. */
const LOAD_TIMEOUT = 10_000;
/** Time for the payment field to load and the page to settle, in milliseconds. */
const SETTLE_TIME = 1_500;
const COLUMNS = 7;
const TILE = { width: 352, height: 380, gap: 8, title: 26 };

/** What this script needs of a browser. */
interface Engine {
  openPage(url: string): Promise<void>;
  inspectForms(): Promise<FormInspection>;
  takeScreenshot(): Promise<Buffer>;
  close(): Promise<void>;
}

const ENGINES: Readonly<Record<string, () => Promise<Engine>>> = {
  chromium: () => startPlaywright(chromium, launchOptions.chromium),
  firefox: () => startPlaywright(firefox, launchOptions.firefox),
  webkit: startWebKit,
};

async function startPlaywright(type: BrowserType, options: LaunchOptions): Promise<Engine> {
  const browser = await type.launch(options);
  const page = await browser.newPage({ viewport: VIEWPORT });
  return {
    openPage: async (url) => {
      await page.goto(url, { waitUntil: 'domcontentloaded' });
    },
    inspectForms: () => page.evaluate(inspectForms),
    takeScreenshot: () => page.screenshot(),
    close: () => browser.close(),
  };
}

async function startWebKit(): Promise<Engine> {
  const browser = await WebKitBrowser.start();
  await browser.sendCommand('POST', '/window/rect', VIEWPORT);
  return {
    openPage: async (url) => {
      await browser.sendCommand('POST', '/url', { url });
      // A script that runs while the previous page unloads fails.
      await waitUntil(
        async () => (await browser.runScript('return location.href').catch(() => '')) === url,
        `WebKit did not open ${url}`,
      );
    },
    inspectForms: async () =>
      (await browser.runScript(`return (${inspectForms.toString()})()`)) as FormInspection,
    takeScreenshot: async () =>
      Buffer.from((await browser.sendCommand('GET', '/screenshot')) as string, 'base64'),
    close: () => browser.stop(),
  };
}

/** Opens the pages in an engine, prints the faults, and writes the picture of all pages. */
async function visitPages(name: string, world: World): Promise<number> {
  const engine = await ENGINES[name]!();
  const tiles: Buffer[] = [];
  let faultCount = 0;
  for (const [index, hostilePage] of hostilePages.entries()) {
    await engine.openPage(`${world.page}/frames-${index}`);
    const end = Date.now() + LOAD_TIMEOUT;
    while (!(await engine.inspectForms()).isReady && Date.now() < end) await setTimeout(100);
    await setTimeout(SETTLE_TIME);
    const { isReady, faults } = await engine.inspectForms();
    for (const fault of isReady ? faults : ['the form did not load']) {
      faultCount += 1;
      console.log(`${name}: ${hostilePage.name}: ${fault}`);
    }
    tiles.push(await createTile(hostilePage.name, await engine.takeScreenshot()));
  }
  await engine.close();
  await writeContactSheet(`${FOLDER}/${name}.webp`, tiles);
  return faultCount;
}

/** Scales a screenshot and puts the page's name above it. */
async function createTile(name: string, screenshot: Buffer): Promise<Buffer> {
  const { width, height, title } = TILE;
  const label = name.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const text = `<svg width="${width}" height="${title}"><text x="2" y="18" font-family="sans-serif" font-size="15">${label}</text></svg>`;
  const picture = await sharp(screenshot)
    .resize({ width, height, fit: 'contain', position: 'left top', background: '#fff' })
    .toBuffer();
  return sharp({ create: { width, height: height + title, channels: 3, background: '#fff' } })
    .composite([
      { input: Buffer.from(text), left: 0, top: 0 },
      { input: picture, left: 0, top: title },
    ])
    .png()
    .toBuffer();
}

async function writeContactSheet(path: string, tiles: readonly Buffer[]): Promise<void> {
  const { width, height, gap, title } = TILE;
  const rows = Math.ceil(tiles.length / COLUMNS);
  await sharp({
    create: {
      width: COLUMNS * (width + gap) + gap,
      height: rows * (height + title + gap) + gap,
      channels: 3,
      background: '#fff',
    },
  })
    .composite(
      tiles.map((input, index) => ({
        input,
        left: gap + (index % COLUMNS) * (width + gap),
        top: gap + Math.floor(index / COLUMNS) * (height + title + gap),
      })),
    )
    .webp({ quality: 70, effort: 6 })
    .toFile(path);
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(ENGINES);
const unknown = names.find((name) => !(name in ENGINES));
if (unknown !== undefined) {
  console.error(`Unknown engine "${unknown}"; expected ${Object.keys(ENGINES).join(', ')}.`);
  process.exit(2);
}
await mkdir(FOLDER, { recursive: true });
await using world = await World.open();
for (const [index, hostilePage] of hostilePages.entries()) {
  world.pages.set(`/page-${index}`, await renderHostilePage(hostilePage, world.endpoint));
  world.pages.set(`/frames-${index}`, renderHostilePageInFrames(`/page-${index}`));
}
let faultCount = 0;
for (const name of names) faultCount += await visitPages(name, world);
console.log(`${hostilePages.length} pages in ${names.join(', ')}: ${faultCount} faults.`);
process.exitCode = faultCount === 0 ? 0 : 1;
