import { defineConfig } from 'playwright/test';
import visual from '../playwright.config.ts';

/** Takes the pictures for `npm run review-translation`. */
export default defineConfig(visual, {
  testDir: '.',
  projects: [{ name: 'screens', testMatch: 'screens.ts' }],
  tsconfig: '../../../tsconfig.json',
  outputDir: '../../../test-results/review',
  reporter: 'dot',
});
