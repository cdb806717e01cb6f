import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from '../../../src/server/database/open-database.ts';
import { recordVersion } from '../../../src/server/database/server-info.ts';
import { runUpgradeChecks } from '../../../src/server/diagnostics/upgrade.ts';
import { readPackageVersion } from '../../../src/server/lib/package-file.ts';
import { configuration } from '../support.ts';
import { createFolder } from '../temporary-folder.ts';
import { createDatabaseUrl } from '../test-database.ts';

test('says what the start of this release would change, also while a server runs', async () => {
  const folder = createFolder();
  const file = join(folder, 'donations.sqlite');
  const environment = await createDatabaseUrl();
  const check = async (): Promise<Record<string, string>> => {
    const results = await runUpgradeChecks({ ...configuration, database: file }, environment);
    return Object.fromEntries(
      results.map(({ name, status, message }) => [name, `${status}: ${message}`]),
    );
  };
  const { version, migrations } = await check();
  assert.match(version!, /^pass: .* The database is new\.$/);
  assert.match(migrations!, /^pass: The server will run 0001-initial, 0002-alerts, /);

  const database = await openDatabase({ file, url: environment.DATABASE_URL });
  const current = readPackageVersion();
  await recordVersion(database, current);
  await database.db
    .deleteFrom('kysely_migration' as never)
    .where('name' as never, '=', '0002-alerts' as never)
    .execute();
  const used = await check();
  assert.equal(
    used.version,
    `pass: This release is ${current}. The database was last opened by ${current}.`,
  );
  assert.equal(used.migrations, 'pass: The server will run 0002-alerts when it starts.');
  assert.match(used.configuration!, /^pass: /);
  assert.match(used['previous release']!, /^pass: The previous release can run at the same time/);

  await recordVersion(database, '99.10.0');
  await database.db
    .insertInto('kysely_migration' as never)
    .values({ name: '9999-later', timestamp: '' })
    .execute();
  assert.match(
    (await check()).version!,
    /^warning: .* a later release, 99\.10\.0, has used the database \(9999-later\)\. Install that release/,
  );
  await database.close();
});

test('fails if the configuration is invalid under this release, or the database cannot be read', async () => {
  const [organization] = configuration.organizations;
  const results = await runUpgradeChecks(
    { ...configuration, organizations: [organization, { ...organization, id: 'other' }] },
    { DATABASE_URL: 'postgres://x:canary@127.0.0.1:1/none' },
  );
  assert.deepEqual(
    results.map(({ name, status }) => [name, status]),
    [
      ['configuration', 'fail'],
      ['database', 'fail'],
    ],
  );
  assert.match(results[0]!.message, /found the ID "main" at/);
  assert.doesNotMatch(JSON.stringify(results), /canary/);
});
