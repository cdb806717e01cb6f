import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { BrowserContext } from 'playwright/test';
import { POLICY } from '../../website/policy.ts';
import { COLOR_RULES, findViolations } from './find-violations.ts';
import { expect, fillDonor, findSubmitButton, test as base } from './world.ts';

/** GitHub Pages publishes a project below its name. */
const SITE = 'https://docs.example.org/donation-form/';
const MAX_BUILD_SECONDS = 10;
/** Prints the CPU time of the process, which a busy machine changes less than the time that passes. */
const PRINT_CPU_TIME =
  'data:text/javascript,process.on("exit",()=>console.log(JSON.stringify(process.cpuUsage())))';
const run = promisify(execFile);

let folder: string;
let cpuSeconds: number;

/** Serves the built site to a browser, and nothing else. */
async function serveSite(context: BrowserContext): Promise<void> {
  await context.route('**/*', async (route) => {
    const { href, pathname } = new URL(route.request().url());
    expect(href).toContain(SITE);
    const path = pathname.replace('/donation-form/', '').replace(/(^|\/)$/, '$1index.html');
    await route.fulfill({ path: join(folder, path) });
  });
}

const test = base.extend<{ readonly problems: string[] }>({
  /** Errors in the console, such as violations of the Content-Security-Policy. */
  problems: [
    async ({ context, page }, use) => {
      const problems: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') problems.push(message.text());
      });
      page.on('pageerror', ({ message }) => problems.push(message));
      await serveSite(context);
      await use(problems);
      expect(problems).toEqual([]);
    },
    { auto: true },
  ],
});

// The tests share one build.
test.describe.configure({ mode: 'default' });

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'website-'));
  const { stdout } = await run(process.execPath, [
    `--import=${PRINT_CPU_TIME}`,
    'node_modules/@11ty/eleventy/cmd.cjs',
    '--config=website/eleventy.config.js',
    `--output=${relative('.', folder)}`,
  ]);
  const { user, system } = JSON.parse(stdout.trim().split('\n').at(-1)!) as NodeJS.CpuUsage;
  cpuSeconds = (user + system) / 1_000_000;
});

test.afterAll(async () => {
  await rm(folder, { recursive: true });
});

function listFiles(root: string, extension: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith(extension),
  );
}

test('builds within ten seconds of CPU time, and lists every page and its Markdown in llms.txt', () => {
  expect(cpuSeconds).toBeLessThan(MAX_BUILD_SECONDS);
  const llms = readFileSync(join(folder, 'llms.txt'), 'utf8');
  const sources = listFiles('docs', '.md');
  expect(sources.length).toBeGreaterThan(30);
  expect(listFiles(folder, '.md')).toEqual(expect.arrayContaining(sources));
  for (const path of sources) expect(llms).toContain(`](${path}): `);
});

test('no page has an inline script, style, or event handler, and all have the policy', () => {
  for (const path of listFiles(folder, '.html')) {
    const html = readFileSync(join(folder, path), 'utf8');
    expect(html, path).not.toMatch(/<style|<script(?![^>]* src=)|<[^>]+ (?:style|on\w+)=/);
    expect(html.replaceAll('&#39;', "'"), path).toContain(`content="${POLICY}"`);
  }
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`home and a long page have no accessibility violations in ${colorScheme} mode`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.goto(SITE);
    await findSubmitButton(page).waitFor();
    const rules = colorScheme === 'dark' ? COLOR_RULES : {};
    expect(await findViolations(page, rules)).toEqual([]);
    await page.goto(`${SITE}reference/configuration/`);
    expect(await findViolations(page, rules)).toEqual([]);
  });

test('a visitor finds a page with the search field, by keyboard', async ({ page }) => {
  await page.goto(`${SITE}reference/settings/`);
  await page.keyboard.press('/');
  await page.keyboard.type('trusted types');
  await expect(page.getByRole('status')).toHaveText(/results$/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).not.toHaveURL(/settings/);
  await expect(page.getByRole('main')).toContainText('Trusted Types');
});

test('the search results fit on a phone, and the field is wide enough for a query', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${SITE}reference/settings/`);
  await page.getByRole('searchbox').fill('german');
  await expect(page.getByRole('link', { name: 'Languages Settings' })).toBeVisible();
  const results = (await page.locator('.results').boundingBox())!;
  expect(results.x).toBeGreaterThanOrEqual(0);
  expect(results.x + results.width).toBeLessThanOrEqual(390);
  expect((await page.getByRole('searchbox').boundingBox())!.width).toBeGreaterThan(200);
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });

  test('a visitor reads a page, and opens another one from the menu', async ({ page }) => {
    await page.goto(`${SITE}reference/configuration/`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Configuration');
    await expect(page.getByRole('searchbox')).toBeHidden();
    await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Settings', exact: true }).first().click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Settings');
  });
});

test('the demo form leads to the thank-you screen without a server', async ({ page }) => {
  await page.goto(SITE);
  await expect(page.getByText('No money moves')).toBeVisible();
  await page.getByRole('radio', { name: /^\$100/ }).check();
  await fillDonor(page);
  await findSubmitButton(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  await expect(page.locator('donation-form')).toContainText('$100');
});

test('the form and the snippet follow the switches', async ({ page }) => {
  await page.goto(SITE);
  await page.getByRole('radio', { name: '10 · 20 · 40' }).check();
  await page.getByRole('radio', { name: 'Deutsch' }).check();
  await page.getByRole('radio', { name: 'Blue' }).check();
  const button = page.getByRole('button', { name: /20.*spenden/ });
  await expect(button).toBeVisible();
  await expect(button).toHaveCSS('background-color', 'rgb(31, 95, 174)');
  const snippet = page.locator('.snippet code');
  await expect(snippet).toContainText('amounts="10,20,40"');
  await expect(snippet).toContainText('/embed/main.js?language=de"');
  await expect(snippet).toContainText('language="de"');
  await expect(snippet).toContainText('--donation-accent: #1f5fae');
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
});
