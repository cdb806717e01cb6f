import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { FormDefinition } from '../../../src/core/schemas/form-definition.ts';
import { createEndpoint, createLogger, loadConfiguration } from '../../../src/server/index.ts';
import { createDonationRequest } from '../../load/donors.ts';
import { ORIGIN } from '../../load/world.ts';
import { createIdempotencyKey } from '../support.ts';

test('requires a proof of work above the configured number of concurrent charges', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const config = join(folder, 'donation-form.config.json');
  const {
    organizations: [example],
  } = JSON.parse(await readFile('demo/donation-form.config.json', 'utf8')) as {
    organizations: [{ payments: { provider: string }[] }];
  };
  const payments = example.payments.filter(({ provider }) => provider === 'offline');
  await writeFile(
    config,
    JSON.stringify({
      listen: { host: '127.0.0.1', port: 0, maxConcurrentCharges: 2 },
      database: 'donations.sqlite',
      organizations: [{ ...example, payments, platform: { adapter: 'none' }, goals: [] }],
    }),
  );
  const endpoint = await createEndpoint({
    configuration: await loadConfiguration(config),
    environment: {},
    log: createLogger('silent'),
  });
  try {
    const response = await endpoint.fetch(new Request('https://give.example/form'));
    const form = {
      etag: response.headers.get('ETag')!,
      definition: (await response.json()) as FormDefinition,
    };
    const responses = await Promise.all(
      [1, 2, 3].map(async (number) =>
        endpoint.fetch(
          new Request('https://give.example/donations', {
            method: 'POST',
            headers: {
              Origin: ORIGIN,
              'Content-Type': 'application/json',
              'Idempotency-Key': createIdempotencyKey(),
            },
            body: JSON.stringify(createDonationRequest(number, form, { provider: 'offline' })),
          }),
        ),
      ),
    );
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [202, 202, 403]);
  } finally {
    await endpoint.close();
    await rm(folder, { recursive: true });
  }
});
