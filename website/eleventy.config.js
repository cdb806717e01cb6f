/**
 * Builds the documentation site from `docs/` into `dist/website`: static pages that need neither a
 * server nor JavaScript. Eleventy renders all pages in about a second, and adds no script or style
 * of its own. Generators that render in the browser, such as VitePress, rely on inline scripts and
 * styles, which the site's Content-Security-Policy forbids.
 *
 * Usage: eleventy --config=website/eleventy.config.js [--serve]
 */
import { existsSync, readFileSync } from 'node:fs';
import { completeSite } from './complete-site.ts';
import { DOCS, markdown, REPOSITORY, toPagePath, toPageUrl, toRelativeUrl } from './markdown.ts';
import { buildNavigation, findNeighbors } from './navigation.ts';
import { POLICY } from './policy.ts';
import { readSections, summarize } from './sections.ts';

const config = {
  dir: { input: DOCS, includes: '../website/layouts', output: 'dist/website' },
  templateFormats: ['md'],
  // Code in the pages contains braces.
  markdownTemplateEngine: false,
};

export default function configure(eleventyConfig) {
  eleventyConfig.setLibrary('md', markdown);
  eleventyConfig.setQuietMode(true);
  eleventyConfig.setServerOptions({ port: 4110, domDiff: false });

  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  eleventyConfig.addGlobalData('site', { version, repository: REPOSITORY, policy: POLICY });
  eleventyConfig.addGlobalData('layout', 'page.njk');
  eleventyConfig.addGlobalData(
    'permalink',
    () =>
      ({ page }) =>
        `${toPageUrl(toPagePath(page.inputPath))}index.html`,
  );
  eleventyConfig.addGlobalData('eleventyComputed', {
    path: ({ page }) => toPagePath(page.inputPath),
    sections: ({ page }) => readSections(page.rawInput),
    root: ({ page }) => toRelativeUrl(toPageUrl(toPagePath(page.inputPath)), ''),
  });
  eleventyConfig.addCollection('navigation', (pages) =>
    buildNavigation(
      pages
        .getAll()
        .map(({ inputPath, rawInput }) => ({ path: toPagePath(inputPath), source: rawInput })),
    ),
  );
  eleventyConfig.addFilter('neighbors', findNeighbors);
  eleventyConfig.addFilter('summary', summarize);
  // The home page has its own title.
  eleventyConfig.addFilter('withoutTitle', (html) => html.replace(/<h1[^]*?<\/h1>/, ''));
  if (!existsSync(`${DOCS}/README.md`))
    eleventyConfig.addTemplate('README.md', '# Documentation\n');

  eleventyConfig.addPassthroughCopy(`${DOCS}/**/*.!(md)`);
  eleventyConfig.addPassthroughCopy({
    'website/site.css': 'site.css',
    'website/icon.svg': 'icon.svg',
    'dist/donation-form/scripts': 'form',
  });
  eleventyConfig.addWatchTarget('website/**/*.{css,json,njk,svg}');
  // Eleventy cannot parse TypeScript. Start again after a change of the site's own modules.
  eleventyConfig.setWatchJavaScriptDependencies(false);
  eleventyConfig.on('eleventy.after', async ({ directories, results, runMode }) => {
    const pages = results.map(({ inputPath, content }) => ({
      path: toPagePath(inputPath),
      html: content,
      source: existsSync(inputPath) ? readFileSync(inputPath, 'utf8') : '# Documentation\n',
    }));
    await completeSite({
      folder: directories.output,
      pages,
      isPreview: runMode === 'serve',
    });
  });
  return config;
}
