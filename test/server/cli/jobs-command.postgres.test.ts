import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import type { Endpoint } from '../../../src/server/endpoint.ts';
import { createDatabaseUrl, testOverPostgres as test } from '../test-database.ts';
import { createTestEnvironment, KEYS, type TestEnvironment } from '../test-environment.ts';
import { isGiftCreation, runJobsInProcess } from './jobs-command-support.ts';

async function startWithoutJobs(environment: TestEnvironment, url: string): Promise<Endpoint> {
  await environment.writeConfiguration({ backgroundJobs: false });
  return environment.createEndpoint({ environment: { ...KEYS, DATABASE_URL: url } });
}

test('records each donation once if two runs overlap', async () => {
  await using environment = await createTestEnvironment();
  const { DATABASE_URL: url } = await createDatabaseUrl();
  const endpoint = await startWithoutJobs(environment, url!);
  const options = await Promise.all(Array.from({ length: 12 }, () => environment.donate(endpoint)));
  assert.deepEqual(
    [
      options.filter(({ status }) => status === 'succeeded').length,
      environment.calls.filter((call) => call === 'POST /sandbox/gifts').length,
    ],
    [12, 0],
  );
  const ended = await Promise.all(
    [1, 2].map(() => runJobsInProcess(environment, { environment: { DATABASE_URL: url } })),
  );
  await endpoint.close();
  assert.deepEqual(
    ended.map(({ status }) => status),
    [0, 0],
    ended.map(({ stderr }) => stderr).join(''),
  );
  assert.deepEqual(
    (await environment.listRecordedReferences()).sort(),
    options.map(({ reference }) => reference).sort(),
  );
  assert.equal(environment.calls.filter((call) => call === 'POST /sandbox/gifts').length, 12);
});

test('finishes the job in progress on SIGTERM, and exits with 0', async () => {
  let child: ChildProcess | undefined;
  await using environment = await createTestEnvironment({
    intercept: async (request, next) => {
      if (isGiftCreation(request)) child?.kill('SIGTERM');
      return next(request);
    },
  });
  const { DATABASE_URL: url } = await createDatabaseUrl();
  const endpoint = await startWithoutJobs(environment, url!);
  for (let gift = 0; gift < 4; gift += 1) await environment.donate(endpoint);
  await endpoint.close();
  const { status, stdout } = await runJobsInProcess(environment, {
    environment: { DATABASE_URL: url },
    onStart: (started) => {
      child = started;
    },
  });
  const sentUpdates = (await environment.listRecordedReferences()).length;
  assert.ok(
    status === 0 &&
      sentUpdates > 0 &&
      sentUpdates < 4 &&
      stdout.includes(`Sent ${sentUpdates} update`),
    `${status} ${sentUpdates} ${stdout}`,
  );
});
