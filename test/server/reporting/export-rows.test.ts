import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeCsv } from '../../../src/server/cli/write-csv.ts';
import { DonorRequests } from '../../../src/server/privacy/donor-requests.ts';
import { exportDonations } from '../../../src/server/reporting/export-rows.ts';
import { exampleForm } from '../../example-form.ts';
import { CARDS, openDesk, outcomeOf } from '../support.ts';
import { copies } from './support.ts';

const ALWAYS = { from: 0, to: Number.MAX_SAFE_INTEGER };

test('only gifts that are in the table have columns in it', async () => {
  await using desk = await openDesk({ form: { ...exampleForm, allowUnlistedCustomFields: true } });
  for (const [id, card] of [
    ['spring', CARDS.good],
    ['junk', CARDS.declined],
  ] as const)
    await outcomeOf(
      await desk.post(await desk.request({ card, customFields: [{ id, value: '1' }] })),
    );
  const first = await exportDonations(desk.database.db, 'lanternwell', ALWAYS, 'UTC').next();
  assert.deepEqual(first.value, {
    kind: 'columns',
    customFields: ['spring'],
    omitted: 0,
    consents: [],
  });
});

test('a title of a column is no formula either', async () => {
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

test('while many gifts are read for an export or for one donor, others are served', async () => {
  await using desk = await openDesk();
  await copies(desk, 1_000);
  const { database, log, now } = desk.records;
  const donorRequests = new DonorRequests({ database, log, now });
  const turnsDuring = async (work: () => Promise<unknown>): Promise<number> => {
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    await work();
    isOver = true;
    return turns;
  };
  assert.ok(
    (await turnsDuring(() => exportDonations(database.db, 'lanternwell', ALWAYS, 'UTC').next())) >=
      5,
  );
  assert.ok(
    (await turnsDuring(() => donorRequests.export('lanternwell', 'nobody@example.org'))) >= 5,
  );
  assert.ok(
    (await turnsDuring(() => donorRequests.delete('lanternwell', 'nobody@example.org', 'Mara'))) >=
      5,
  );
});
