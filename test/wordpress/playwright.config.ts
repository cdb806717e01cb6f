import { defineConfig } from 'playwright/test';
import { chromium } from '../browsers.ts';

// Other end-to-end tests run at the same time, and take their ports from 20,000 on.
process.env.FIRST_PORT ??= '26000';

/** The plugin in a WordPress of Debian's, over a MariaDB, with a real endpoint and the sandbox. */
export default defineConfig({
  testDir: '.',
  // The workspaces' own map csv-parse to declarations.
  tsconfig: '../../tsconfig.json',
  // The built server and sandbox run in the worker as they are.
  build: { external: ['**/dist/**'] },
  outputDir: '../../test-results/wordpress',
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
