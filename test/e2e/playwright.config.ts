import { defineConfig } from 'playwright/test';
import { chromium, firefox } from '../browsers.ts';

/**
 * End-to-end tests: the built script, server and sandbox, in real browsers over real sockets; in
 * Firefox those of the gift itself.
 */
export default defineConfig({
  testDir: '.',
  // The workspaces' own map csv-parse to declarations.
  tsconfig: '../../tsconfig.json',
  outputDir: '../../test-results/e2e',
  // The built server and sandbox run in the workers as they are.
  build: { external: ['**/dist/**'] },
  timeout: 60_000,
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  reporter: 'list',
  use: { locale: 'en-US', timezoneId: 'UTC', viewport: { width: 1280, height: 900 } },
  projects: [
    { name: 'chromium', use: { browserName: 'chromium', launchOptions: chromium } },
    {
      name: 'firefox',
      testMatch: ['giving.spec.ts', 'autofill.spec.ts', 'keyboard.spec.ts'],
      grepInvert: /@chromium/,
      use: { browserName: 'firefox', launchOptions: firefox },
    },
  ],
});
