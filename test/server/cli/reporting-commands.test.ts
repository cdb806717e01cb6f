import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { DONOR_FIELDS } from '../../../src/core/donor/donor.ts';
import type { DonationRequest } from '../../../src/core/schemas/donation-request.ts';
import { loadConfiguration, serve } from '../../../src/server/index.ts';
import { findFreePort } from '../loopback.ts';
import { createDatabaseUrl } from '../test-database.ts';
import { createTestEnvironment, KEYS, readDemoOrganization } from '../test-environment.ts';
import { type CommandResult, getCommandThread, runCommand } from './support.ts';

const thread = getCommandThread(KEYS);

/** A server with the example configuration on real sockets, and the built command. */
async function startBuiltServer(platform?: object) {
  const [form] = (await readDemoOrganization()).forms;
  const environment = await createTestEnvironment({
    organization: {
      timeZone: 'Pacific/Auckland',
      forms: [{ ...form, allowComment: true, allowTribute: true, allowUnlistedCustomFields: true }],
      ...(platform && { platform }),
    },
  });
  const { folder, config, sandbox } = environment;
  await environment.writeConfiguration({
    admin: { port: await findFreePort(), key: { env: 'ADMIN_KEY' } },
  });
  const server = await serve({
    configuration: await loadConfiguration(config),
    environment: { ...KEYS, ...(await createDatabaseUrl()) },
  });
  return {
    folder,
    run: (...words: string[]): Promise<CommandResult> => thread.run(...words, '--config', config),
    /** Runs a command in a separate process. */
    runAlone: (...words: string[]): Promise<CommandResult> =>
      runCommand([...words, '--config', config], { env: KEYS }),
    async donate({
      comment,
      tribute,
      ...change
    }: Pick<DonationRequest['gift'], 'comment' | 'tribute'> &
      Partial<Pick<DonationRequest, 'donor' | 'customFields' | 'tracking'>> = {}) {
      const { gift, ...request } = await environment.createRequest(server.url);
      return environment.donate(server.url, {
        request: {
          ...request,
          ...change,
          gift: { ...gift, ...(comment !== undefined && { comment }), ...(tribute && { tribute }) },
        },
      });
    },
    postToSandbox: (path: string, body: object): Promise<Response> =>
      fetch(`${sandbox.url}/sandbox/${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${KEYS.FUNDRAISING_API_KEY}` },
        body: JSON.stringify(body),
      }),
    async [Symbol.asyncDispose]() {
      await server.close();
      await environment[Symbol.asyncDispose]();
    },
  };
}

const formatDay = (time: number): string => new Date(time).toISOString().slice(0, 10);
/** Options for days that include the present in any time zone. */
const PERIOD = [
  '--from',
  formatDay(Date.now() - 172_800_000),
  '--to',
  formatDay(Date.now() + 172_800_000),
];
const readRows = (csv: string): Record<string, string>[] =>
  parse(csv, { columns: true, bom: true });

test('reconcile writes a CSV row for each donation, lists differences, and exits with 1 if there are any', async () => {
  await using server = await startBuiltServer();
  const { reference, response } = await server.donate();
  const file = join(server.folder, 'november.csv');
  const nowhere = join(server.folder, 'none', 'november.csv');
  assert.match(
    (await server.run('reconcile', ...PERIOD, '--output', nowhere)).stderr,
    /^Cannot write .*november\.csv: .* Specify a file in a folder that you can write to\./,
  );
  const clean = await server.run('reconcile', ...PERIOD, '--output', file);
  assert.deepEqual(
    [clean.status, clean.stdout, clean.stderr],
    [0, '1 donation, no differences.\n', ''],
  );
  const written = await readFile(file, 'utf8');
  const [row] = readRows(written);
  assert.partialDeepStrictEqual(row, {
    reference,
    total: '50.00',
    fee: '1.75',
    net: '48.25',
    payment_id: response!.transactionId,
    platform_gift_id: String(response!.giftId),
    time_zone: 'Pacific/Auckland',
    status: 'Approved',
  });
  assert.ok(
    written.startsWith('\ufeff"reference",') &&
      written.includes(',50.00,0.00,50.00,"USD",1.75,48.25,"USD",0.00,'),
    'Excel reads UTF-8, and amounts are numbers',
  );
  await server.postToSandbox(`payments/${response!.transactionId}/refund`, { amount: 1_000 });
  await server.postToSandbox('gifts', { reference, summary: 'again', total: '50.00' });
  const odd = await server.run('reconcile', ...PERIOD);
  assert.deepEqual(
    [odd.status, odd.stdout.replace(/ +/g, ' ').replace(/\d+, \d+/, 'ids')],
    [
      1,
      `In progress (not counted as differences):\n ${reference} a refund of 10.00\ndifference where reference field found expected\nduplicate platform ${reference} donation ids once\n1 donation, 1 difference.\n`,
    ],
  );
  assert.match((await server.run('reconcile', '--apply', ...PERIOD)).stdout, /1 difference\./);
});

