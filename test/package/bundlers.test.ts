import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { build as buildWithEsbuild } from 'esbuild';
import { transform as transformWithLightningCss } from 'lightningcss-1';
import { type Browser, chromium as playwright, type Page } from 'playwright';
import { build as buildWithVite } from 'vite';
import webpack from 'webpack';
import { BROWSER_PACKAGE } from '../../scripts/packages.ts';
import { listPublicExports } from '../../scripts/public-api.ts';
import { chromium } from '../browsers.ts';
import { DOCUMENTATION_PAGES, extractCodeBlocks } from '../code-blocks.ts';
import { installExamples } from '../install-examples.ts';

const THEMES = globSync('themes/*.css').map((file) => basename(file, '.css'));
const THEME_PATTERN = 'donation-form/themes/*.css';
const FUNCTIONS = listPublicExports().filter(
  ({ module, kind }) => kind === 'function' && /^donation-form(\/|$)/.test(module),
);

/** Import specifiers of everything that a page with a bundler can import. */
const SPECIFIERS = Object.keys(BROWSER_PACKAGE.manifest.exports)
  .map((path) => path.replace('.', 'donation-form'))
  .filter((specifier) => !/\.js(on)?$/.test(specifier))
  .flatMap((specifier) =>
    specifier === THEME_PATTERN ? THEMES.map((theme) => specifier.replace('*', theme)) : specifier,
  );

/** Style sheet of the documentation with a color for each mode. */
const DOCUMENTED_STYLES = extractCodeBlocks('docs/reference/theming.md').find(({ code }) =>
  code.includes('light-dark('),
)!.code;

/** One form without a theme, and one with each. */
const FORMS = ['none', ...THEMES]
  .map((theme) => `<donation-form class="theme-${theme}"><i>Other ways to give</i></donation-form>`)
  .join('');
const createPage = (head: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Give</title>${head}
  <style>i { color: var(--donation-accent) }</style>${FORMS}`;

const SCRIPT = `import './styles.css';
${SPECIFIERS.map((specifier) => `import '${specifier}';`).join('\n')}
${FUNCTIONS.map(({ module, name }) => `import { ${name} } from '${module}';`).join('\n')}
globalThis.functions = { ${FUNCTIONS.map(({ name }) => name).join()} };
`;

/** Each builds the page in the folder with default options. */
const BUNDLERS: Readonly<Record<string, (folder: string, output: string) => Promise<unknown>>> = {
  Vite: (folder, output) =>
    buildWithVite({
      root: folder,
      base: './',
      configFile: false,
      logLevel: 'error',
      build: { outDir: output },
    }),
  webpack: (folder, output) =>
    new Promise((done, fail) => {
      webpack(
        {
          mode: 'production',
          context: folder,
          entry: './page.js',
          output: { path: output, filename: 'page.js' },
          experiments: { css: true },
          performance: false,
        },
        (error, stats) => {
          const problem = error?.message ?? (stats?.hasErrors() && stats.toString());
          if (problem) fail(new Error(problem));
          else done(writeFile(join(output, 'index.html'), BUILT_PAGE));
        },
      );
    }),
  esbuild: async (folder, output) => {
    await buildWithEsbuild({
      absWorkingDir: folder,
      entryPoints: ['page.js'],
      outdir: output,
      bundle: true,
      minify: true,
      splitting: true,
      format: 'esm',
      logLevel: 'error',
    });
    await writeFile(join(output, 'index.html'), BUILT_PAGE);
  },
  Parcel: (folder, output) =>
    promisify(execFile)(
      process.execPath,
      [
        resolve('node_modules/parcel/lib/bin.js'),
        ...'build index.html --no-cache --no-source-maps --dist-dir'.split(' '),
        output,
      ],
      { cwd: folder },
    ),
};
const BUILT_PAGE = createPage(
  '<link rel="stylesheet" href="page.css"><script type="module" src="page.js"></script>',
);
const NAMES = Object.keys(BUNDLERS);

const folder = await installExamples([]);
let browser: Browser;
before(async () => {
  await writeFile(join(folder, 'page.js'), SCRIPT);
  await writeFile(join(folder, 'styles.css'), DOCUMENTED_STYLES);
  await writeFile(
    join(folder, 'index.html'),
    createPage('<script type="module" src="page.js"></script>'),
  );
  browser = await playwright.launch(chromium);
});
after(async () => {
  await browser.close();
  await rm(folder, { recursive: true });
});

/** Opens `index.html` of a folder. */
async function openPage(files: string): Promise<Page> {
  const page = await browser.newPage();
  await page.route('http://page.test/**', (route) => {
    const path = join(files, new URL(route.request().url()).pathname);
    return route.fulfill(existsSync(path) ? { path } : { status: 404 });
  });
  await page.goto('http://page.test/index.html', { waitUntil: 'load' });
  return page;
}

/** Computed colors of every theme, in each color scheme of the visitor and of the page. */
async function readColors(page: Page): Promise<Record<string, string[]>> {
  const colors: Record<string, string[]> = {};
  for (const visitor of ['light', 'dark'] as const)
    for (const scheme of ['light', 'dark', 'light dark']) {
      await page.emulateMedia({ colorScheme: visitor });
      colors[`${scheme} for ${visitor}`] = await page.evaluate((value) => {
        document.documentElement.style.colorScheme = value;
        return Array.from(document.querySelectorAll('donation-form'), (form) => {
          const { borderColor, boxShadow, fontFamily } = getComputedStyle(form);
          const { color } = getComputedStyle(form.querySelector('i')!);
          return [color, borderColor, boxShadow, fontFamily].join();
        });
      }, scheme);
    }
  return colors;
}

test('every import in the documentation is one that the bundlers below build', () => {
  const pages = [
    ...DOCUMENTATION_PAGES,
    'src/donation-form/README.md',
    ...globSync('examples/**/*.{js,ts,tsx,vue,svelte}'),
  ];
  const imported = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/["'`](donation-form(?:\/[\w*./-]+)?)["'`]/g)]
      .map(([, specifier]) => specifier!)
      .filter((specifier) => !/\.js(on)?$/.test(specifier)),
  );
  const known = new Set([...SPECIFIERS, THEME_PATTERN]);
  assert.deepEqual(
    imported.filter((specifier) => !known.has(specifier)),
    [],
  );
});

