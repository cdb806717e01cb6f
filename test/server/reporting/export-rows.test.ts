import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeCsv } from '../../../src/server/cli/write-csv.ts';
import { DonorRequests } from '../../../src/server/privacy/donor-requests.ts';
import { iterateExportLines } from '../../../src/server/reporting/export-rows.ts';
import { exampleForm } from '../../example-form.ts';
import { CARDS, startServer, readOutcome } from '../support.ts';
import { insertCopies } from './support.ts';

const ALL_TIME = { from: 0, to: Number.MAX_SAFE_INTEGER };

test('adds columns only for donations in the table', async () => {
  await using server = await startServer({
    form: { ...exampleForm, allowUnlistedCustomFields: true },
  });
  for (const [id, card] of [
    ['spring', CARDS.good],
    ['junk', CARDS.declined],
  ] as const)
    await readOutcome(
      await server.postDonation(
        await server.createRequest({ card, customFields: [{ id, value: '1' }] }),
      ),
    );
  const first = await iterateExportLines(server.database.db, 'lanternwell', ALL_TIME, 'UTC').next();
  assert.deepEqual(first.value, {
    kind: 'columns',
    customFields: ['spring'],
    omitted: 0,
    consents: [],
  });
});

test('escapes formulas in column titles', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const file = join(folder, 'table.csv');
  await writeCsv(
    (async function* rows() {
      yield { total: '1.00' };
    })(),
    file,
    { columns: ['total', 'field x;=1', '\u200b@x'], numberColumns: ['total'] },
  );
  assert.equal(
    await readFile(file, 'utf8'),
    '\ufeff"total","field x;\'=1","\'\u200b@x"\r\n1.00,"",""\r\n',
  );
  await rm(folder, { recursive: true });
});

test('serves other requests while it reads many donations for an export or one donor', async () => {
  await using server = await startServer();
  await insertCopies(server, 1_000);
  const { database, log, now } = server;
  const donorRequests = new DonorRequests({ database, log, now });
  const countTurnsDuring = async (work: () => Promise<unknown>): Promise<number> => {
    let turns = 0;
    let isOver = false;
    const countTurn = (): void => {
      turns += 1;
      if (!isOver) setImmediate(countTurn);
    };
    setImmediate(countTurn);
    await work();
    isOver = true;
    return turns;
  };
  assert.ok(
    (await countTurnsDuring(() =>
      iterateExportLines(database.db, 'lanternwell', ALL_TIME, 'UTC').next(),
    )) >= 5,
  );
  assert.ok(
    (await countTurnsDuring(() =>
      donorRequests.exportDonor('lanternwell', 'nobody@example.org'),
    )) >= 5,
  );
  assert.ok(
    (await countTurnsDuring(() =>
      donorRequests.deleteDonor('lanternwell', 'nobody@example.org', 'Mara'),
    )) >= 5,
  );
});
