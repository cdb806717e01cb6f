import { fileURLToPath } from 'node:url';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { defaultReporter } from '@web/test-runner';
import { playwrightLauncher } from '@web/test-runner-playwright';
import { chromium, firefox } from './test/browsers.ts';
import { sumReporter } from './test/sum-reporter.ts';
import { WebKitLauncher } from './test/webkit-launcher.ts';

/**
 * Layout, focus, forms, storage, frames and events: what browsers make each in their own way.
 * Texts, addresses, numbers and settings are worked out by our own code alone.
 */
const OF_ENGINES = [
  'accessibility',
  'action',
  'controls',
  'ending',
  'giving',
  'interruptions',
  'page',
  'payment',
  'proof',
  'theming',
  'whole-form',
];

/**
 * Component tests: the element's sources in Chromium, and in Firefox and WebKit those in which
 * engines may differ.
 */
export default {
  hostname: '127.0.0.1',
  nodeResolve: { exportConditions: ['production', 'default'] },
  plugins: [
    esbuildPlugin({
      ts: true,
      target: 'es2022',
      tsconfig: fileURLToPath(new URL('tsconfig.json', import.meta.url)),
    }),
  ],
  groups: [
    {
      name: 'everything',
      files: 'test/element/**/*.test.ts',
      browsers: [playwrightLauncher({ product: 'chromium', launchOptions: chromium })],
    },
    {
      name: 'what engines differ in',
      files: `test/element/{${OF_ENGINES.join()}}.test.ts`,
      browsers: [
        playwrightLauncher({ product: 'firefox', launchOptions: firefox }),
        new WebKitLauncher(),
      ],
    },
  ],
  concurrentBrowsers: 3,
  concurrency: 1,
  browserStartTimeout: 120_000,
  testFramework: { config: { timeout: 10_000 } },
  reporters: [defaultReporter({ reportTestResults: true, reportTestProgress: true }), sumReporter],
};
