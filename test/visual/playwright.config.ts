import { defineConfig } from 'playwright/test';
import { chromium } from '../browsers.ts';

/**
 * Screenshots of every state of the form, in one engine and with fonts of our own, so that they are
 * the same on every machine.
 */
export default defineConfig({
  testDir: '.',
  // The workspaces' own map csv-parse to declarations.
  tsconfig: '../../tsconfig.json',
  outputDir: '../../test-results/visual',
  snapshotPathTemplate: '{testDir}/baselines/{arg}{ext}',
  updateSnapshots: 'none',
  timeout: 90_000,
  workers: 2,
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
