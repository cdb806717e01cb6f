import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import type { DonationRequest } from '../../../src/core/schemas/donation-request.ts';
import type { FormDefinition } from '../../../src/core/schemas/form-definition.ts';
import type { Outcome } from '../../../src/core/schemas/donation-outcome.ts';
import { createSandbox } from '../../../src/sandbox/index.ts';
import { loadConfiguration, serve } from '../../../src/server/index.ts';
import { listen } from '../../../src/server/http/listen.ts';
import { CommandThread, runCommand, type Ended } from '../command-support.ts';
import { databaseUrl } from '../store.ts';
import { newKey } from '../support.ts';

const HERE = { host: '127.0.0.1', port: 0 } as const;
const ORIGIN = 'http://127.0.0.1:4100';
const KEYS = {
  FUNDRAISING_API_KEY: 'platform',
  PAYMENT_SECRET_KEY: 'secret',
  PAYMENT_WEBHOOK_SECRET: 'webhook-secret',
  OPERATOR_KEY: 'canary-operator-key',
};

const thread = new CommandThread(KEYS);

/** A server of the example's configuration on real sockets, and the built command beside it. */
async function openServer(recorder?: object) {
  const folder = await mkdtemp(join(tmpdir(), 'donation-form-'));
  const config = join(folder, 'donation-form.config.json');
  const emulated = createSandbox({
    platformKey: KEYS.FUNDRAISING_API_KEY,
    secretKey: KEYS.PAYMENT_SECRET_KEY,
  });
  const sandbox = await listen(emulated.fetch, HERE);
  const free = await listen(() => new Response(), HERE);
  await free.close();
  const {
    organizations: [organization],
  } = JSON.parse(await readFile('demo/donation-form.config.json', 'utf8')) as {
    organizations: [{ payments: [object]; recorder: object; forms: [object] }];
  };
  const [form] = organization.forms;
  await writeFile(
    config,
    JSON.stringify({
      listen: HERE,
      store: 'donations.sqlite',
      operator: { port: Number(new URL(free.address).port), key: { env: 'OPERATOR_KEY' } },
      organizations: [
        {
          ...organization,
          timeZone: 'Pacific/Auckland',
          forms: [{ ...form, allowComment: true, allowUnlistedCustomFields: true }],
          payments: [{ ...organization.payments[0], baseUrl: `${sandbox.address}/processor` }],
          recorder: recorder ?? { ...organization.recorder, baseUrl: sandbox.address },
        },
      ],
    }),
  );
  const server = await serve({
    configuration: await loadConfiguration(config),
    environment: { ...KEYS, ...(await databaseUrl()) },
  });
  return {
    folder,
    sandbox,
    address: server.address,
    /** Runs a command for what it says. */
    run: (...words: string[]): Promise<Ended> => thread.run(...words, '--config', config),
    /** Runs a command as a process of its own, which each has to be once. */
    runAlone: (...words: string[]): Promise<Ended> =>
      runCommand([...words, '--config', config], { env: KEYS }),
    async give(
      change: {
        readonly donor?: DonationRequest['donor'];
        readonly comment?: string;
        readonly customFields?: DonationRequest['customFields'];
        readonly tracking?: DonationRequest['tracking'];
      } = {},
    ): Promise<Outcome> {
      const definition = await fetch(`${server.address}/form`);
      const { id, projects } = (await definition.json()) as FormDefinition;
      const { token } = (await (
        await fetch(`${sandbox.address}/processor/tokens`, {
          method: 'POST',
          body: JSON.stringify({
            publicKey: 'pk_sandbox',
            number: '4242424242424242',
            expiry: '1230',
            cvc: '123',
          }),
        })
      ).json()) as { token: string };
      const {
        comment,
        donor = { firstName: 'Ana', lastName: 'Souza', email: 'ana@example.org' },
        ...rest
      } = change;
      const body = {
        version: 1,
        definition: definition.headers.get('ETag')!,
        donor,
        ...rest,
        gift: {
          amount: 5_000,
          currency: 'USD',
          frequency: 'once',
          coverCosts: false,
          costs: 0,
          total: 5_000,
          projects: [{ id: projects[0].id, amount: 5_000 }],
          ...(comment !== undefined && { comment }),
        },
        payment: { provider: 'sandbox', method: 0, token },
        form: { id, page: `${ORIGIN}/`, language: 'en' },
      } satisfies DonationRequest;
      const response = await fetch(`${server.address}/donations`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Idempotency-Key': newKey(),
          Origin: ORIGIN,
        },
        body: JSON.stringify(body),
      });
      return (await response.json()) as Outcome;
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      await sandbox.close();
      emulated.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Days that have a gift of this moment in them, in any time zone. */
const days = (): string[] => [
  '--from',
  new Date(Date.now() - 172_800_000).toISOString().slice(0, 10),
  '--to',
  new Date(Date.now() + 172_800_000).toISOString().slice(0, 10),
];
const rowsOf = (csv: string): Record<string, string>[] => parse(csv, { columns: true, bom: true });

test('reconcile says that there is no difference and writes a row a gift; with one, it lists it and exits with 1', async () => {
  await using server = await openServer();
  const { reference, response } = await server.give();
  const file = join(server.folder, 'november.csv');
  const nowhere = join(server.folder, 'none', 'november.csv');
  assert.match(
    (await server.run('reconcile', ...days(), '--csv', nowhere)).stderr,
    /november\.csv: the table could not be written there: .*Name a file in a folder that you may write to\./,
  );
  const clean = await server.runAlone('reconcile', ...days(), '--csv', file);
  assert.deepEqual([clean.status, clean.stdout, clean.stderr], [0, '1 gift, no difference.\n', '']);
  const written = await readFile(file, 'utf8');
  const [row] = rowsOf(written);
  assert.deepEqual(
    [
      row!.reference,
      row!.total,
      row!.fee,
      row!.net,
      row!.payment_id,
      row!.platform_gift_id,
      row!.time_zone,
      row!.status,
    ],
    [
      reference,
      '50.00',
      '1.75',
      '48.25',
      response!.transactionId,
      String(response!.giftId),
      'Pacific/Auckland',
      'Approved',
    ],
  );
  assert.ok(
    written.startsWith('\ufeff"reference",') &&
      written.includes(',50.00,0.00,50.00,"USD",1.75,48.25,"USD",0.00,'),
    'Excel reads UTF-8, and amounts are numbers',
  );
  await fetch(`${server.sandbox.address}/sandbox/payments/${response!.transactionId}/refund`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${KEYS.FUNDRAISING_API_KEY}` },
    body: '{"amount":1000}',
  });
  await fetch(`${server.sandbox.address}/sandbox/gifts`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${KEYS.FUNDRAISING_API_KEY}` },
    body: JSON.stringify({ reference, summary: 'again', total: '50.00' }),
  });
  const odd = await server.run('reconcile', ...days());
  assert.deepEqual(
    [odd.status, odd.stdout.replace(/ +/g, ' ').replace(/\d+, \d+/, 'ids')],
    [
      1,
      `Under way, no difference yet:\n ${reference} a refund of 10.00\nwhat where gift of it found expected\ndouble platform ${reference} gift ids once\n1 gift, 1 difference.\n`,
    ],
  );
  assert.match((await server.run('reconcile', '--take', ...days())).stdout, /1 difference\./);
  assert.match(
    (await server.run('reconcile', '--from', '2026-11-01')).stderr,
    /--from and --to are required/,
  );
});

