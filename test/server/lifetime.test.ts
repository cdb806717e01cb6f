import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfiguration } from '../../src/server/config/load-configuration.ts';
import { createEndpoint } from '../../src/server/create-endpoint.ts';

const KEYS = {
  FUNDRAISING_API_KEY: 'platform',
  PAYMENT_SECRET_KEY: 'secret',
  PAYMENT_WEBHOOK_SECRET: 'webhook-secret',
};
const example = await loadConfiguration('demo/donation-form.config.json');
const NEEDED = 'Where no process stays alive, a scheduled donation-form drain is needed, and ';

test('where no process stays alive, nothing starts unless a drain is scheduled', async () => {
  await assert.rejects(
    createEndpoint({ configuration: { ...example, process: 'ends' }, environment: KEYS }),
    { name: 'ConfigurationError', message: /"process": "ends".*"drain": "scheduled"/ },
  );
  for (const [variable, place] of [
    ['AWS_LAMBDA_FUNCTION_NAME', 'AWS Lambda'],
    ['VERCEL', 'Vercel'],
    ['NETLIFY', 'Netlify'],
    ['FUNCTIONS_WORKER_RUNTIME', 'Azure Functions'],
    ['K_SERVICE', 'Cloud Run'],
  ] as const) {
    await assert.rejects(
      createEndpoint({ configuration: example, environment: { ...KEYS, [variable]: '1' } }),
      ({ message }: Error) =>
        message.startsWith(`${NEEDED}${variable} is set, as it is on ${place}`),
      variable,
    );
  }
});

test('where no process stays alive, nothing starts on an SQLite file', async () => {
  await assert.rejects(
    createEndpoint({
      configuration: { ...example, drain: 'scheduled' },
      environment: { ...KEYS, K_SERVICE: 'give' },
    }),
    {
      name: 'ConfigurationError',
      message: /^Where no process stays alive, an SQLite file is lost or in use.*Set DATABASE_URL/,
    },
  );
});
