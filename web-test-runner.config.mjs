import { fileURLToPath } from 'node:url';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { defaultReporter } from '@web/test-runner';
import { playwrightLauncher } from '@web/test-runner-playwright';
import { chromium, firefox } from './test/browsers.ts';
import { sumReporter } from './test/sum-reporter.ts';
import { WebKitLauncher } from './test/webkit-launcher.ts';

/** Component tests: the element's sources in three real browsers. */
export default {
  files: 'test/element/**/*.test.ts',
  hostname: '127.0.0.1',
  nodeResolve: { exportConditions: ['production', 'default'] },
  plugins: [esbuildPlugin({ ts: true, target: 'es2022', tsconfig: fileURLToPath(new URL('tsconfig.json', import.meta.url)) })],
  browsers: [
    playwrightLauncher({ product: 'chromium', launchOptions: chromium }),
    playwrightLauncher({ product: 'firefox', launchOptions: firefox }),
    new WebKitLauncher(),
  ],
  concurrentBrowsers: 3,
  concurrency: 1,
  browserStartTimeout: 120_000,
  testFramework: { config: { timeout: 10_000 } },
  reporters: [defaultReporter({ reportTestResults: true, reportTestProgress: true }), sumReporter],
};
