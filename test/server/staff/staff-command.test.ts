import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addStaff, createSetupLink, listStaff } from '../../../src/server/cli/staff-database.ts';
import { checkAdmin, fetchReadiness } from '../../../src/server/diagnostics/admin.ts';
import { loadConfiguration, serve } from '../../../src/server/index.ts';
import { findFreePort } from '../loopback.ts';
import { createTestEnvironment, KEYS } from '../test-environment.ts';

const MARIA = { email: 'Maria@example.org', name: 'Maria Silva', by: 'root' };

test('lets people in while the server runs, and prints links for setup only before that', async () => {
  await using environment = await createTestEnvironment();
  const { config } = environment;
  const port = await findFreePort();
  await environment.writeConfiguration({ admin: { port, key: { env: 'ADMIN_KEY' } } });
  await assert.rejects(listStaff(config), /Start the server once/);
  const server = await serve({ configuration: await loadConfiguration(config), environment: KEYS });
  try {
    const callApi = () =>
      fetch(`http://127.0.0.1:${port}/api/organizations`, {
        headers: { Authorization: `Bearer ${KEYS.ADMIN_KEY}` },
      });
    assert.equal((await callApi()).status, 200);
    const url = `^http://127\\.0\\.0\\.1:${port}`;
    assert.match(await createSetupLink(config, 'root'), new RegExp(`${url}/setup/[\\w-]{43}$`));
    await assert.rejects(
      addStaff(config, { ...MARIA, role: 'finance' }),
      /first person must be administrator/,
    );
    const added = await addStaff(config, { ...MARIA, role: 'administrator' });
    assert.deepEqual([added.isFirst, added.isNew], [true, true]);
    assert.match(added.link, new RegExp(`${url}/invitation/[\\w-]{43}$`));
    assert.equal((await callApi()).status, 403);
    const { admin } = await loadConfiguration(config);
    const [check] = await checkAdmin(
      admin,
      { key: KEYS.ADMIN_KEY, provider: undefined },
      await fetchReadiness(admin),
    );
    assert.match(
      `${check!.status}: ${check!.message}`,
      /^pass: .*an API token in DONATION_FORM_TOKEN/,
    );
    await assert.rejects(createSetupLink(config, 'root'), /donation-form staff add/);
    const found = await addStaff(config, {
      ...MARIA,
      role: 'finance',
      organization: 'lanternwell',
    });
    assert.deepEqual(
      [found.isFirst, found.isNew, found.link === added.link],
      [false, false, false],
    );
    assert.deepEqual(
      (await listStaff(config)).map(({ email, memberships }) => [email, memberships]),
      [
        [
          'maria@example.org',
          [
            { organization: '*', roles: ['administrator'] },
            { organization: 'lanternwell', roles: ['finance'] },
          ],
        ],
      ],
    );
  } finally {
    await server.close();
  }
});

test('names what is wrong with a new person', async () => {
  await using environment = await createTestEnvironment();
  const { config } = environment;
  await environment.writeConfiguration({
    admin: { port: await findFreePort(), key: { env: 'ADMIN_KEY' } },
  });
  const configuration = await loadConfiguration(config);
  await (await serve({ configuration, environment: KEYS })).close();
  for (const [changes, problem] of [
    [{ email: 'maria' }, /--email: .*expected an email/],
    [{ name: 'Win at evil.example' }, /--name: .*expected a name without contact details/],
    [{ name: ' ' }, /--name: .*expected a name/],
    [{ organization: 'other' }, /Unknown organization 'other'; expected one of lanternwell/],
  ] as const)
    await assert.rejects(
      addStaff(config, { ...MARIA, role: 'administrator', ...changes }),
      problem,
    );
});
