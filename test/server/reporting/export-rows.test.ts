import assert from 'node:assert/strict';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeCsv } from '../../../src/server/cli/write-csv.ts';
import { deleteDonor, exportDonor } from '../../../src/server/privacy/donor-requests.ts';
import { iterateExportLines } from '../../../src/server/reporting/export-rows.ts';
import { exampleForm } from '../../example-form.ts';
import { CARDS, startServer } from '../support.ts';
import { donateOften } from './support.ts';

const ALL_TIME = { from: 0, to: Number.MAX_SAFE_INTEGER };

test('adds columns only for donations in the table', async () => {
  await using server = await startServer({
    form: { ...exampleForm, allowUnlistedCustomFields: true },
  });
  await server.submitDonation({ customFields: [{ id: 'spring', value: '1' }] });
  const customFields = [{ id: 'junk', value: '1' }];
  await server.submitDonation({ card: CARDS.declined, customFields });
  const first = await iterateExportLines(server.database.db, 'lanternwell', ALL_TIME, 'UTC').next();
  assert.deepEqual(first.value, {
    kind: 'columns',
    customFields: ['spring'],
    omitted: 0,
    consents: [],
  });
});

test('escapes formulas in column titles', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'donation-form-'));
  const file = join(folder.path, 'table.csv');
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
});

test('serves other requests while it reads many donations for an export or one donor', async () => {
  await using server = await startServer();
  await donateOften(server, 1_000);
  const { database } = server;
  // Otherwise, a donor's donations would be found by the index.
  await database.db.updateTable('donations').set({ donorKey: null }).execute();
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
  const donor = 'nobody@example.org';
  for (const work of [
    () => iterateExportLines(database.db, 'lanternwell', ALL_TIME, 'UTC').next(),
    () => exportDonor({ organization: 'lanternwell', email: donor }, server),
    () => deleteDonor({ organization: 'lanternwell', email: donor, by: 'Mara' }, server),
  ])
    assert.ok((await countTurnsDuring(work)) >= 5, String(work));
});
