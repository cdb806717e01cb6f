import { defineConfig } from 'playwright/test';
import { chromium } from '../../../test/browsers.ts';

// Other end-to-end tests run at the same time with ports from 20,000.
process.env.FIRST_PORT ??= '26000';

/** Tests the plugin in Debian's WordPress with MariaDB, a real endpoint, and the sandbox. */
export default defineConfig({
  testDir: '.',
  // The workspaces' own tsconfig files map csv-parse to type declarations.
  tsconfig: '../../../tsconfig.json',
  // The worker loads the built server and sandbox without transpiling them.
  build: { external: ['**/dist/**'] },
  outputDir: '../../../test-results/wordpress',
  timeout: 180_000,
  expect: { timeout: 30_000 },
  workers: 1,
  forbidOnly: true,
  reporter: 'list',
  use: {
    locale: 'en-US',
    timezoneId: 'UTC',
    viewport: { width: 1280, height: 900 },
    browserName: 'chromium',
    actionTimeout: 30_000,
    screenshot: 'only-on-failure',
    launchOptions: chromium,
  },
});
