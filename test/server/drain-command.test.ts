import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfiguration } from '../../src/server/config/load-configuration.ts';
import { createEndpoint } from '../../src/server/create-endpoint.ts';
import { ADDRESS, drain, isRecording, throughEndpoint } from './drain-command-support.ts';
import { KEYS, LOG, openSite } from './site.ts';

test(
  'drain tells the platform what a server on an SQLite file left, and says what it did',
  { timeout: 60_000 },
  async () => {
    let isDown = true;
    await using site = await openSite({
      between: async (request, next) =>
        isDown && isRecording(request)
          ? new Response(null, {
              status: 429,
              headers: { 'X-RateLimit-Reset': String(Math.ceil(Date.now() / 1_000) + 1_800) },
            })
          : next(request),
    });
    const endpoint = await createEndpoint({
      configuration: await loadConfiguration(site.config),
      environment: KEYS,
      log: LOG,
    });
    const { reference } = await site.give(ADDRESS, { by: throughEndpoint(endpoint) });
    const beside = await drain(site);
    assert.deepEqual(
      [
        beside.status,
        beside.stderr.includes(
          `${site.folder}/donations.sqlite: another server uses this store, and works off what is due by itself; end it first, or name another file.`,
        ),
      ],
      [1, true],
      beside.stderr,
    );
    await endpoint.close();
    const down = await drain(site);
    assert.deepEqual(
      [
        down.status,
        new RegExp(
          'The platform was told 0 things, and the processor was asked of 0 payments\\. ' +
            'Left: 1 to tell, 0 payments under way; the next is due at [-\\d]+ [\\d:]+ UTC\\.\n$',
        ).test(down.stdout),
      ],
      [0, true],
      down.stdout + down.stderr,
    );
    isDown = false;
    // The platform is left alone until its hour is over.
    const up = await drain(site, { clock: { ahead: 3_600_000 } });
    assert.deepEqual(
      [
        up.status,
        up.stderr,
        up.stdout.endsWith(
          'The platform was told 1 thing, and the processor was asked of 0 payments. Nothing is left.\n',
        ),
      ],
      [0, '', true],
      up.stdout,
    );
    assert.deepEqual(await site.recorded(), [reference]);
    assert.deepEqual(await drain(site, { words: ['--seconds', 'soon'] }), {
      status: 1,
      stdout: '',
      stderr: "--seconds is 'soon'; expected a number from 1 to 9999.\n",
    });
  },
);
