import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfiguration } from '../../../src/server/config/load-configuration.ts';
import { type RunningServer, serve } from '../../../src/server/serve.ts';
import { waitUntil } from '../../wait-until.ts';
import { findFreePort } from '../loopback.ts';
import { createTestEnvironment, KEYS, LOG, type TestEnvironment } from '../test-environment.ts';
import { isGiftCreation, runJobs, runJobsInProcess } from './jobs-command-support.ts';

async function startServer(environment: TestEnvironment, change = {}): Promise<RunningServer> {
  await environment.writeConfiguration({
    admin: { port: await findFreePort(), key: { env: 'ADMIN_KEY' } },
    ...change,
  });
  const configuration = await loadConfiguration(environment.config);
  return serve({ configuration, environment: KEYS, log: LOG });
}

test(
  'runs the jobs that a stopped server left, and prints how many remain',
  { timeout: 60_000 },
  async () => {
    let isDown = true;
    await using environment = await createTestEnvironment({
      intercept: async (request, next) =>
        isDown && isGiftCreation(request)
          ? new Response(null, {
              status: 429,
              headers: { 'X-RateLimit-Reset': String(Math.ceil(Date.now() / 1_000) + 1_800) },
            })
          : next(request),
    });
    const endpoint = await environment.createEndpoint();
    const { reference } = await environment.donate(endpoint);
    await endpoint.close();
    const down = await runJobs(environment);
    assert.equal(down.status, 0, down.stderr);
    assert.match(
      down.stdout,
      new RegExp(
        'Sent 0 updates to the platform and checked 0 payments\\. ' +
          'Pending: 1 update, 0 payments in progress\\. The next job is due at [-\\d]+ [\\d:]+ UTC\\.\\n$',
      ),
    );
    isDown = false;
    // The platform asked us to back off for half an hour.
    const up = await runJobsInProcess(environment, { clock: { ahead: 3_600_000 } });
    assert.deepEqual([up.status, up.stderr], [0, '']);
    assert.match(
      up.stdout,
      /Sent 1 update to the platform and checked 0 payments\. No jobs are pending\.\n$/,
    );
    assert.deepEqual(await environment.listRecordedReferences(), [reference]);
    assert.deepEqual(await runJobs(environment, '--timeout', 'soon'), {
      status: 1,
      stdout: '',
      stderr:
        "Invalid value 'soon' for --timeout. Expected a whole number from 1 to 9999. Run " +
        'donation-form jobs run --help.\n',
    });
  },
);

test('asks the running server that has the SQLite file open to run the jobs', async () => {
  await using environment = await createTestEnvironment();
  const server = await startServer(environment, { backgroundJobs: false });
  try {
    const { reference } = await environment.donate(server.url);
    const { status, stdout, stderr } = await runJobs(environment);
    assert.deepEqual(
      [status, stdout, stderr],
      [0, 'Sent 1 update to the platform and checked 0 payments. No jobs are pending.\n', ''],
    );
    assert.deepEqual(await environment.listRecordedReferences(), [reference]);
    const { status: refused } = await runJobsInProcess(environment, {
      environment: { ADMIN_KEY: 'x'.repeat(20) },
    });
    assert.equal(refused, 1);
  } finally {
    await server.close();
  }
});

test('works alongside a server whose background jobs keep running', async () => {
  await using environment = await createTestEnvironment();
  const server = await startServer(environment);
  try {
    const { status } = await runJobs(environment);
    assert.equal(status, 0);
    const { reference } = await environment.donate(server.url);
    await waitUntil(async () => (await environment.listRecordedReferences()).includes(reference));
  } finally {
    await server.close();
  }
});

test('fails if another process has the SQLite file open and no server responds', async () => {
  await using environment = await createTestEnvironment();
  const endpoint = await environment.createEndpoint();
  const { status, stderr } = await runJobs(environment);
  await endpoint.close();
  assert.equal(status, 1);
  assert.match(
    stderr,
    /donations\.sqlite is in use by another process\. .* this command cannot call/,
  );
  assert.match(
    stderr,
    /it\. This command requires an admin listener, but .* does not configure one/,
  );
});
