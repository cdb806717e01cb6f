import { defineConfig } from 'playwright/test';
import { chromium } from '../browsers.ts';

/** End-to-end tests: the built script, server and sandbox, in a real browser over real sockets. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  timeout: 60_000,
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  reporter: 'list',
  use: { browserName: 'chromium', launchOptions: chromium, locale: 'en-US', timezoneId: 'UTC', viewport: { width: 1280, height: 900 } },
});
