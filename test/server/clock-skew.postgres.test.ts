/** Three server processes with one PostgreSQL database, two of them with a wrong clock. */
import assert from 'node:assert/strict';
import { auditDonations, countRows, waitUntilProcessed } from '../load/audit.ts';
import { makeDonations } from '../load/donors.ts';
import { describeMisses } from '../load/figure.ts';
import { fetchForm, openWorld } from '../load/world.ts';
import { testOverPostgres as test } from './test-database.ts';

const SKEW = 90_000;

/** Returns a clock for scaled-clock.ts that differs from the real one. */
const formatClockShift = (milliseconds: number): string => `0,${milliseconds},1`;

test("bar 24: one server's clock is 90 s ahead, one is 90 s behind, the platform takes up to 3 s: no donation is recorded twice, no card is declined", async () => {
  await using world = await openWorld({
    postgres: { url: process.env.TEST_DATABASE_URL! },
    sandbox: { recordingTime: { min: 300, max: 3_000, seed: 53 } },
  });
  const servers = [
    await world.startServer(),
    await world.startServer(undefined, formatClockShift(SKEW)),
    await world.startServer(undefined, formatClockShift(-SKEW)),
  ];
  const completed = await makeDonations({
    urls: servers.map(({ url }) => url),
    form: await fetchForm(servers[0]!.url),
    createPayment: world.createPayment,
    count: 24,
    donors: 12,
  });
  await waitUntilProcessed(world.database, 60_000);
  assert.deepEqual(
    describeMisses(
      await auditDonations(world.database, completed, await world.sandbox.getRecord()),
    ),
    [],
  );
  assert.equal(await countRows(world.database, `donations WHERE status = 'failed'`), 0);
});