for (const name of NAMES)
  test(`${name}: a built page has every element, function, and theme, with the themes' colors in light and dark`, async () => {
    const output = join(folder, `built-by-${name}`);
    await BUNDLERS[name]!(folder, output);
    const page = await openPage(output);
    const { tags, functions } = await page.evaluate(() => ({
      tags: ['form', 'button', 'goal'].map((tag) => Boolean(customElements.get(`donation-${tag}`))),
      functions: Object.entries(
        (globalThis as unknown as { functions: Record<string, unknown> }).functions,
      ).map(([key, value]) => `${key}: ${typeof value}`),
    }));
    assert.deepEqual(tags, [true, true, true]);
    assert.deepEqual(
      functions,
      FUNCTIONS.map((one) => `${one.name}: function`),
    );
    const colors = await readColors(page);
    const styles = THEMES.map((theme) => readFileSync(`themes/${theme}.css`, 'utf8'));
    await page.setContent(createPage(`<style>${DOCUMENTED_STYLES}${styles.join('')}</style>`));
    const unbundled = await readColors(page);
    assert.deepEqual(colors, unbundled);
    assert.deepEqual(unbundled['light dark for dark'], unbundled['dark for light']);
    unbundled['light for dark']!.forEach((color, index) =>
      assert.notEqual(color, unbundled['dark for dark']![index]),
    );
    await page.close();
  });

test('Lightning CSS before 1.30, which replaces light-dark(): themes have their light colors, or those of the color-scheme in a style sheet', async () => {
  const styles = THEMES.map((theme) => readFileSync(`themes/${theme}.css`, 'utf8')).join('');
  const build = (css: string): string =>
    transformWithLightningCss({
      filename: 'themes.css',
      code: Buffer.from(css),
      targets: { chrome: 111 << 16 },
    }).code.toString();
  const page = await browser.newPage();
  const readBuilt = async (css: string): Promise<Record<string, string[]>> => {
    await page.setContent(createPage(`<style>${css}</style>`));
    return readColors(page);
  };
  const unbundled = await readBuilt(styles);
  const built = await readBuilt(build(styles));
  const builtWithScheme = await readBuilt(build(`${styles}:root { color-scheme: light dark }`));
  assert.deepEqual(built['light for light'], unbundled['light for light']);
  assert.deepEqual(builtWithScheme['light dark for light'], unbundled['light for light']);
  assert.deepEqual(builtWithScheme['light dark for dark'], unbundled['dark for dark']);
  await page.close();
});
