import assert from 'node:assert/strict';
import { test } from 'node:test';
import { determineRuntimeMode } from '../../../src/server/config/runtime-mode.ts';

const DATABASE_URL = 'postgres://user@127.0.0.1/donations';
const SERVERLESS_PLATFORMS = [
  ['AWS_LAMBDA_FUNCTION_NAME', 'AWS Lambda'],
  ['VERCEL', 'Vercel'],
  ['NETLIFY', 'Netlify'],
  ['FUNCTIONS_WORKER_RUNTIME', 'Azure Functions'],
  ['K_SERVICE', 'Cloud Run or Knative'],
] as const;

test('runs background jobs unless the configuration turns them off', () => {
  assert.deepEqual(determineRuntimeMode({}, {}), {
    hasBackgroundJobs: true,
    serverlessPlatform: undefined,
  });
  assert.equal(determineRuntimeMode({ backgroundJobs: false }, {}).hasBackgroundJobs, false);
});

test('runs no background jobs on a serverless platform unless the configuration turns them on', () => {
  for (const [variable, serverlessPlatform] of SERVERLESS_PLATFORMS) {
    const environment = { DATABASE_URL, [variable]: '1' };
    assert.deepEqual(determineRuntimeMode({}, environment), {
      hasBackgroundJobs: false,
      serverlessPlatform,
    });
    assert.equal(
      determineRuntimeMode({ backgroundJobs: true }, environment).hasBackgroundJobs,
      true,
    );
  }
});

test('refuses SQLite on a serverless platform', () => {
  for (const [variable, serverlessPlatform] of SERVERLESS_PLATFORMS)
    for (const backgroundJobs of [undefined, true, false])
      assert.throws(() => determineRuntimeMode({ backgroundJobs }, { [variable]: '1' }), {
        name: 'ConfigurationError',
        message:
          `${serverlessPlatform}, detected by the ${variable} environment variable, deletes SQLite ` +
          'files when the process stops. Set DATABASE_URL to the URL of a PostgreSQL database.',
      });
});
