import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  LastAdministratorError,
  StaffRepository,
} from '../../../src/server/staff/staff-repository.ts';
import { openTestDatabase, testOverPostgres } from '../test-database.ts';
import { addPerson } from './support.ts';

testOverPostgres('two servers cannot remove the last two administrators', async () => {
  const file = randomUUID();
  await using first = await openTestDatabase(file);
  await using second = await openTestDatabase(file);
  const servers = [new StaffRepository(first), new StaffRepository(second)] as const;
  for (let round = 0; round < 10; round += 1) {
    const people = [
      await addPerson({ staff: servers[0] }, `Ana${round}`),
      await addPerson({ staff: servers[0] }, `Ben${round}`),
    ];
    // The administrators of earlier rounds would make the new ones dispensable.
    for (const { id } of await servers[0].listPeople())
      if (!people.some((person) => person.id === id)) await servers[0].removePerson(id);
    const results = await Promise.allSettled([
      servers[0].removePerson(people[0]!.id),
      servers[1].setRoles(people[1]!.id, { organization: '*', roles: ['finance'] }),
    ]);
    const errors = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as Error] : [],
    );
    assert.deepEqual(
      errors.map((error) => error instanceof LastAdministratorError),
      [true],
    );
  }
});
