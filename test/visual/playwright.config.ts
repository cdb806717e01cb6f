import { defineConfig } from 'playwright/test';
import { chromium } from '../browsers.ts';

/**
 * Takes screenshots of every state of the form in one browser, with pinned fonts, so that they are
 * identical on every machine.
 */
export default defineConfig({
  testDir: '.',
  // The workspaces' own tsconfig files map csv-parse to type declarations.
  tsconfig: '../../tsconfig.json',
  outputDir: '../../test-results/visual',
  snapshotPathTemplate: '{testDir}/baselines/{arg}{ext}',
  projects: [
    { name: 'states', testMatch: 'gallery.spec.ts' },
    { name: 'lengths', testMatch: 'lengths.spec.ts' },
    {
      name: 'mails',
      testMatch: 'mails.spec.ts',
      snapshotPathTemplate: '{testDir}/mails/{arg}{ext}',
    },
    {
      name: 'parts',
      testMatch: 'parts.spec.ts',
      snapshotPathTemplate: '{testDir}/../../docs/reference/pictures/{arg}{ext}',
    },
  ],
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
    reuseContext: true,
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
