import { defineConfig } from 'playwright/test';
import { chromium, firefox, fullChromium } from '../browsers.ts';

/**
 * End-to-end tests of the built script, server, and sandbox in real browsers over real sockets.
 * Firefox runs only what depends on the browser: autofill, the keyboard, and failing requests.
 */
export default defineConfig({
  testDir: '.',
  // The workspaces' own tsconfig files map csv-parse to type declarations.
  tsconfig: '../../tsconfig.json',
  snapshotPathTemplate: '../../docs/evidence/announcements/{arg}{ext}',
  outputDir: '../../test-results/e2e',
  // The workers load the built server and sandbox without transpiling them.
  build: { external: ['**/dist/**'] },
  // The longest tests take 10 seconds; a busy machine, ten times as long.
  timeout: 120_000,
  // On a busy machine, a payment frame can take more than the default of 5 s to start.
  expect: { timeout: 15_000 },
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  reporter: 'list',
  use: { locale: 'en-US', timezoneId: 'UTC', viewport: { width: 1280, height: 900 } },
  projects: [
    {
      name: 'chromium',
      testIgnore: 'autofill.spec.ts',
      grepInvert: /@firefox/,
      // Chromium allows copying after a click; the headless shell needs the permission.
      use: {
        browserName: 'chromium',
        launchOptions: chromium,
        permissions: ['clipboard-write'],
        // Frames of animations take a fifth of the CPU time. Some tests turn motion on.
        contextOptions: { reducedMotion: 'reduce' },
      },
    },
    {
      // The headless shell has no autofill.
      name: 'full chromium',
      testMatch: 'autofill.spec.ts',
      use: { browserName: 'chromium', launchOptions: fullChromium },
    },
    {
      name: 'firefox',
      testMatch: ['autofill.spec.ts', 'keyboard.spec.ts', 'chunks.spec.ts'],
      grepInvert: /@chromium/,
      use: { browserName: 'firefox', launchOptions: firefox },
    },
  ],
});
