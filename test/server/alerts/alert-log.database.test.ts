import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AlertLog, type ClaimedMessage } from '../../../src/server/alerts/alert-log.ts';
import { openTestDatabase } from '../test-database.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test('claims a message once for all servers, and at most once an hour', async () => {
  let time = 1_000 * HOUR;
  await using database = await openTestDatabase(undefined, () => time);
  const [first, second] = [new AlertLog(database), new AlertLog(database)];
  const claim = async (count: number): Promise<ClaimedMessage[]> => {
    const claimed = await Promise.all(
      [first, second, first, second].map((server) =>
        server.recordProblem('DonationFormNeedsReview', { organization: 'a', count }, 0),
      ),
    );
    return claimed.filter((message) => message !== undefined);
  };
  const [message, ...others] = await claim(1);
  assert.deepEqual(others, []);
  assert.deepEqual([message?.kind, message?.beganAt], ['raised', time]);
  await first.markSent(message!);
  time += HOUR - 1;
  assert.deepEqual(await claim(9), [], 'not yet an hour');
  time += 1;
  assert.deepEqual(await claim(1), [], 'nothing new');
  const [more] = await claim(2);
  assert.equal(more?.count, 2, 'more are affected');
  await second.markSent(more);
  time += 23 * HOUR;
  assert.deepEqual(await claim(2), []);
  time += HOUR;
  assert.equal((await claim(2)).length, 1, 'a reminder once a day');
  const other = await first.recordProblem('DonationFormNeedsReview', { organization: 'b' }, 0);
  assert.equal(other?.organization, 'b', 'each organization has its own messages');
});

test('waits as long as the rule says, also over a restart, and reports the end once', async () => {
  let time = 1_000 * HOUR;
  await using database = await openTestDatabase(undefined, () => time);
  const record = (): Promise<ClaimedMessage | undefined> =>
    new AlertLog(database).recordProblem('DonationFormManualEntries', {}, 15 * MINUTE);
  const end = async (): Promise<string[]> => {
    const ended = await Promise.all([1, 2].map(() => new AlertLog(database).endProblems()));
    return ended.flat().map(({ kind }) => kind);
  };
  assert.equal(await record(), undefined);
  time += 14 * MINUTE;
  assert.equal(await record(), undefined);
  time += MINUTE;
  await new AlertLog(database).markSent((await record())!);
  time += 5 * MINUTE;
  assert.deepEqual(await end(), [], 'another server may find it');
  time += 1;
  assert.deepEqual(await end(), ['resolved']);
  await record();
  time += 15 * MINUTE;
  assert.equal(await record(), undefined, 'not twice in an hour');
  time += 5 * MINUTE + 1;
  assert.deepEqual(await end(), [], 'nobody was told that it began again');
});

test('repeats a message that was certainly not sent, and others after an hour', async () => {
  let time = 1_000 * HOUR;
  await using database = await openTestDatabase(undefined, () => time);
  const log = new AlertLog(database);
  const claim = (): Promise<ClaimedMessage | undefined> =>
    log.recordProblem('DonationFormErrors', {}, 0);
  await log.release((await claim())!);
  assert.ok(await claim(), 'released');
  assert.equal(await claim(), undefined, 'the server may have stopped after it sent the message');
  time += HOUR;
  assert.ok(await claim());
});
