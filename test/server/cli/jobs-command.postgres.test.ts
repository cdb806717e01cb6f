import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { loadConfiguration } from '../../../src/server/config/load-configuration.ts';
import { createEndpoint, type Endpoint } from '../../../src/server/create-endpoint.ts';
import { ADDRESS, isRecording, runJobs, throughEndpoint } from './jobs-command-support.ts';
import { KEYS, LOG, openSite, type Site } from '../test-site.ts';
import { databaseUrl, testOverPostgres as test } from '../test-database.ts';

/** An endpoint without background jobs. */
async function openWithoutJobs(site: Site, url: string): Promise<Endpoint> {
  await site.configure({ backgroundJobs: false });
  return createEndpoint({
    configuration: await loadConfiguration(site.config),
    environment: { ...KEYS, DATABASE_URL: url },
    log: LOG,
  });
}

test('records each donation once if two runs overlap', async () => {
  await using site = await openSite();
  const { DATABASE_URL: url } = await databaseUrl();
  const endpoint = await openWithoutJobs(site, url!);
  const given = await Promise.all(
    Array.from({ length: 12 }, () => site.give(ADDRESS, { by: throughEndpoint(endpoint) })),
  );
  assert.deepEqual(
    [
      given.filter(({ status }) => status === 'succeeded').length,
      site.calls.filter((call) => call === 'POST /sandbox/gifts').length,
    ],
    [12, 0],
  );
  const ended = await Promise.all(
    [1, 2].map(() => runJobs(site, { environment: { DATABASE_URL: url } })),
  );
  await endpoint.close();
  assert.deepEqual(
    ended.map(({ status }) => status),
    [0, 0],
    ended.map(({ stderr }) => stderr).join(''),
  );
  assert.deepEqual((await site.recorded()).sort(), given.map(({ reference }) => reference).sort());
  assert.equal(site.calls.filter((call) => call === 'POST /sandbox/gifts').length, 12);
});

test('finishes the job in progress on SIGTERM, and exits with 0', async () => {
  let child: ChildProcess | undefined;
  await using site = await openSite({
    between: async (request, next) => {
      if (isRecording(request)) child?.kill('SIGTERM');
      return next(request);
    },
  });
  const { DATABASE_URL: url } = await databaseUrl();
  const endpoint = await openWithoutJobs(site, url!);
  for (let gift = 0; gift < 4; gift += 1)
    await site.give(ADDRESS, { by: throughEndpoint(endpoint) });
  await endpoint.close();
  const { status, stdout } = await runJobs(site, {
    environment: { DATABASE_URL: url },
    onStart: (started) => {
      child = started;
    },
  });
  const told = (await site.recorded()).length;
  assert.ok(
    status === 0 && told > 0 && told < 4 && stdout.includes(`Sent ${told} update`),
    `${status} ${told} ${stdout}`,
  );
});