test('gifts export is the record where no platform is: every column that a donor filled in, and none of its cells a formula', async () => {
  await using server = await openServer({ kind: 'export' });
  const evil = [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\u200b=1',
    '"=1"',
    'a";=1',
    'Ana;=cmd',
    '＝1',
    '|calc',
  ];
  const outcomes = [];
  for (const text of evil)
    outcomes.push(
      await server.give({
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
    outcomes.map(({ state, response }) => [state, response?.giftId]),
    evil.map(() => ['succeeded', null]),
  );
  const { stdout, status } = await server.runAlone('gifts', 'export', ...days());
  assert.equal(status, 0);
  const rows = rowsOf(stdout);
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
    'nothing of a text is lost',
  );
  assert.ok(stdout.startsWith('"reference",'));
  const file = join(server.folder, 'donations.csv');
  await server.run('gifts', 'export', ...days(), '--csv', file);
  assert.deepEqual(
    [(await stat(file)).mode & 0o777, (await readFile(file, 'utf8')).slice(1)],
    [0o600, stdout],
  );
  const report = await server.run('reconcile', ...days());
  assert.deepEqual(
    [report.status, report.stdout],
    [0, `${evil.length} gifts, no difference.\n`],
    'without a platform the processor is compared',
  );
});

test('gifts export has a column for each of the hundred custom fields that most gifts have, puts the others together, and says so', async () => {
  await using server = await openServer();
  for (const gift of [0, 1, 2])
    await server.give({
      customFields: [
        { id: 'page', value: 'spring' },
        ...Array.from({ length: 39 }, (_, index) => ({
          id: `made up ${gift} ${index}`,
          value: '=1',
        })),
      ],
    });
  const { stdout, stderr, status } = await server.run('gifts', 'export', ...days());
  const rows = rowsOf(stdout);
  const titles = Object.keys(rows[0]!);
  assert.deepEqual(
    [status, stderr],
    [
      0,
      '118 custom fields are in these gifts: the 100 that most gifts have are columns, and the other 18 stand together in other_fields.\n',
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

test('donor export, donor delete and backup ask the running server', async () => {
  await using server = await openServer();
  const { reference } = await server.give();
  const exported = JSON.parse(
    (await server.runAlone('donor', 'export', 'ANA@example.org')).stdout,
  ) as {
    gifts: { reference: string; donor: { lastName: string } }[];
  };
  assert.deepEqual(
    exported.gifts.map(({ reference: one, donor }) => [one, donor.lastName]),
    [[reference, 'Souza']],
  );
  const copy = join(server.folder, 'copy.sqlite');
  const made = await server.runAlone('backup', copy);
  assert.match(made.stdout, /^.*copy\.sqlite: 1 gifts, \d+ bytes, checked\.\n$/);
  assert.match((await server.run('backup', copy)).stderr, /there is such a file already/);
  assert.match((await server.run('donor', 'delete', 'ana@example.org')).stderr, /--by is required/);
  const deleted = await server.runAlone('donor', 'delete', 'ana@example.org', '--by', 'Mara');
  assert.deepEqual(
    [deleted.status, deleted.stdout],
    [
      0,
      `deleted   ${reference}\nThe processor, the platform and backups keep their own: delete there too.\n`,
    ],
  );
  assert.equal(
    (await server.run('donor', 'delete', 'ana@example.org', '--by', 'Mara')).stdout,
    'No gift names this address.\n',
  );
  assert.match(
    (await server.run('donor', 'export', 'nobody')).stderr,
    /email: expected an e-mail address/,
  );
});
