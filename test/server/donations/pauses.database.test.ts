import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PauseRepository } from '../../../src/server/donations/pause-repository.ts';
import { openTestDatabase } from '../test-database.ts';

test('saves one of several concurrent pauses, and reports only that one as new', async () => {
  await using first = await openTestDatabase();
  const repositories = Array.from({ length: 10 }, () => new PauseRepository(first, Date.now));
  const results = await Promise.all(
    repositories.map((pauses, index) => pauses.pauseOrganization('a', `admin ${index}`, '')),
  );
  assert.deepEqual(
    [results.filter(Boolean).length, (await repositories[0]!.listActive()).length],
    [1, 1],
  );
  assert.equal(await repositories[0]!.resumeOrganization('a', 'Bo', ''), true);
  assert.equal(
    await repositories[1]!.pauseOrganization('a', 'Ana', ''),
    true,
    'after the organization was resumed',
  );
});

test('applies a pause on a second server within 5 seconds, through the database alone', async () => {
  let time = 1_000_000;
  await using database = await openTestDatabase();
  const here = new PauseRepository(database, () => time);
  const there = new PauseRepository(database, () => time);
  assert.equal(await there.isPaused('a'), false);
  assert.equal(await here.pauseOrganization('a', 'Ana', ''), true);
  assert.equal(await here.isPaused('a'), true, 'at once on the server that was called');
  time += 5_000;
  assert.deepEqual([await there.isPaused('a'), await there.isPaused('b')], [true, false]);
  assert.deepEqual(
    [
      await there.resumeOrganization('a', 'Bo', 'they are gone'),
      await there.resumeOrganization('a', 'Bo', ''),
    ],
    [true, false],
  );
  time += 5_000;
  assert.equal(await here.isPaused('a'), false);
  const [saved] = await database.db.selectFrom('pauses').selectAll().execute();
  assert.deepEqual(
    [saved?.pausedBy, saved?.resumedBy, saved?.resumeNote],
    ['Ana', 'Bo', 'they are gone'],
  );
});

test('a query that began before a pause does not undo it', async () => {
  await using database = await openTestDatabase();
  const pauses = new PauseRepository(database, Date.now);
  const held = Promise.withResolvers<undefined>();
  const listActive = pauses.listActive.bind(pauses);
  pauses.listActive = async () => {
    const rows = await listActive();
    await held.promise;
    return rows;
  };
  const before = pauses.isPaused('a');
  await pauses.pauseOrganization('a', 'Ana', '');
  held.resolve(undefined);
  await before;
  assert.equal(await pauses.isPaused('a'), true);
});
