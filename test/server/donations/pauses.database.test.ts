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

test('a query that began before a pause does not undo it', async () => {
  await using database = await openTestDatabase();
  let releaseRows = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    releaseRows = resolve;
  });
  /** Reads the rows immediately, but returns them late. */
  const slow = {
    ...database,
    db: {
      selectFrom: (table: 'pauses') => ({
        selectAll: () => ({
          where: () => ({
            orderBy: () => ({
              execute: async () => {
                const rows = await database.db
                  .selectFrom(table)
                  .selectAll()
                  .where('resumedAt', 'is', null)
                  .execute();
                await held;
                return rows;
              },
            }),
          }),
        }),
      }),
    },
  } as unknown as typeof database;
  const pauses = new PauseRepository(slow, Date.now);
  const before = pauses.isPaused('a');
  await pauses.pauseOrganization('a', 'Ana', '');
  releaseRows();
  await before;
  assert.equal(await pauses.isPaused('a'), true);
});