test('donations export writes every column that a donor filled in, without formulas, if there is no platform', async () => {
  await using server = await startBuiltServer({ adapter: 'none' });
  const evil = '=1+1 +1 -1 @SUM(A1) \u200b=1 "=1" a";=1 Ana;=cmd ＝1 |calc'.split(' ');
  const outcomes = [];
  for (const text of evil)
    outcomes.push(
      await server.donate({
        donor: { firstName: text, lastName: 'Müller', email: 'ana@example.org' },
        comment: `${text}\n=2;+3`,
        customFields: [
          { id: '=x', value: text },
          { id: 'a.b', value: 'dotted' },
        ],
        tracking: { utmSource: text },
      }),
    );
  assert.deepEqual(
    outcomes.map(({ status, response }) => [status, response?.giftId]),
    evil.map(() => ['succeeded', null]),
  );
  const { stdout, status } = await server.runAlone('donations', 'export', ...PERIOD);
  assert.equal(status, 0);
  const rows = readRows(stdout);
  assert.equal(rows.length, evil.length);
  for (const delimiter of [',', ';', '\t']) {
    const cells: string[][] = parse(stdout, {
      delimiter,
      relax_quotes: true,
      relax_column_count: true,
    });
    assert.deepEqual(
      cells.flat().filter((cell) => /^[\s\p{Cf}"]*[=+\-@|＝]/u.test(cell)),
      [],
      `separated by ${JSON.stringify(delimiter)}`,
    );
  }
  assert.ok(
    rows.every(
      (row) =>
        row['field a.b'] === 'dotted' &&
        row.last_name === 'Müller' &&
        row.total === '50.00' &&
        row.status === 'Approved' &&
        row.platform_gift_id === '',
    ),
  );
  assert.deepEqual(
    new Set(rows.map((row) => row.first_name!.replace(/^'/, ''))).size,
    evil.length,
    'the export contains all of the text',
  );
  assert.ok(stdout.startsWith('"reference",'));
  const file = join(server.folder, 'donations.csv');
  await server.run('donations', 'export', ...PERIOD, '--output', file);
  assert.deepEqual(
    [(await stat(file)).mode & 0o777, (await readFile(file, 'utf8')).slice(1)],
    [0o600, stdout],
  );
  const report = await server.run('reconcile', ...PERIOD);
  assert.deepEqual(
    [report.status, report.stdout],
    [0, `${evil.length} donations, no differences.\n`],
    'compares the payment provider without a platform',
  );
});

/** Characters that some programs read as line breaks: line tabulation, form feed, NEL, LS, and PS. */
const LINE_SEPARATORS = ['\v', '\f', '\u0085', '\u2028', '\u2029'];

test('bar 29: converts the line separators of other programs to line breaks, and exports them', async () => {
  await using server = await startBuiltServer({ adapter: 'none' });
  for (const mark of LINE_SEPARATORS) {
    const text = `For the wells. ${mark}Thank${mark}${mark}you!`;
    const outcome = await server.donate({
      comment: text,
      tribute: { kind: 'memory', name: 'João', message: text },
      customFields: [{ id: 'note', value: text }],
    });
    assert.equal(outcome.status, 'succeeded', JSON.stringify(mark));
  }
  const { stdout, stderr, status } = await server.run('donations', 'export', ...PERIOD);
  assert.deepEqual([status, stderr], [0, '']);
  const expected = 'For the wells.\nThank\n\nyou!';
  assert.deepEqual(
    readRows(stdout).map((row) => [row.comment, row.tribute_message, row['field note']]),
    LINE_SEPARATORS.map(() => [expected, expected, expected]),
  );
});

test("exports text that was saved with another program's line separator", async () => {
  await using server = await startBuiltServer({ adapter: 'none' });
  for (const mark of LINE_SEPARATORS) {
    const { reference } = await server.donate({ comment: 'comment' });
    using database = new DatabaseSync(join(server.folder, 'donations.sqlite'));
    const { payload } = database
      .prepare('SELECT payload FROM donations WHERE reference = ?')
      .get(reference) as { payload: string };
    const text = `a${mark}b`;
    const { gift, donor, ...rest } = JSON.parse(payload) as Pick<DonationRequest, 'gift' | 'donor'>;
    const changed = {
      ...rest,
      gift: { ...gift, comment: text, tribute: { kind: 'memory', name: text, message: text } },
      donor: {
        ...donor,
        ...Object.fromEntries(
          [...DONOR_FIELDS, 'organization']
            .filter((name) => name !== 'email')
            .map((name) => [name, text]),
        ),
      },
    };
    database
      .prepare('UPDATE donations SET payload = ? WHERE reference = ?')
      .run(JSON.stringify(changed), reference);
  }
  const { stdout, stderr, status } = await server.run('donations', 'export', ...PERIOD);
  assert.deepEqual([status, stderr], [0, '']);
  assert.deepEqual(
    readRows(stdout).map((row) => Object.values(row).filter((cell) => /^a\Wb$/u.test(cell))),
    LINE_SEPARATORS.map((mark) => Array.from({ length: 13 }, () => `a${mark}b`)),
  );
});

test('donations export has a column for each of the 100 most used custom fields, and one for the others', async () => {
  await using server = await startBuiltServer();
  for (const gift of [0, 1, 2])
    await server.donate({
      customFields: [
        { id: 'page', value: 'spring' },
        ...Array.from({ length: 39 }, (_, index) => ({
          id: `made up ${gift} ${index}`,
          value: '=1',
        })),
      ],
    });
  const { stdout, stderr, status } = await server.run('donations', 'export', ...PERIOD);
  const rows = readRows(stdout);
  const titles = Object.keys(rows[0]!);
  assert.deepEqual(
    [status, stderr],
    [
      0,
      'These donations have 118 custom fields. The 100 most frequently used fields have their own columns, and the other_fields column contains the other 18.\n',
    ],
  );
  assert.deepEqual(
    [
      titles.filter((title) => title.startsWith('field ')).length,
      rows.map((row) => row['field page']),
    ],
    [100, ['spring', 'spring', 'spring']],
  );
  assert.deepEqual(
    rows
      .flatMap((row) => row.other_fields!.split('; ').filter(Boolean))
      .map((words) => words.replace(/\d+:/, 'N:')),
    Array.from({ length: 18 }, () => 'made up 2 N: =1'),
  );
});

test('donors export, donors delete, and backup call the running server', async () => {
  await using server = await startBuiltServer();
  const { reference } = await server.donate();
  const exported = JSON.parse((await server.run('donors', 'export', 'ANA@example.org')).stdout) as {
    donations: { reference: string; donor: { lastName: string } }[];
  };
  assert.deepEqual(
    exported.donations.map(({ reference: one, donor }) => [one, donor.lastName]),
    [[reference, 'Souza']],
  );
  const copy = join(server.folder, 'copy.sqlite');
  const made = await server.run('backup', copy);
  assert.match(made.stdout, /^.*copy\.sqlite: 1 donation, \d+ bytes, checked\.\n$/);
  assert.match((await server.run('backup', copy)).stderr, /already exists/);
  const deleted = await server.run('donors', 'delete', 'ana@example.org', '--by', 'Mara');
  assert.deepEqual(
    [deleted.status, deleted.stdout],
    [
      0,
      `deleted  ${reference}\nThe payment provider, the platform, and your backups have their own copies of the data. Delete those copies too.\n`,
    ],
  );
  assert.equal(
    (await server.run('donors', 'delete', 'ana@example.org', '--by', 'Mara')).stdout,
    'No donation has this email.\n',
  );
  assert.match(
    (await server.run('donors', 'export', 'nobody')).stderr,
    /email: expected an email address/,
  );
});

test("bar 23: a donor's deletion leaves nothing in the file, its log, and a later backup", async () => {
  await using server = await startBuiltServer({ adapter: 'none' });
  const canary = 'CANARY-of-a-donor';
  for (let index = 0; index < 30; index += 1)
    await server.donate(
      index % 6 === 0
        ? {
            donor: { firstName: canary, lastName: canary, email: 'canary@example.org' },
            comment: `${canary}\n${'x'.repeat(150 * index)}${canary}`.slice(0, 1_000),
            tribute: { kind: 'honor', name: canary, message: canary },
            customFields: [
              { id: 'note', value: `${canary}${'y'.repeat(400 * index)}`.slice(0, 1_000) },
            ],
            tracking: { utmSource: canary },
          }
        : { comment: 'z'.repeat(30 * index) },
    );
  const file = join(server.folder, 'donations.sqlite');
  const reader = new DatabaseSync(file, { readOnly: true });
  const row = reader.prepare('SELECT donor_key FROM donations ORDER BY created_at LIMIT 1').get();
  reader.close();
  const canaries = new RegExp(`${canary}|${String(row!.donor_key)}`, 'g');
  const countCanaries = async (name: string): Promise<number> =>
    (await readFile(name, 'latin1')).match(canaries)?.length ?? 0;
  assert.ok(
    (await countCanaries(file)) + (await countCanaries(`${file}-wal`)) >= 45,
    'it was stored',
  );
  const { stdout } = await server.run('donors', 'delete', 'canary@example.org', '--by', 'Mara');
  assert.equal(stdout.match(/^deleted {2}/gm)?.length, 5);
  const copy = join(server.folder, 'copy.sqlite');
  assert.equal((await server.run('backup', copy)).status, 0);
  assert.deepEqual(
    {
      file: await countCanaries(file),
      log: await countCanaries(`${file}-wal`),
      copy: await countCanaries(copy),
    },
    { file: 0, log: 0, copy: 0 },
  );
});
