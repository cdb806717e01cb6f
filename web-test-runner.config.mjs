import { globSync } from 'node:fs';
import { defaultReporter } from '@web/test-runner';
import { playwrightLauncher } from '@web/test-runner-playwright';
import { chromium, firefox } from './test/browsers.ts';
import { createBundlePlugin } from './test/bundle-plugin.ts';
import { totalReporter } from './test/total-reporter.ts';
import { WebKitLauncher } from './test/webkit-launcher.ts';

const ALL_FILES = 'test/element/**/*.test.ts';
/** `FILES=test/element/page.test.ts web-test-runner` runs one file, or the files of a pattern. */
const FILES = globSync(process.env.FILES ?? ALL_FILES);
const ENGINE_FILES = FILES.filter((file) => file.endsWith('.engines.test.ts'));

/** Reuses one page for all test files: a new page costs a second of CPU time. */
const reuseOnePage = {
  createBrowserContext: async ({ browser }) => {
    const context = browser.contexts()[0] ?? (await browser.newContext());
    // The launcher closes the context after each file.
    context.close = () => Promise.resolve();
    return context;
  },
  createPage: async ({ context }) => context.pages()[0] ?? context.newPage(),
};

/**
 * Runs the component tests in Chromium. Those that depend on the browser engine (layout, focus,
 * forms, storage, navigation, frames, events) are in `*.engines.test.ts` and also run in Firefox and
 * WebKit.
 */
export default {
  hostname: '127.0.0.1',
  plugins: [createBundlePlugin(ALL_FILES)],
  groups: [
    {
      name: 'all',
      files: FILES,
      browsers: [
        playwrightLauncher({ product: 'chromium', launchOptions: chromium, ...reuseOnePage }),
      ],
    },
    {
      name: 'engines',
      files: ENGINE_FILES,
      browsers: [
        playwrightLauncher({ product: 'firefox', launchOptions: firefox, ...reuseOnePage }),
        new WebKitLauncher(),
      ],
    },
  ].filter(({ files }) => files.length > 0),
  concurrentBrowsers: 3,
  concurrency: 1,
  browserStartTimeout: 120_000,
  // Of a file. On a busy machine, WebKit's first one has taken more than the default of two minutes.
  testsFinishTimeout: 300_000,
  testFramework: { config: { timeout: 20_000 } },
  reporters: [
    defaultReporter({ reportTestResults: true, reportTestProgress: true }),
    totalReporter,
  ],
};
