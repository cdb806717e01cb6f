import { defineConfig } from 'playwright/test';
import { chromium } from '../browsers.ts';

/**
 * Every state of the form as an image, in one engine with fonts of our own: the same on every
 * machine. The images are those of docs/gallery.md.
 */
export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results/visual',
  snapshotPathTemplate: '../../docs/gallery/{arg}{ext}',
  updateSnapshots: 'none',
  timeout: 90_000,
  workers: 2,
  // As in the end-to-end tests.
  retries: 1,
  fullyParallel: true,
  forbidOnly: true,
  reporter: 'list',
  expect: {
    toHaveScreenshot: {
      maxDiffPixelRatio: 0.002,
      animations: 'disabled',
      caret: 'hide',
      scale: 'css',
    },
  },
  use: {
    browserName: 'chromium',
    launchOptions: {
      ...chromium,
      args: [
        ...chromium.args!,
        '--font-render-hinting=none',
        '--disable-lcd-text',
        '--force-color-profile=srgb',
      ],
    },
    locale: 'en-US',
    timezoneId: 'UTC',
    viewport: { width: 360, height: 900 },
    deviceScaleFactor: 1,
    contextOptions: { reducedMotion: 'reduce' },
  },
});
